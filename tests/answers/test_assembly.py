"""What searches and answers, put together over a graph that is ready for it."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from medgraph.answers.assembly import Assembly
from medgraph.errors import EncoderMismatchError, SchemaMissingError
from medgraph.queries.retriever import Retriever
from medgraph.schema import migrate
from tests.support.linking import linker_of

MIGRATIONS = [{"version": m.version, "checksum": m.checksum, "applied": "2026-11-01"} for m in migrate.migrations()]
MODEL = SimpleNamespace(name="a model", dimension=8)


@dataclass
class Graph:
    """Stands for a graph of which only the schema and the encoder are asked."""

    migrations: list
    encoder: str = MODEL.name
    slot: str = ""

    def read(self, query, **_):
        if query.name == "encoder":
            return [{"name": self.encoder, "dimension": MODEL.dimension}]
        assert query.name == "migrations"
        return self.migrations


class Loads:
    """Loads the encoder, and counts how often."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return MODEL


@pytest.mark.parametrize("part", ["retriever", "answerer"])
def test_a_graph_that_lacks_a_migration_is_refused_before_the_encoder_is_loaded(part):
    load = Loads()
    with pytest.raises(SchemaMissingError, match=r"the graph lacks the schema V\d+ \w+; run: medgraph schema apply"):
        getattr(Assembly(Graph(MIGRATIONS[:-1]), load, linker_of), part)
    assert load.count == 0


def test_the_encoder_is_loaded_once_and_when_it_is_first_needed():
    load = Loads()
    assembly = Assembly(Graph(MIGRATIONS), load, linker_of)
    assert isinstance(assembly.retriever, Retriever)
    assert load.count == 0
    assert assembly.encoder() is assembly.encoder() is MODEL
    assert load.count == 1


def test_an_encoder_that_made_other_vectors_is_refused():
    assembly = Assembly(Graph(MIGRATIONS, "another"), Loads(), linker_of)
    with pytest.raises(
        EncoderMismatchError, match=r"the graph's vectors are from another \(8 dimensions\), not from a"
    ):
        assembly.encoder()
