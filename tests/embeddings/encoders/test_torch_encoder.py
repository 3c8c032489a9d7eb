"""Other models of sentence-transformers."""

from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.errors import EncoderError


def test_a_name_needs_the_extra(settings, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EncoderError, match=r"some/model.*medgraph\[sentence-transformers\]"):
        load_encoder(replace(settings, encoder="some/model"))
