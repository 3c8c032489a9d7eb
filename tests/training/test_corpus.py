"""What training reads from the graph: its vectors."""

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.training.corpus import embedded, vectors
from tests.support.graphs import run


@pytest.mark.parametrize("query", ["chunk_vectors", "question_vectors"])
def test_vectors_come_with_their_sections(medquad_graph, query):
    found = vectors(medquad_graph, query)
    assert found.values.shape == (len(found.sections), 384)
    assert np.linalg.norm(found.values, axis=1) == pytest.approx(1, abs=1e-3)
    ids = {row["id"] for row in run(medquad_graph, "MATCH (s:Section) RETURN s.id AS id")}
    assert set(found.sections) == ids


def test_a_graph_without_vectors_is_refused(database):
    with pytest.raises(InputError, match="no vectors to train on; run: medgraph index"):
        vectors(database, "chunk_vectors")


def test_chunks_come_with_what_they_were_embedded_with(medquad_graph, encoder):
    found = embedded(medquad_graph, "medquad")
    assert encoder.encode(found.stored[:4]) == pytest.approx(found.values[:4], abs=0.02)
    part = found.of({found.sections[2]})
    assert (part.sections, part.texts) == ([found.sections[2]], [found.texts[2]])
    assert np.array_equal(part.values, found.values[2:3])
    with pytest.raises(InputError, match="no vectors to train on"):
        embedded(medquad_graph, "nothing of that name")
