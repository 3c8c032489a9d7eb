"""Fixtures: a real Neo4j, started once for all tests, and a graph that each test finds empty."""

import os
import socket
from pathlib import Path

import pytest

from medgraph import cypher
from medgraph.database import Database
from medgraph.embedded import EmbeddedNeo4j
from medgraph.embeddings.encoder import load_encoder
from medgraph.loaders.named import load_named
from medgraph.pipeline import index
from medgraph.schema import migrate
from medgraph.settings import Settings

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("MEDGRAPH_DATA") or ROOT.parent / "shared" / "data")


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    """Settings of a server of the tests' own; jars and encoder come from the usual cache."""
    return Settings(
        home=tmp_path_factory.mktemp("home"),
        cache=Settings.from_environment().cache,
        bolt_port=free_port(),
        http_port=free_port(),
        heap="700m",
        page_cache="300m",
    )


@pytest.fixture(scope="session")
def server(settings):
    server = EmbeddedNeo4j(settings)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def encoder(settings):
    return load_encoder(settings)


@pytest.fixture(scope="session")
def graph(server):
    """The tests' database, with the schema applied; its content is whatever the last test left."""
    with Database(server.bolt_uri, "neo4j", server.password()) as database:
        migrate.apply(database, "all-MiniLM-L6-v2", 384, lambda line: None)
        yield database


@pytest.fixture
def database(graph):
    """The tests' database, empty but for its schema."""
    empty(graph)
    return graph


@pytest.fixture
def sample_graph(graph, encoder, settings):
    """The tests' database with the built-in sample, indexed, and nothing else; for tests that only read."""

    def fill():
        load_named(graph, settings, "sample")
        index(graph, encoder, "all")

    return prepared(graph, "sample", fill)


def pytest_collection_modifyitems(items):
    """Run the tests that share a content of the graph one after another, so that it is loaded once."""
    items.sort(key=lambda item: ("sample_graph" not in item.fixturenames, "corpus_graph" not in item.fixturenames))


@pytest.fixture
def environment(settings, server):
    """The environment in which the command finds the tests' server."""
    return {
        **os.environ,
        "MEDGRAPH_HOME": str(settings.home),
        "MEDGRAPH_CACHE": str(settings.cache),
        "MEDGRAPH_BOLT_PORT": str(settings.bolt_port),
        "MEDGRAPH_HTTP_PORT": str(settings.http_port),
        "MEDGRAPH_NEO4J_HEAP": settings.heap,
        "MEDGRAPH_NEO4J_PAGECACHE": settings.page_cache,
    }


@pytest.fixture(scope="session")
def data():
    """The folder of real data sets."""
    if not (DATA / "medquad.zip").exists():
        pytest.skip(f"the real data sets are not at {DATA}; set MEDGRAPH_DATA to their folder")
    return DATA


def empty(database):
    """Delete everything but the schema."""
    run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
    database.run(cypher.get("refresh_fulltext"))


_states = {}


def prepared(database, name, fill):
    """Make sure that the graph holds what `fill` puts into an empty one, which is done again only after a change."""
    if name not in _states or state_of(database) != _states[name]:
        empty(database)
        fill()
        _states[name] = state_of(database)
    return database


def state_of(database):
    """Count what the graph holds, fine enough to notice what tests do to it."""
    nodes = "MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n, count(n.embedding) AS embedded, "
    sizes = "sum(size(coalesce(n.text, '')) + size(coalesce(n.name, ''))) AS size ORDER BY label"
    relations = "MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type"
    return run(database, nodes + sizes), run(database, relations)


def run(database, text, **parameters):
    """Run any Cypher text, as tests need to look behind the catalogue."""
    query = cypher.Query("test", "", {}, (), text, Path("test.cypher"))
    return database.run(query, **parameters)
