"""What training reads from the graph: its vectors."""

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.training.corpus import vectors
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
