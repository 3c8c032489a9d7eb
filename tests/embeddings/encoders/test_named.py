"""Encoders that are fetched by name."""

from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.named import BGE, unfetched

PASSAGES = ["Gout is caused by crystals of uric acid in joints.", "Paris lies on the Seine."]


@pytest.mark.thorough
def test_bge_is_fetched_by_name_and_asks_behind_its_instruction(settings, tmp_path):
    settings = replace(settings, encoder=BGE, cache=tmp_path, precision="f32")
    assert unfetched(settings)
    encoder = load_encoder(settings)
    assert (encoder.name, encoder.dimension, encoder.max_tokens, unfetched(settings)) == (BGE, 384, 512, None)
    asked = "What causes gout?"
    gout, city = encoder.encode(PASSAGES) @ encoder.encode_questions([asked])[0]
    assert (gout, city) == pytest.approx((0.881, 0.342), abs=0.01)
    assert encoder.encode_questions([asked])[0] @ encoder.encode([asked])[0] < 0.999
