"""Vectors learned from relations, made by hand: what asks and stores them needs neither PyKEEN nor torch."""

import numpy as np

from medgraph.embeddings.kge import vectors as store
from medgraph.embeddings.kge.triples import load_triples
from medgraph.embeddings.kge.vectors import SharedParameters, Vectors
from tests.support.graphs import run

DIMENSION = 4


def vectors_of(triples, model="TransE", dimension=DIMENSION, biases=None, near=()):
    """Give each concept a vector by seed; those of pairs in `near` lie side by side."""
    rng = np.random.default_rng(5)
    entities = rng.normal(size=(len(triples.entities), dimension)).astype(np.float32)
    for one, other in near:
        entities[triples.entities.index(other)] = entities[triples.entities.index(one)] + 0.01
    relations = rng.normal(size=(len(triples.relations), dimension)).astype(np.float32)
    return Vectors(SharedParameters(model, triples.relations, False, {"relations": relations}), entities, biases)


def with_vectors(database, **options):
    """Give the concepts of a graph vectors made by hand."""
    triples = load_triples(database)
    vectors = vectors_of(triples, **options)
    store.write(database, triples.entities, vectors, {"model": vectors.shared.model}, rebuild=True)
    return triples, vectors


def without_vectors(database):
    """Take all that `with_vectors` leaves; the record of the model outlives the emptying of a graph."""
    run(database, "MATCH (e:Encoder {id: 'kge'}) DELETE e")
    run(database, "MATCH (c:Concept) REMOVE c.kge, c.kge_bias")
    run(database, "DROP INDEX concept_kge IF EXISTS")
