"""The server: each failure is really caused, and named with what mends it."""

import os
import re
import signal
import socket
import time
from dataclasses import replace

import psutil
import pytest

from medgraph.doctor import examine as server_checks
from medgraph.doctor.examine import examine
from medgraph.graph.database import Database
from medgraph.server.embedded import EmbeddedNeo4j
from tests.support.doctor import only
from tests.support.servers import at, free_port


def test_no_server_yet_and_nothing_is_made(settings, tmp_path):
    home = tmp_path / "none"
    own = replace(settings, home=home, bolt_port=free_port(), http_port=free_port())
    database, findings = server_checks.reach(own)
    assert database is None
    assert only(findings).what == "there is no embedded server yet"
    assert only(findings).remedy == "medgraph quickstart"
    examine(own)
    assert not home.exists()


@pytest.mark.thorough
@pytest.mark.server
def test_a_server_that_was_killed_and_one_with_another_password(settings, tmp_path):
    own = at(settings, tmp_path, heap="500m", page_cache="64m")
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


@pytest.mark.parametrize(
    ("found", "level"),
    [
        ("2026.08.1", "ok"),
        ("2026.08.9", "ok"),
        ("2026.09.0", "warning"),
        ("2026.07.1", "warning"),
        ("2026.05.0", "broken"),
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
    # Where one thread collects garbage, Java tells of less heap.
    assert re.match(r"heap (677|700) MB, page cache 300 MB, of the machine's 8\.0 GB", only(memory(0, 8 << 30)).what)
    found = only(memory(2 << 30, 8 << 30), "warning")
    assert found.id == "memory:page-cache"
    assert found.remedy.startswith("set MEDGRAPH_NEO4J_PAGECACHE=2624m, then: medgraph neo4j stop")
    assert only(memory(0, 1100 << 20), "warning").id == "memory"
    assert only(memory(0, 900 << 20), "broken").what.endswith("more than there is")
    for heap in ("650m", "900m"):
        changed = only(memory(0, 8 << 30, replace(settings, heap=heap)), "warning")
        assert changed.what.endswith(f"the settings say {heap} and 300m")
