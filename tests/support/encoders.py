"""Encoders that tell apart what was encoded, and what a graph has of it; and models that are loaded once."""

import functools
from operator import attrgetter

import numpy as np

from medgraph.embeddings.encoders.model_files import MODELS
from medgraph.schema import migrate
from medgraph.settings import Settings
from tests.support.graphs import run
from tests.support.remembered import Memory, Remembered
from tests.support.schemas import ENCODER

memory_in = functools.cache(Memory)


def once(load):
    """Load the usual model once for all commands, with a memory; another one each time, as it may change in between."""
    named, kept = attrgetter("encoder", "question_encoder", "reranker"), {}

    def chosen(settings):
        return (settings.cache / MODELS).resolve(), named(settings)

    settings = Settings.from_environment()
    usual, cache = chosen(settings), settings.cache

    def loaded(settings, *report):
        if chosen(settings) != usual:
            return load(settings, *report)
        key = (settings.precision, settings.threads, settings.reads)
        if key not in kept:
            model, name = load(settings, *report), f"{load.__name__} {chosen(settings)[1]} {key}"
            computes = hasattr(model, "encode") or hasattr(model, "describe")
            kept[key] = Remembered(model, name, memory_in(cache)) if computes else model
        return kept[key]

    return loaded


LONG = " ".join(f"Sentence {i} says that the airways of patient number {i} were narrow and red." for i in range(80))
DOCUMENTS = [
    {
        "id": "a",
        "title": "Asthma",
        "sections": [{"question": "What is asthma?", "text": LONG}, {"text": "It comes and goes."}],
    },
    {"id": "b", "title": "Gout", "sections": [{"question": "What is gout?", "text": "Gout hurts."}]},
    {"id": "c", "title": "Silence", "sections": [{"text": "…"}]},
]


def give_back(graph):
    """Give the graph its own encoder alone back, whatever a test has done."""
    name, dimension = ENCODER
    run(graph, "MATCH (e:Encoder {id: 'beside'}) DELETE e")
    own = "MATCH (e:Encoder {id: 'text'}) SET e.name = $name, e.dimension = $dimension, e.slot = null"
    run(graph, own, name=name, dimension=dimension)
    for kind in ("chunk", "question"):
        for index in (f"{kind}_embedding_b", f"{kind}_embedding_model_b"):
            run(graph, f"DROP INDEX {index} IF EXISTS")
    run(graph, "MATCH (n) REMOVE n.embedding_b, n.embedding_model_b, n.sentence_model_b, n.sentence_vectors_b")
    graph.slot = None
    migrate.apply(graph, name, dimension, lambda _: None)


class OtherEncoder:
    """Another encoder of another size: real enough to fill a graph, and plain to tell apart."""

    name, dimension, max_tokens, precision = "other", 8, 64, "f32"

    def __init__(self, encoder):
        self.token_offsets = encoder.token_offsets
        self.texts = []

    def encode(self, texts):
        self.texts.extend(texts)
        vectors = np.random.default_rng(0).normal(size=(len(texts), self.dimension)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    encode_questions = encode


class Counting:
    """The real encoder, with a note of what it was given."""

    def __init__(self, encoder):
        self._encoder = encoder
        self.texts = []

    def __getattr__(self, name):
        return getattr(self._encoder, name)

    def encode(self, texts):
        self.texts.extend(texts)
        return self._encoder.encode(texts)


def chunks_of(database, document):
    return run(
        database,
        "MATCH (:Document {id: $id})-[:HAS_SECTION]->(s)-[:HAS_CHUNK]->(c) "
        "RETURN s.id AS section, s.text AS whole, c.id AS id, "
        "c.text AS text, c.start AS start, c.end AS end, c.position AS position, c.embedding AS vector, "
        "c.embedding_model AS model, c.source AS source, c.type AS type ORDER BY section, position",
        id=document,
    )
