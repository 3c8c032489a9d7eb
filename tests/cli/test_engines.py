"""Commands on Ray: the same graph as the local engine makes, whatever is killed."""

import re
import signal
import time

import pytest

from medgraph.loaders.commands import load_named
from tests.support import servers
from tests.support.graphs import empty, run, state_of
from tests.support.paths import FILES
from tests.support.points import seeds

pytestmark = [pytest.mark.extra, pytest.mark.slow]


@pytest.fixture
def medgraph_on_ray(settings, server):
    """Runs a command in a process of its own, on Ray."""

    def call(*arguments):
        process = servers.command(settings, *arguments, "--engine", "ray")
        out, errors = process.communicate(timeout=900)
        assert process.returncode == 0, errors
        return out

    return call


def test_index_on_ray_makes_the_graph_of_the_local_engine(medgraph_on_ray, sample_graph, settings):
    expected = state_of(sample_graph)
    empty(sample_graph)
    load_named(sample_graph, settings, "sample")
    out = medgraph_on_ray("index")
    assert re.search(r"[1-9]\d* chunks made; [1-9]\d* chunks, [1-9]\d* questions and [1-9][0-9,]* sentences", out)
    assert re.search(r"[1-9]\d* sections linked, [1-9][0-9,]* mentions", out)
    assert state_of(sample_graph) == expected
    assert medgraph_on_ray("index").startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences embedded by")
    left = [path for path in (settings.home / "shards").rglob("*") if path.is_file()]
    assert {path.name for path in left} == {"lock"}


def test_a_folder_of_pubmed_on_ray_is_the_graph_of_the_local_engine(medgraph_on_ray, database, settings):
    load_named(database, settings, "pubmed", FILES / "pubmed")
    expected = state_of(database)
    empty(database)
    assert " records added" in medgraph_on_ray("load", "pubmed", FILES / "pubmed")
    assert state_of(database) == expected
    assert list((settings.home / "shards").rglob("*.parquet")) == []


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_killed_anywhere_it_goes_on(medgraph_on_ray, sample_graph, settings, seed):
    expected = state_of(sample_graph)
    empty(sample_graph)
    load_named(sample_graph, settings, "sample")
    counts = ["(c:Chunk)", "(c:Chunk {embedding_model: 'all-MiniLM-L6-v2'})", "(c:Section) WHERE c.linked <> ''"]
    process = servers.command(settings, "index", "--engine", "ray")
    while process.poll() is None and not run(sample_graph, f"MATCH {counts[seed % 3]} RETURN count(c) AS n")[0]["n"]:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    medgraph_on_ray("index")
    assert state_of(sample_graph) == expected
