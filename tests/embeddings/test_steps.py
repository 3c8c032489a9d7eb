"""What workers compute of vectors: the same bytes as here, and refused where they are of another model."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.store import embedded_chunks, embedded_questions, vector_of
from medgraph.errors import EncoderMismatchError
from tests.support.encoders import LONG, OtherEncoder

SENTENCES = LONG.split(". ")


@pytest.fixture(scope="module")
def elsewhere(request):
    """The encoder as a worker has it."""
    return load_encoder(replace(request.getfixturevalue("settings"), threads=1, precision="f32"))


@given(st.lists(st.integers(0, len(SENTENCES) - 1), min_size=1, max_size=40), st.integers(1, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
def test_a_worker_gives_the_bytes_that_are_made_here(encoder, elsewhere, drawn, size):
    rows = [{"id": f"{n:03}", "title": "T", "question": "Q?", "text": SENTENCES[s]} for n, s in enumerate(drawn)]
    for start in range(0, len(rows), size):
        page = rows[start : start + size]
        for compute in (embedded_chunks, embedded_questions):
            assert compute(page, elsewhere) == compute(page, encoder)


def test_a_vector_of_another_length_is_refused(encoder):
    (row,) = embedded_questions([{"id": "q", "text": "What is gout?"}], OtherEncoder(encoder))
    with pytest.raises(
        EncoderMismatchError, match=r"a worker gave a vector of 8 dimensions, and .* has 384; give workers"
    ):
        vector_of(row["vector"], encoder)
