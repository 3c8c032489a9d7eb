"""Fixtures: a real Neo4j, started once for all tests, and a graph that each test finds empty."""

import os
from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.index import index
from medgraph.graph.database import Database
from medgraph.loaders.commands import load_named
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings
from tests.support.graphs import empty, prepared
from tests.support.paths import DATA
from tests.support.servers import free_port


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
def graph(server):
    """The tests' database, with the schema applied; its content is whatever the last test left."""
    with Database(server.bolt_uri, "neo4j", server.password()) as database:
        migrate.apply(database, "all-MiniLM-L6-v2", 384, lambda line: None)
        yield database


@pytest.fixture(scope="session")
def encoder(settings):
    return load_encoder(settings)


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
def here(settings, server):
    """Settings with which a command finds the tests' server without looking for it."""
    return replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())


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
