"""Vectors of sentences, kept with their sections."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.candidate_sentences import candidates
from medgraph.embeddings.index import index
from medgraph.embeddings.store import pack, sentences_by, unpack
from tests.support.encoders import OtherEncoder
from tests.support.graphs import run

KEPT = (
    "MATCH (s:Section) RETURN s.id AS id, s.title AS title, s.text AS text, s.sentence_model AS model, "
    "s.sentence_vectors AS vectors ORDER BY id"
)


@given(
    st.lists(st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)), max_size=9),
    st.integers(1, 40),
    st.integers(0, 99),
)
def test_what_is_packed_comes_back_nearly_the_same(spans, dimension, seed):
    vectors = np.random.default_rng(seed).normal(size=(len(spans), dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = pack(spans, vectors)
    assert len(kept) == len(spans) * (12 + dimension)
    places, found = unpack(kept, dimension)
    assert places == spans
    assert found.shape == (len(spans), dimension)
    assert np.abs(found - vectors).max(initial=0.0) <= 0.5 / 127 + 1e-6


def test_each_sentence_has_the_vector_that_encoding_gives(database, encoder, loaded):
    made = index(database, encoder, "all").embedded_sentences
    rows = run(database, KEPT)
    count = 0
    for row in rows:
        spans, vectors = unpack(row["vectors"], encoder.dimension)
        found = candidates(0, row["text"])
        assert (row["model"], spans) == (sentences_by(encoder.name), [(one.start, one.end) for one in found])
        if found:
            expected = encoder.encode([f"{row['title']}: {one.text}" for one in found])
            assert (vectors * expected).sum(axis=1).min() > 0.995
        count += len(found)
    assert made == count == 81


def test_another_encoder_makes_them_anew(database, encoder, loaded, restored):
    index(database, encoder, "all")
    other = OtherEncoder(encoder)
    assert index(database, other, "embeddings", rebuild=True).embedded_sentences == 81
    assert {row["model"] for row in run(database, KEPT)} == {sentences_by("other")}
    assert {len(row["vectors"]) % (12 + 8) for row in run(database, KEPT)} == {0}


@pytest.mark.thorough
def test_killed_in_the_middle_it_goes_on_where_it_stopped(database, counting, loaded, kill_indexing):
    parts = [{"heading": f"Number {i}", "text": f"Number {i} is a sort of wheeze."} for i in range(60)]
    loaded([{"id": "many", "title": "Many", "sections": parts}])
    done = "MATCH (s:Section) WHERE s.sentence_model IS NOT NULL RETURN count(s) AS n"
    kill_indexing("store.SECTION_BATCH", done)
    before = run(database, done)[0]["n"]
    total = run(database, "MATCH (s:Section) RETURN count(s) AS n")[0]["n"]
    assert 8 <= before < total
    assert before % 4 == 0
    counting.texts.clear()
    made = index(database, counting, "all")
    assert sum(": " in text for text in counting.texts) == made.embedded_sentences > 0
    assert run(database, done)[0]["n"] == total
