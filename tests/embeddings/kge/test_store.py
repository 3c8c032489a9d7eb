"""Learned vectors in the graph: written anew, of one model alone, and only where concepts are."""

import numpy as np
import pytest

from medgraph.embeddings.kge import vectors as store
from medgraph.embeddings.kge.triples import load_triples
from medgraph.errors import EncoderMismatchError, NotInGraphError
from medgraph.graph.database import Database
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.kge import vectors_of, without_vectors


@pytest.fixture
def own(graph, settings, tmp_path):
    """A small graph of three sources, without vectors, before and afterwards."""
    joined(graph, settings, tmp_path)
    without_vectors(graph)
    yield graph
    without_vectors(graph)


def held(database):
    rows = run(database, "MATCH (c:Concept) WHERE c.kge IS NOT NULL RETURN c.cui AS id, c.kge AS v, c.kge_bias AS b")
    return {row["id"]: (row["v"], row["b"]) for row in rows}


def test_vectors_come_back_as_they_were_written_twice_and_what_is_gone_is_left_out(own):
    triples = load_triples(own)
    vectors = vectors_of(triples, biases=np.arange(len(triples.entities), dtype=np.float32))
    for _ in range(2):
        store.write(own, [*triples.entities[:-1], "gone"], vectors, {"told": "\u00e9"})
    found = held(own)
    assert set(found) == set(triples.entities[:-1])
    first = triples.entities[0]
    assert found[first] == (vectors.entities[0].tolist(), 0.0)
    model = store.stored(own)
    assert (model.shared.model, model.dimension, model.card) == ("TransE", 4, {"told": "\u00e9"})
    assert np.array_equal(model.shared.weights["relations"], vectors.shared.weights["relations"])
    (index,) = run(own, "SHOW INDEXES YIELD name, state, type WHERE name = 'concept_kge' RETURN state, type")
    assert index == {"state": "ONLINE", "type": "VECTOR"}


def test_vectors_of_another_model_are_refused_until_they_replace_all(own):
    triples = load_triples(own)
    store.write(own, triples.entities, vectors_of(triples), {})
    other = vectors_of(triples, model="RotatE", dimension=6)
    said = r"from TransE \(4 dimensions\), not from RotatE \(6\); .*medgraph index kge --rebuild"
    with pytest.raises(EncoderMismatchError, match=said):
        store.write(own, triples.entities, other, {})
    assert {len(vector) for vector, _ in held(own).values()} == {4}
    store.write(own, triples.entities, other, {}, rebuild=True)
    assert {len(vector) for vector, _ in held(own).values()} == {6}
    assert store.stored(own).shared.model == "RotatE"


def test_interrupted_there_are_no_vectors_until_all_are_written(own, monkeypatch):
    triples = load_triples(own)
    with pytest.raises(NotInGraphError, match="has no vectors of relations; make them: medgraph index kge"):
        store.stored(own)
    monkeypatch.setattr(store, "BATCH", 3)
    batches = []
    write = Database.write

    def interrupted(self, query, **parameters):
        batches.extend([query.name] * (query.name == "write_kge"))
        if len(batches) > 1:
            raise KeyboardInterrupt
        return write(self, query, **parameters)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.write(own, triples.entities, vectors_of(triples), {})
    with pytest.raises(NotInGraphError, match="only in part; make them: medgraph index kge"):
        store.stored(own)
    store.write(own, triples.entities, vectors_of(triples), {})
    assert set(held(own)) == set(triples.entities)
