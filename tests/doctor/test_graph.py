"""The doctor on graph and machine: what is wrong, what mends it, and that one fault hides no other."""

import re
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from medgraph.doctor import examine as graph_checks
from medgraph.doctor import machine
from medgraph.doctor.examine import examine
from medgraph.embeddings.index import index
from medgraph.errors import QueryError
from medgraph.files import locked
from medgraph.schema import migrate
from tests.support.doctor import KNOWN, only
from tests.support.graphs import run, state_of
from tests.support.schemas import ENCODER
from tests.support.tree import PROJECT

SECTION = (
    "CREATE (:Source {id: 's'})<-[:FROM]-(:Document {id: 'd'})-[:HAS_SECTION]->"
    "(x:Section {id: 'd#1', text: 'Gout hurts.', title: 'Gout', question: '', heading: '', source: 's'}) "
)


@pytest.mark.parametrize("name", ["entity_id", "section_text", "chunk_embedding", "section_chunked"])
def test_what_was_dropped_is_missing_until_the_schema_is_applied(mended, name):
    assert only(graph_checks.schema(mended)).level == "ok"
    run(mended, f"DROP {'CONSTRAINT' if name == 'entity_id' else 'INDEX'} {name}")
    found = only(graph_checks.schema(mended))
    assert (found.id, found.level, found.remedy) == (f"index:{name}", "broken", "medgraph schema apply")
    assert found.what.endswith(f"{name} is missing")
    migrate.apply(mended, *ENCODER, lambda line: None)
    assert only(graph_checks.schema(mended)).level == "ok"


def test_an_index_for_vectors_of_another_length(mended):
    run(mended, "DROP INDEX chunk_embedding")
    text = next(s for m in migrate.migrations() for s in m.statements if "chunk_embedding" in s.text).text
    run(mended, text, dimension=7)
    found = only(graph_checks.schema(mended))
    assert (found.id, found.level) == ("index:chunk_embedding", "broken")
    assert "is for vectors of 7 numbers, not of 384" in found.what
    migrate.apply(mended, *ENCODER, lambda line: None)
    assert only(graph_checks.schema(mended)).level == "ok"


def test_indexes_that_have_failed(mended):
    run(mended, "DROP INDEX section_chunked")
    run(mended, "CREATE (:Section {id: 'long', chunked: reduce(s = 'x', i IN range(1, 15) | s + s)})")
    run(mended, "CREATE INDEX section_chunked FOR (n:Section) ON (n.chunked)")
    run(mended, "CREATE INDEX of_a_user FOR (n:Section) ON (n.chunked, n.id)")
    while any(row["state"] == "POPULATING" for row in run(mended, "SHOW INDEXES YIELD state RETURN state")):
        time.sleep(0.05)
    try:
        found = {f.id: f for f in graph_checks.schema(mended)}
        assert found.keys() == {"index:section_chunked", "index:of_a_user"}
        assert "has failed: " in found["index:section_chunked"].what
        assert found["index:section_chunked"].remedy == "medgraph schema apply"
        assert found["index:of_a_user"].remedy == "in Neo4j Browser: DROP INDEX of_a_user"
    finally:
        run(mended, "DROP INDEX of_a_user")


def test_a_schema_that_was_never_applied_or_is_of_another_version(mended):
    run(mended, "MATCH (m:Migration {version: 3}) DELETE m")
    found = only(graph_checks.schema(mended))
    assert (found.id, found.level, found.remedy) == ("migration:003", "broken", "medgraph schema apply")
    migrate.apply(mended, *ENCODER, lambda line: None)
    run(mended, "CREATE (:Migration {version: 99, name: 'x', checksum: 'x', applied: datetime()})")
    try:
        assert "of a newer medgraph" in only(graph_checks.schema(mended)).what
    finally:
        run(mended, "MATCH (m:Migration {version: 99}) DELETE m")


def test_vectors_that_are_stale(mended, encoder):
    assert only(graph_checks.vectors(mended, KNOWN)).what == "the graph holds no documents"
    run(mended, SECTION + "CREATE (:Question {id: 'q', text: 'What is gout?'})-[:ANSWERED_BY]->(x)")
    found = {f.id: f for f in graph_checks.vectors(mended, KNOWN)}
    assert found.keys() == {"vectors:uncut", "vectors:unembedded-questions"}
    assert {f.level for f in found.values()} == {"warning"}
    assert {f.remedy for f in found.values()} == {"medgraph index"}
    index(mended, encoder, "all")
    assert only(graph_checks.vectors(mended, KNOWN)).level == "ok"
    run(mended, "MATCH (s:Section) SET s.chunked = '1:other:128'")
    assert only(graph_checks.vectors(mended, KNOWN)).id == "vectors:uncut"
    index(mended, encoder, "all")
    run(mended, "MATCH (c:Chunk) SET c.embedding_model = 'other'")
    assert only(graph_checks.vectors(mended, KNOWN)).what.startswith("1 chunks have no vector of all-MiniLM-L6-v2")
    index(mended, encoder, "all")
    run(mended, "MATCH (s:Section) SET s.sentence_model = '1:other'")
    found = only(graph_checks.vectors(mended, KNOWN))
    assert (found.id, found.remedy) == ("vectors:sentences", "medgraph index")
    assert found.what.startswith("the sentences of 1 sections have no vectors of all-MiniLM-L6-v2")
    index(mended, encoder, "all")
    run(mended, "MATCH (c:Chunk) REMOVE c.embedding")
    assert only(graph_checks.vectors(mended, KNOWN)).id == "vectors:unembedded-chunks"


@pytest.mark.parametrize("other", [machine.KnownEncoder("other", 384, 256), machine.KnownEncoder(ENCODER[0], 768, 256)])
def test_vectors_of_another_encoder(mended, encoder, other):
    run(mended, SECTION)
    index(mended, encoder, "all")
    found = only(graph_checks.vectors(mended, other), "broken")
    assert found.id == "vectors:encoder"
    assert "from all-MiniLM-L6-v2 (384 dimensions), and the settings ask for" in found.what
    assert "medgraph index embeddings --rebuild" in found.remedy
    assert [f.level for f in graph_checks.vectors(mended, None)] == [
        "ok"
    ]  # one that cannot be loaded is told elsewhere


def test_loads_that_did_not_end(mended, settings):
    assert only(graph_checks.loads(mended, settings)).level == "ok"
    run(
        mended,
        "CREATE (s:Source {id: 'mine'})<-[:FROM]-(:Load {id: 1, status: 'finished', file: 'a', started: datetime()}) "
        "CREATE (s)<-[:FROM]-(:Load {id: 2, status: 'running', file: 'b', position: 1500, rejected: 0, "
        "started: datetime()}) "
        "CREATE (s)<-[:FROM]-(:Load {id: 3, status: 'undone', file: 'c', position: 1, started: datetime()})",
    )
    found = only(graph_checks.loads(mended, settings))
    assert (found.id, found.level) == ("load:mine", "broken")
    assert "a load of b, begun 20" in found.what
    assert found.what.endswith("at record 1,500, was broken off")
    assert found.remedy.endswith("medgraph load mine PATH")
    with locked(settings.home / "locks" / "mine-abc"):
        assert "is under way" in only(graph_checks.loads(mended, settings), "ok").what
    run(mended, "MATCH (l:Load {id: 2}) SET l.status = 'failed', l.rejected = 12")
    found = only(graph_checks.loads(mended, settings))
    assert (found.level, "failed with 12 rejects" in found.what) == ("broken", True)
    assert found.remedy.endswith("medgraph undo mine")


def test_a_load_that_was_killed_and_one_that_is_at_work(mended, settings, environment, tmp_path):
    file = tmp_path / "many.jsonl"
    line = '{"id": "d%d", "title": "T", "sections": [{"text": "Some text."}]}\n'
    file.write_text("".join(line % n for n in range(60_000)))
    command = [sys.executable, "-m", "medgraph", "load", "documents", str(file)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not run(mended, "MATCH (l:Load) WHERE l.position > 0 RETURN l.id"):
            assert process.poll() is None
            time.sleep(0.1)
        found = only(graph_checks.loads(mended, settings), "ok")
        assert "is under way" in found.what
    finally:
        process.kill()
        process.wait()
    found = only(graph_checks.loads(mended, settings))
    assert (found.id, found.level) == ("load:documents", "broken")
    assert "was broken off" in found.what


def test_packages(tmp_path):
    def look(requirements, tested=None):
        return list(machine.packages(requirements, tested or {}))

    assert only(look(["click>=8", "neo4j>=6", 'colorama; sys_platform == "win32"'])).level == "ok"
    found = only(look(["click>=99", "neo4j"]), "broken")
    assert found.id == "package:click"
    assert "asks for click>=99" in found.what
    assert re.search(r"-m pip install --constraint \S+ 'click>=99'$", found.remedy)
    assert "no-such-package is not installed" in only(look(["no-such-package>=1"]), "broken").what
    found = only(look(["click", "neo4j"], {"click": "7.1", "neo4j": "6.0.0"}))
    assert found.level == "warning"
    assert "(tested: 7.1)" in found.what
    assert found.remedy.endswith(" click")
    assert "neo4j" not in found.what


def test_the_tested_versions_come_with_the_package(tmp_path):
    pins = dict(line.lower().replace("_", "-").split("==") for line in machine.CONSTRAINTS.read_text().split())
    assert pins["neo4j"].startswith("6.")
    wanted = [re.match(r"[\w-]+", text)[0].lower() for text in PROJECT["project"]["dependencies"]]
    assert len(wanted) >= 15
    assert set(wanted) - pins.keys() == set()
    old = tmp_path / "old.txt"
    old.write_text("Prometheus_Client==0.1\n")
    assert "prometheus-client 0." in only(machine.packages(["prometheus-client"], pins=old), "warning").what
    assert only(machine.packages(["click"], pins=tmp_path / "none.txt")).level == "ok"


def test_room_on_disks(settings, monkeypatch, tmp_path):
    def look(free, store=0, own=settings):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
        return {f.id: f.level for f in machine.disks(own, store)}

    assert look(100 << 30) == {"disk:data": "ok", "disk:cache": "ok"}
    assert look(1 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(3 << 30, store=2 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(100 << 20) == {"disk:data": "broken", "disk:cache": "broken"}
    assert look(200 << 20, own=replace(settings, home=tmp_path))["disk:data"] == "broken"
    for database in ("system", "neo4j"):
        log = tmp_path / "neo4j" / "data" / "transactions" / database / "neostore.transaction.db.0"
        log.parent.mkdir(parents=True)
        log.touch()
    assert look(200 << 20, own=replace(settings, home=tmp_path))["disk:data"] == "warning"  # its logs are there
    folder = replace(settings, home=tmp_path / "not" / "there")
    assert look(100 << 30, own=folder)["disk:data"] == "ok"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert look(100 << 30)["disk:data"] == "broken"


def test_encoders(settings, tmp_path, monkeypatch):
    known, (found,) = machine.encoder(settings)
    assert (known, found.level) == (KNOWN, "ok")
    monkeypatch.setattr("medgraph.embeddings.encoders.named._installed", lambda: None)
    known, (found,) = machine.encoder(replace(settings, cache=tmp_path))
    assert (known.name, known.dimension, found.level) == (ENCODER[0], None, "warning")
    assert list(tmp_path.iterdir()) == []  # nothing was fetched
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path / "none")))
    assert (known, found.level) == (None, "broken")
    assert "there is no such folder" in found.what
    (tmp_path / "config.json").write_text("{")
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path)))
    assert (known, found.level) == (None, "broken")
    known, (found,) = machine.encoder(replace(settings, question_encoder=str(tmp_path / "none")))
    assert (known, found.level) == (None, "broken")
    assert str(tmp_path / "none") in found.what
    assert "MEDGRAPH_QUESTION_ENCODER" in found.remedy
    known, (found,) = machine.encoder(replace(settings, encoder="some/model"))
    assert (known, found.level) == (None, "broken")
    assert "pip install '.[sentence-transformers]'" in found.remedy


def test_a_sound_installation(sample_graph, settings):
    findings = examine(settings)
    assert [f for f in findings if f.level != "ok"] == []
    looked_at = {f.id for f in findings}
    assert looked_at >= {"python", "packages", "java", "server-files", "disk:data", "disk:cache", "encoder"}
    assert looked_at >= {"ports", "server", "version", "memory", "schema", "vectors", "loads", "transaction-log"}


def test_a_group_that_cannot_be_looked_at_leaves_the_others(sample_graph, settings, monkeypatch):
    def fails(database):
        raise QueryError("no", "x")

    monkeypatch.setattr(graph_checks, "schema", lambda database: (fails(database) for _ in [1]))
    findings = examine(settings)
    assert only(findings, "broken").what == "this could not be looked at: query x: no"
    assert {"vectors", "loads"} <= {f.id for f in findings}


def test_nothing_is_changed(sample_graph, settings):
    before = (
        state_of(sample_graph),
        run(sample_graph, "SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name"),
    )
    examine(settings)
    after = state_of(sample_graph), run(sample_graph, "SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name")
    assert after == before


def test_settings_are_not_shown(settings, server):
    own = replace(
        settings, neo4j_uri="bolt://127.0.0.1:1", neo4j_password="a-secret-password", api_key="a-secret-key-of-mine"
    )
    assert "a-secret" not in repr(examine(own))
