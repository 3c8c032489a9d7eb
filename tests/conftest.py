"""Fixtures: a real Neo4j, started once for all tests, and a graph that each test finds empty.

Several workers of pytest may run side by side: each has servers, ports and folders of its own.
"""

import os
import shutil
import tempfile
from dataclasses import replace

import hypothesis
import pytest

from medgraph.embeddings import reranking as readers
from medgraph.embeddings.encoders import encoder as encoders
from medgraph.embeddings.index import index
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import load_named
from medgraph.schema import migrate
from medgraph.server import lifecycle
from medgraph.server import process as server_process
from medgraph.settings import Settings
from tests.support import graphs, homes, servers
from tests.support.encoders import Counting, once
from tests.support.graphs import empty, prepared
from tests.support.paths import DATA
from tests.support.pubmed import pubmed
from tests.support.recorded import pytest_addoption
from tests.support.schemas import ENCODER, schema_of, strip

__all__ = ["pubmed", "pytest_addoption"]

STAGES = {
    "second": {"second", "second_server"},
    "own": {"running"},
    "corpus": {"corpus_graph"},
    "sample": {"sample_graph"},
    "server": {"server"},
}
"""Fixtures that start a Neo4j, by what they share: tests of one stage run one after another, so that a content which
they only read is prepared once; what takes longest begins, and what needs no server fills the gaps at the end. The
second server is started by one worker alone, which runs all tests of it."""

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=15)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("default")


def pytest_configure(config):
    """Let the servers of all workers be known, and do less each: they live short, and share few processors.

    Models compute in f32, on whatever processor the tests run.
    """
    if not hasattr(config, "workerinput"):
        os.environ["MEDGRAPH_PRECISION"] = "f32"
        os.environ[servers.RUN] = str(os.getpid())
        os.environ[graphs.SHARED] = tempfile.mkdtemp(prefix="medgraph-tests-")
        homes.use()


def pytest_unconfigure(config):
    """End the servers that nobody is left to stop, as those of workers when the tests are interrupted."""
    if not hasattr(config, "workerinput"):
        servers.end_those_of(os.environ.pop(servers.RUN))
        shutil.rmtree(os.environ.pop(graphs.SHARED), ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what needs a server, and put the tests of one file and stage into a group that one worker runs."""
    stages = [*STAGES, ""]
    items.sort(key=lambda item: stages.index(stage_of(item)))
    for item in items:
        stage, path = stage_of(item), item.path.relative_to(item.config.rootpath / "tests").with_suffix("")
        if stage:
            item.add_marker("server")
        item.add_marker(pytest.mark.xdist_group(stage if stage == "second" else f"{stage or 'none'}:{path}"))


def pytest_make_parametrize_id(val):
    """Name what gzip made without the second it was made in: workers must give a test the same id."""
    return "gzip" if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None


def stage_of(item):
    """Tell which of the fixtures that start a Neo4j a test takes; none if it needs no server.

    A test that empties the graph comes with its like, so that no other has to fill it again.
    """
    names = set(item.fixturenames) - ({"sample_graph"} if "database" in item.fixturenames else set())
    found = next((stage for stage, fixtures in STAGES.items() if names & fixtures), "")
    return found or ("own" if item.get_closest_marker("server") else "")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Let no test that is not marked so start a server."""
    with pytest.MonkeyPatch.context() as patch:
        if not item.get_closest_marker("server"):
            patch.setattr(server_process, "spawn", refuse)
        return (yield)


def refuse(*_):
    raise AssertionError("a test that starts a server takes a fixture of it, or is marked `server`")


@pytest.fixture(scope="session", autouse=True)
def plans_kept():
    """Let servers keep the plans of statements, which would be made anew every ten seconds.

    Tests fill and empty the graph all the time; with the size of texts and lists, for which there are plans of their
    own, that is half of what the servers do.
    """
    configuration = lifecycle.configuration
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lifecycle, "configuration", lambda settings: configuration(settings) + servers.KEPT_PLANS)
        yield


@pytest.fixture(scope="session", autouse=True)
def models_kept():
    """Let commands have models that are loaded once, and not by every command anew."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((encoders, "load_encoder"), (readers, "load_reader"), (encoders, "load_emergencies")):
            patch.setattr(module, name, once(getattr(module, name)))
        yield


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    """Settings of a server of the tests' own; jars and encoder come from the usual cache."""
    usual = replace(Settings.from_environment(), home=tmp_path_factory.mktemp("home"))
    return servers.at(usual, usual.home, heap="700m", page_cache="300m")


@pytest.fixture
def own_settings(settings, tmp_path):
    """Settings whose rejects go to a folder of the test's own."""
    return replace(settings, home=tmp_path / "home")


@pytest.fixture(scope="session")
def server(settings):
    with servers.started(settings) as server:
        yield server


@pytest.fixture(scope="session")
def graph(server):
    """The tests' database, with the schema applied; its content is whatever the last test left."""
    with servers.connect(server) as database:
        yield database


@pytest.fixture
def bare(graph):
    """The tests' database without a schema; it gets the real one back afterwards, unless the test has made it anew."""
    whole = schema_of(graph) | {"times": None}
    strip(graph)
    yield graph
    empty(graph)
    if schema_of(graph) | {"times": None} != whole:
        strip(graph)
        migrate.apply(graph, *ENCODER, lambda line: None)


@pytest.fixture(scope="session")
def encoder(settings):
    return encoders.load_encoder(settings)


@pytest.fixture(scope="session")
def sentence_reader(settings):
    """What reads sentences together with questions, loaded once."""
    return readers.load_reader(settings)


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
        index_links(graph, *names_in_use(settings, graph))

    return prepared(graph, "sample", fill)


@pytest.fixture(scope="session")
def second(settings, tmp_path_factory):
    """Settings and server of a second home, the schema applied, for tests that stop, kill or fill a server."""
    own = servers.at(settings, tmp_path_factory.mktemp("second"), page_cache="64m")
    with servers.started(own) as server:
        yield own, server


@pytest.fixture
def second_server(second):
    """The second home's settings and server, running, and its graph empty whatever the last test did to it."""
    own, server = second
    server.start()
    with servers.connect(server) as database:
        empty(database)
    return own, server


@pytest.fixture
def here(settings, server):
    """Settings with which a command finds the tests' server without looking for it."""
    return replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())


@pytest.fixture
def environment(settings, server):
    """The environment in which the command finds the tests' server."""
    return servers.surroundings(settings)


@pytest.fixture
def counting(encoder):
    """The encoder, with a note of what it was given."""
    return Counting(encoder)


@pytest.fixture(scope="session")
def data():
    """The folder of real data sets."""
    if not (DATA / "medquad.zip").exists():
        pytest.skip(f"the real data sets are not at {DATA}; set MEDGRAPH_DATA to their folder")
    return DATA
