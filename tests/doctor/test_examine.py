"""The doctor: each failure is really caused, and named with what mends it; what it says to run mends it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace

import psutil
import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.doctor import graph as graph_checks
from medgraph.doctor import machine
from medgraph.doctor import server as server_checks
from medgraph.doctor.examine import examine
from medgraph.doctor.findings import as_dict, broken, ok, size, warning
from medgraph.embeddings.index import index
from medgraph.files import locked
from medgraph.graph.database import Database
from medgraph.loaders.commands import load_named
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings
from tests.support.graphs import run
from tests.support.servers import free_port

ENCODER = ("all-MiniLM-L6-v2", 384)
KNOWN = machine.KnownEncoder(*ENCODER, 256)
SECTION = (
    "CREATE (:Source {id: 's'})<-[:FROM]-(:Document {id: 'd'})-[:HAS_SECTION]->"
    "(x:Section {id: 'd#1', text: 'Gout hurts.', title: 'Gout', question: '', heading: '', source: 's'}) "
)


@pytest.fixture
def mended(graph):
    """The tests' database, whose schema is made whole again afterwards."""
    run(graph, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
    yield graph
    run(graph, "MATCH (n) WHERE NOT n:Encoder AND NOT n:Migration DETACH DELETE n")
    run(graph, "MERGE (e:Encoder {id: 'text'}) SET e.name = $name, e.dimension = $size", name=ENCODER[0], size=384)
    migrate.apply(graph, *ENCODER, lambda line: None)


def only(findings, level=None):
    (finding,) = [f for f in findings if level is None or f.level == level]
    return finding


# The whole.


def test_a_sound_installation(sample_graph, settings):
    findings = examine(settings)
    assert [f for f in findings if f.level != "ok"] == []
    looked_at = {f.id for f in findings}
    assert looked_at >= {"python", "packages", "java", "server-files", "disk:data", "disk:cache", "encoder"}
    assert looked_at >= {"ports", "server", "version", "memory", "schema", "vectors", "loads", "transaction-log"}


def test_the_command(mended, settings, encoder, monkeypatch):
    def call(*arguments):
        return CliRunner().invoke(main, ["doctor", *arguments], obj=settings)

    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", lambda *_: encoder)
    load_named(mended, settings, "sample")
    done = call()
    assert done.exit_code == 0  # mere warnings
    assert "warning vectors:uncut: 480 sections are not cut into chunks" in done.stdout
    assert "        to mend it: medgraph index\n" in done.stdout
    run(mended, "DROP INDEX section_chunked")
    done = call("--json")
    assert done.exit_code == 1
    assert done.stderr == "Error: 1 broken, 2 to look at; each says what mends it\n"
    data = json.loads(done.stdout)
    assert (data["sound"], data["broken"], data["warning"]) == (False, 1, 2)
    assert data["findings"][0] == {
        "id": "index:section_chunked",
        "level": "broken",
        "what": "the range index section_chunked is missing",
        "where": mended.uri,
        "remedy": "medgraph schema apply",
    }


def test_a_group_that_cannot_be_looked_at_leaves_the_others(sample_graph, settings, monkeypatch):
    from medgraph.errors import QueryError

    def fails(database):
        raise QueryError("no", "x")

    monkeypatch.setattr(graph_checks, "schema", lambda database: (fails(database) for _ in [1]))
    findings = examine(settings)
    assert only(findings, "broken").what == "this could not be looked at: query x: no"
    assert {"vectors", "loads"} <= {f.id for f in findings}


def test_plain_data():
    data = as_dict([broken("a", "b", "c", "d"), warning("a", "b", "c", "d"), ok("a", "b", "c")])
    assert (data["sound"], data["broken"], data["warning"], data["ok"]) == (False, 1, 1, 1)
    assert as_dict([warning("a", "b", "c", "d")])["sound"]
    assert [size(n) for n in (0, 700 << 20, 3 << 29)] == ["0 MB", "700 MB", "1.5 GB"]


# The server.


def test_no_server_yet_and_nothing_is_made(settings, tmp_path):
    home = tmp_path / "none"
    own = replace(settings, home=home, bolt_port=free_port(), http_port=free_port())
    database, findings = server_checks.reach(own)
    assert database is None
    assert only(findings).what == "there is no embedded server yet"
    assert only(findings).remedy == "medgraph quickstart"
    examine(own)
    assert not home.exists()


def test_a_server_that_was_killed_and_one_with_another_password(settings, tmp_path):
    own = replace(settings, home=tmp_path, bolt_port=free_port(), http_port=free_port(), heap="500m", page_cache="64m")
    embedded = EmbeddedNeo4j(own)
    status = embedded.start()
    try:
        (tmp_path / "neo4j" / "password").write_text("wrong-password\n")
        found = [f for f in examine(own) if f.level == "broken"]
        assert [(f.id, f.remedy) for f in found] == [
            ("server", "if it was changed, run once: NEO4J_PASSWORD=… medgraph neo4j start")
        ]
        (tmp_path / "neo4j" / "password").unlink()
        assert "only it holds the server's password" in only(examine(own), "broken").what
        os.kill(status.pid, signal.SIGKILL)
        psutil.wait_procs([psutil.Process(status.pid)] if psutil.pid_exists(status.pid) else [], timeout=20)
        while embedded.status().running:
            time.sleep(0.1)
        found = only(examine(own), "broken")
        assert found.what == "the embedded server does not run, so that the graph was not looked at"
        assert found.remedy == "medgraph neo4j start, and run the doctor again"
        (tmp_path / "neo4j" / "version").write_text("2031.01.0\n")
        assert {f.id for f in examine(own) if f.level == "broken"} == {"server", "data-version"}
    finally:
        embedded.stop()


def test_a_port_that_another_program_has(settings, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        own = replace(settings, home=tmp_path, bolt_port=port, http_port=free_port())
        found = next(f for f in server_checks.reach(own)[1] if f.id == f"port:{port}")
    assert found.level == "broken"
    assert f"port {port} is taken by" in found.what
    assert found.remedy == "stop it, or set MEDGRAPH_BOLT_PORT to a free port"
    own = replace(own, bolt_port=own.http_port)
    assert "are both" in next(f for f in server_checks.reach(own)[1] if f.id == "ports").what


def test_a_server_on_other_ports_than_the_settings_say(settings, server):
    database, findings = server_checks.reach(replace(settings, bolt_port=free_port()))
    database.close()
    assert (only(findings).id, only(findings).level) == ("ports", "warning")
    assert only(findings).remedy == "medgraph neo4j stop && medgraph neo4j start"


@pytest.mark.parametrize(
    ("uri", "changes", "what", "remedy"),
    [
        ("http://example.org", {}, "NEO4J_URI is no address of a Neo4j server", "let NEO4J_URI begin with one of bolt"),
        ("bolt://127.0.0.1:1", {}, "nothing answers there", "start that server, correct NEO4J_URI, or unset it"),
        ("bolt://127.0.0.1:notaport", {}, "cannot be used", "correct NEO4J_URI"),
        (None, {"neo4j_password": "wrong-password"}, "does not accept the user name", "set NEO4J_USERNAME and"),
        (None, {"neo4j_database": "nope"}, "nope", "correct NEO4J_DATABASE"),
    ],
)
def test_a_remote_server_that_cannot_be_used(settings, server, uri, changes, what, remedy):
    own = replace(settings, neo4j_uri=uri or server.bolt_uri, neo4j_password=server.password())
    findings = examine(replace(own, **changes))
    found = only(findings, "broken")
    assert found.id == "server"
    assert what in found.what
    assert remedy in found.remedy
    assert "java" not in {f.id for f in findings}  # no embedded server is meant


def test_a_remote_server_that_is_sound(sample_graph, settings, server):
    own = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    findings = examine(own)
    assert [f for f in findings if f.level != "ok"] == []
    assert {"java", "ports", "transaction-log"}.isdisjoint({f.id for f in findings})


@pytest.mark.parametrize(
    ("found", "level"),
    [
        ("2026.08.1", "ok"),
        ("2026.08.9", "ok"),
        ("2026.09.0", "warning"),
        ("2026.01.3", "warning"),
        ("5.26.1", "broken"),
    ],
)
def test_versions(graph, monkeypatch, found, level):
    monkeypatch.setattr(Database, "read", lambda *_, **__: [{"version": found, "edition": "community"}])
    finding = only(server_checks.version(graph))
    assert finding.level == level
    assert found in finding.what


def test_memory_against_graph_and_machine(graph, settings):
    def memory(store, total, own=settings):
        return list(server_checks.memory(graph, own, store, total))

    assert [f.level for f in memory(10 << 20, 8 << 30)] == ["ok"]
    assert "heap 700 MB, page cache 300 MB, of the machine's 8.0 GB" in only(memory(0, 8 << 30)).what
    found = only(memory(2 << 30, 8 << 30), "warning")
    assert found.id == "memory:page-cache"
    assert found.remedy.startswith("set MEDGRAPH_NEO4J_PAGECACHE=2624m, then: medgraph neo4j stop")
    assert only(memory(0, 1100 << 20), "warning").id == "memory"
    assert only(memory(0, 900 << 20), "broken").what.endswith("more than there is")
    changed = only(memory(0, 8 << 30, replace(settings, heap="900m")), "warning")
    assert changed.what.endswith("the settings say 900m and 300m")


def test_a_large_transaction_log(settings, server):
    folder = settings.home / "neo4j" / "data" / "transactions" / "neo4j"
    assert only(server_checks.logs(settings)).level == "ok"
    extra = folder / "not-a-log"
    with extra.open("wb") as file:
        file.truncate(2 << 30)
    try:
        found = only(server_checks.logs(settings))
    finally:
        extra.unlink()
    assert (found.level, found.remedy) == ("warning", "medgraph neo4j stop && medgraph neo4j start")
    assert "2.0 GB" in found.what or "2.1 GB" in found.what


# The machine.


def test_packages(tmp_path):
    def look(requirements, tested=None):
        return list(machine.packages(requirements, tested or {}))

    assert only(look(["click>=8", "neo4j>=6", 'colorama; sys_platform == "win32"'])).level == "ok"
    found = only(look(["click>=99", "neo4j"]), "broken")
    assert found.id == "package:click"
    assert "asks for click>=99" in found.what
    assert "-m pip install --constraint" in found.remedy
    assert "no-such-package is not installed" in only(look(["no-such-package>=1"]), "broken").what
    found = only(look(["click", "neo4j"], {"click": "7.1", "neo4j": "6.0.0"}))
    assert found.level == "warning"
    assert "(tested: 7.1)" in found.what
    assert "neo4j" not in found.what


def test_the_tested_versions_come_with_the_package():
    pins = machine._tested(machine.CONSTRAINTS)
    assert pins["neo4j"].startswith("6.")
    assert {name.lower() for name in pins} == set(pins)
    wanted = [text.split(">")[0].split("<")[0].split("=")[0].strip().lower() for text in machine._requirements()]
    assert len(wanted) >= 15
    assert [name for name in wanted if name.replace("_", "-") not in {p.replace("_", "-") for p in pins}] == []
    assert machine._tested(machine.CONSTRAINTS.with_name("none.txt")) == {}


@pytest.mark.parametrize(
    ("found", "tested", "far"),
    [("8.5.1", "8.1", False), ("9.0", "8.1", True), ("0.5.2", "0.5.0", False), ("0.6.0", "0.5.0", True)],
)
def test_how_far_releases_are_apart(found, tested, far):
    assert machine._far(found, tested) is far


@pytest.mark.parametrize(("version", "level"), [((3, 11, 9), "ok"), ((3, 12, 1), "ok"), ((3, 14, 0), "warning")])
def test_python(monkeypatch, version, level):
    monkeypatch.setattr(sys, "version_info", version)
    assert only(machine.python()).level == level


def test_java_and_the_servers_files(settings, tmp_path):
    assert [f.level for f in machine.java(settings)] == ["ok", "ok"]
    java, files = machine.java(replace(settings, java=tmp_path / "none", cache=tmp_path))
    assert (java.level, files.level) == ("broken", "warning")
    assert "cannot be run" in java.what
    assert files.remedy == "medgraph neo4j start"


def test_room_on_disks(settings, monkeypatch, tmp_path):
    def look(free, store=0, own=settings):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
        return {f.id: f.level for f in machine.disks(own, store)}

    assert look(100 << 30) == {"disk:data": "ok", "disk:cache": "ok"}
    assert look(1 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(3 << 30, store=2 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(100 << 20) == {"disk:data": "broken", "disk:cache": "broken"}
    folder = replace(settings, home=tmp_path / "not" / "there")
    assert look(100 << 30, own=folder)["disk:data"] == "ok"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert look(100 << 30)["disk:data"] == "broken"


def test_encoders(settings, tmp_path, monkeypatch):
    known, (found,) = machine.encoder(settings)
    assert (known, found.level) == (KNOWN, "ok")
    monkeypatch.setattr("medgraph.embeddings.encoders.model_files._installed", lambda: None)
    known, (found,) = machine.encoder(replace(settings, cache=tmp_path))
    assert (known.name, known.dimension, found.level) == (ENCODER[0], None, "warning")
    assert list(tmp_path.iterdir()) == []  # nothing was fetched
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path / "none")))
    assert (known, found.level) == (None, "broken")
    assert "there is no such folder" in found.what
    (tmp_path / "config.json").write_text("{")
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path)))
    assert (known, found.level) == (None, "broken")
    known, (found,) = machine.encoder(replace(settings, encoder="some/model"))
    assert (known, found.level) == (None, "broken")
    assert "pip install 'medgraph[sentence-transformers]'" in found.remedy


# The schema.


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


def test_an_index_that_populates(mended):
    text = "reduce(text = '', word IN range(1, 60) | text + ' ' + word * n)"
    run(mended, f"UNWIND range(1, 20000) AS n CREATE (:Section {{id: toString(n), text: {text}}})")
    run(mended, "DROP INDEX section_text")
    statement = migrate.declared()["section_text"].statement
    mended.write(statement)
    found = only(graph_checks.schema(mended))
    assert (found.id, found.level) == ("index:section_text", "warning")
    assert "is made at this moment" in found.what
    mended.wait_for_indexes()
    assert only(graph_checks.schema(mended)).level == "ok"


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


# Vectors.


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
    run(mended, "MATCH (c:Chunk) REMOVE c.embedding")
    assert only(graph_checks.vectors(mended, KNOWN)).id == "vectors:unembedded-chunks"


def test_vectors_of_another_length(mended, encoder):
    run(mended, SECTION)
    index(mended, encoder, "all")
    run(mended, "MATCH (c:Chunk) SET c.embedding = [1.0, 2.0]")
    found = only(graph_checks.vectors(mended, KNOWN))
    assert (found.id, found.level) == ("vectors:length", "broken")
    assert found.remedy == "medgraph index embeddings --rebuild"
    index(mended, encoder, "embeddings", rebuild=True)
    assert only(graph_checks.vectors(mended, KNOWN)).level == "ok"


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


# Loads.


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


def test_a_load_on_a_remote_server_may_be_anothers(mended, settings, server):
    run(
        mended,
        "CREATE (:Source {id: 'mine'})<-[:FROM]-"
        "(:Load {id: 2, status: 'running', file: 'b', position: 1, rejected: 0, started: datetime()})",
    )
    remote = replace(settings, neo4j_uri=server.bolt_uri)
    with Database(server.bolt_uri, "neo4j", server.password(), agent=server_checks.AGENT) as own:
        found = only(graph_checks.loads(own, remote))
        assert (found.level, "others are connected" in found.what) == ("warning", True)


def test_nothing_is_changed(sample_graph, settings):
    from tests.support.graphs import state_of

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
    assert isinstance(own, Settings)
    assert "a-secret" not in repr(examine(own))
