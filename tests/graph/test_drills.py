"""Drills: a lost machine, an older release of Neo4j, a full disk of shards, and a worker with a broken model."""

import resource
import shutil
import subprocess
import sys

import numpy as np
import pytest

from medgraph.embeddings.index import index, index_sentences
from medgraph.errors import EncoderMismatchError, InputError
from medgraph.graph.ray_engine import ray_engine
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import load_named
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.process import NEO4J_VERSION
from tests.support import homes, servers
from tests.support.encoders import OtherEncoder
from tests.support.graphs import run, state_of
from tests.support.loads import contents
from tests.support.steps import BULKY, Inline, Stub, loading, pages

VECTORS = """
MATCH (c:Chunk) OPTIONAL MATCH (s:Section) WHERE s.sentence_vectors IS NOT NULL
RETURN count(DISTINCT c.embedding) AS chunks, count(DISTINCT s) AS sections
"""


@pytest.mark.thorough
def test_a_machine_is_lost_and_its_dump_brings_everything_back(second_server, encoder, tmp_path):
    own, server = second_server
    with servers.connect(server) as database:
        load_named(database, own, "sample")
        index(database, encoder, "all")
        index_links(database, *names_in_use(own, database))
        expected = contents(database)
    medgraph(own, "neo4j", "dump", tmp_path / "graph.dump")
    server.stop()
    shutil.rmtree(own.home)
    homes.furnish(own)
    medgraph(own, "neo4j", "restore", tmp_path / "graph.dump", "--yes")
    server.start()
    with servers.connect(server) as database:
        assert contents(database) == expected
    assert "sample:gout#6" in medgraph(own, "search", "How is gout treated?")


def medgraph(own, *arguments):
    command = servers.command(own, *arguments)
    out, errors = command.communicate(timeout=300)
    assert command.returncode == 0, errors
    return out


FULL = """
import sys
from pathlib import Path
from medgraph.errors import InputError
from tests.support.steps import BULKY, Inline, loading, pages
folder = Path(sys.argv[1])
try:
    for rows in Inline(folder / "shards", loading(folder)).rows(BULKY, None, pages([1, 1, 9, 1])):
        pass
except InputError as error:
    sys.exit(f"Error: {error}")
"""


def test_a_full_disk_is_told_and_what_was_computed_before_stays(tmp_path):
    """The step lets its process write no more than small files."""
    (tmp_path / "full").touch()
    run_here = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(run_here, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Error: a worker failed: " in done.stderr
    assert "File too large; make room, or set --shards to another folder" in done.stderr
    assert list((tmp_path / "shards").rglob("*.part")) == []
    (tmp_path / "full").unlink()
    assert subprocess.run(run_here, capture_output=True, check=False).returncode == 0
    assert len(Stub(tmp_path).computed) == 5  # the page in hand twice


@pytest.mark.extra
@pytest.mark.filterwarnings("default::DeprecationWarning:ray", "default::ResourceWarning")
def test_a_full_disk_of_a_worker_of_ray_is_told(tmp_path):
    sizes, notes = [1, 1, 9, 1], loading(tmp_path)
    (tmp_path / "full").touch()
    with ray_engine("", tmp_path / "shards", 1) as engine:
        with pytest.raises(InputError, match=r"a worker failed: .*File too large; make room, or set --shards"):
            list(engine.loading(notes).rows(BULKY, None, pages(sizes)))
        (tmp_path / "full").unlink()
        assert [len(rows) for rows in engine.loading(notes).rows(BULKY, None, pages(sizes))] == sizes
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


class Broken(OtherEncoder):
    """An encoder that gives no numbers."""

    name, dimension = "all-MiniLM-L6-v2", 384

    def encode(self, texts):
        return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "told"), [(Broken, "gave .* with NaN or infinity; give workers"), (OtherEncoder, "a worker gave")]
)
def test_a_worker_with_a_broken_model_is_refused_and_a_mended_one_goes_on(
    database, settings, encoder, tmp_path, kind, told
):
    load_named(database, settings, "sample")
    index(database, encoder, "chunks")
    broken, mended = (Inline(tmp_path, lambda model=model: model) for model in (kind(encoder), encoder))
    with pytest.raises(EncoderMismatchError, match=told):
        index(database, encoder, "embeddings", engine=broken)
    with pytest.raises(EncoderMismatchError, match=told):
        index_sentences(database, encoder, engine=broken)
    assert run(database, VECTORS) == [{"chunks": 0, "sections": 0}]
    index(database, encoder, "embeddings", engine=mended)
    found = state_of(database)
    assert run(database, VECTORS)[0]["chunks"] > 0
    assert index(database, encoder, "all").summary().startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences")
    assert state_of(database) == found


OLDER = "2026.07.1"
"""A release of Neo4j before the one that medgraph runs."""


@pytest.mark.server
@pytest.mark.thorough
def test_a_store_of_an_older_release_is_upgraded_with_all_that_it_holds(settings, tmp_path):
    own = servers.at(settings, tmp_path / "home", page_cache="64m")
    older = [sys.executable, "-m", "tests.support.older", OLDER, str(tmp_path / "lock.toml")]
    for words in ("neo4j start", "schema apply", "load sample", "index"):
        subprocess.run([*older, *words.split()], env=servers.surroundings(own), check=True, capture_output=True)
    server = EmbeddedNeo4j(own)
    with servers.connect(server) as database:
        expected = contents(database)
    server.stop()
    assert server.status().version == OLDER
    try:
        server.start()
        assert server.status().version == NEO4J_VERSION
        with servers.connect(server) as database:
            assert contents(database) == expected
        assert "sample:gout#6" in medgraph(own, "search", "How is gout treated?")
    finally:
        server.stop()
