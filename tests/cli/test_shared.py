"""The schema before a command: the embedded server's graph is given what it lacks, another server's is not."""

import json
import subprocess
import sys
import threading
import urllib.request
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.cli.shared import loading
from medgraph.errors import EncoderError
from medgraph.schema import migrate
from tests.support.graphs import run
from tests.support.paths import FILES
from tests.support.points import few
from tests.support.schemas import ENCODER

CORPUS = FILES / "documents" / "corpus.jsonl"
ALL = migrate.migrations()
APPLIED = f"the graph lacks the schema {', '.join(f'V{m.version:03d}' for m in ALL)}; it is applied now"


@pytest.fixture
def embedded(settings, encoder, monkeypatch):
    """Runs a command on the embedded server, and gives its lines on stdout and those on stderr."""
    loaded = []

    def load(*_):
        loaded.append(encoder)
        return encoder

    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", load)

    def call(*arguments, settings=settings):
        result = CliRunner().invoke(main, list(map(str, arguments)), obj=settings)
        assert result.exit_code == 0, result.output
        return result.stdout, result.stderr.splitlines()

    call.loaded = loaded
    return call


def whole(database):
    migrate.check(database, *ENCODER)
    states = run(database, "SHOW INDEXES YIELD name, state RETURN name, state")
    assert migrate.index_names() <= {row["name"] for row in states}
    assert {row["state"] for row in states} == {"ONLINE"}


def test_load_index_search_and_ask_on_a_new_graph(bare, embedded):
    assert embedded("load", "documents", CORPUS)[1] == [APPLIED]
    assert embedded.loaded == []  # which takes seconds
    whole(bare)
    made, lines = embedded("index")
    assert made.startswith("4 chunks made; 4 chunks, 1 question and 4 sentences embedded")
    assert lines == []
    hits, lines = embedded("search", "wheeze at night", "--json")
    assert json.loads(hits)["results"][0]["section"] == "asthma#2"
    assert lines == []
    answer, lines = embedded("ask", "What is asthma?", "--json")
    assert json.loads(answer)["status"] == "answered"
    assert lines == []


FIRST = [["ask", "gout"], ["index"], ["load", "all", FILES / "documents", "--dry-run"], ["diff", "documents", CORPUS]]


@pytest.mark.parametrize(
    "arguments",
    few(FIRST, 4),
    ids=lambda arguments: arguments[0],
)
def test_whatever_comes_first_applies_it(bare, embedded, arguments):
    _, lines = embedded(*arguments)
    assert lines.count(APPLIED) == 1
    whole(bare)


@pytest.mark.thorough
def test_commands_at_once_apply_it_once(bare, environment):
    calls = [["load", "documents", str(CORPUS)], ["search", "gout", "--mode", "lexical"], ["diff", "sample"]]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "medgraph", *call],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for call in calls
    ]
    ended = [process.communicate(timeout=180) for process in running]
    assert [process.returncode for process in running] == [0] * len(calls), ended
    assert "".join(lines for _, lines in ended).count(APPLIED) == 1
    whole(bare)
    assert run(bare, "MATCH (m:Migration) RETURN count(m) AS n") == [{"n": len(ALL)}]


def test_a_graph_of_a_newer_version_is_left_alone(database, settings):
    run(database, "CREATE (:Migration {version: 999, name: 'x', checksum: 'x', applied: datetime()})")
    try:
        result = CliRunner().invoke(main, ["load", "sample"], obj=settings)
        assert result.exit_code == 1
        assert "the graph has the schema V999 of a newer medgraph; upgrade this one" in result.stderr
    finally:
        run(database, "MATCH (m:Migration {version: 999}) DELETE m")


def test_another_server_is_left_alone_and_told_what_to_run(bare, medgraph):
    for arguments in (["load", "sample"], ["index"], ["search", "gout"], ["ask", "gout"], ["diff", "sample"]):
        message = medgraph(*arguments, fails=True)
        assert message == "the graph lacks the schema V001 constraints; run: medgraph schema apply"
    assert run(bare, "SHOW CONSTRAINTS YIELD name RETURN name") == []


@pytest.mark.thorough
@pytest.mark.parametrize("ours", [True, False])
def test_serve_applies_it_to_the_embedded_server_alone(bare, environment, server, ours):
    elsewhere = {} if ours else {"NEO4J_URI": server.bolt_uri, "NEO4J_PASSWORD": server.password()}
    service = subprocess.Popen(
        [sys.executable, "-m", "medgraph", "serve", "--port", "0"],
        env=environment | elsewhere,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        lines = []
        for line in service.stderr:
            lines.append(line.strip())
            if "http://127.0.0.1:" in line:
                break
        address = next(word for word in lines[-1].split() if word.startswith("http://")).rstrip("/;,.")
        with urllib.request.urlopen(f"{address}/healthz", timeout=30) as response:
            assert response.status == 200
    finally:
        service.terminate()
        service.communicate(timeout=60)
    assert (APPLIED in lines) == ours
    if ours:
        whole(bare)
    else:
        assert run(bare, "SHOW CONSTRAINTS YIELD name RETURN name") == []


def test_ask_loads_models_beside_the_connection(settings, monkeypatch):
    threads = []
    monkeypatch.setattr(
        "medgraph.embeddings.encoders.encoder.load_emergencies", lambda *_: threads.append(threading.current_thread())
    )
    away = replace(settings, neo4j_uri="bolt://127.0.0.1:1")
    result = CliRunner().invoke(main, ["ask", "What is asthma?"], obj=away)
    assert (result.exit_code, "no answer from the database" in result.output) == (1, True)
    assert threads
    assert threading.main_thread() not in threads


def test_what_cannot_be_loaded_is_told_where_it_is_needed(settings, tmp_path):
    with loading(replace(settings, encoder=str(tmp_path / "none")), "What is asthma?", "load_encoder") as loads:
        assert loads.keys() == {"load_encoder"}
        for _ in range(2):
            with pytest.raises(EncoderError, match="there is no such folder"):
                loads["load_encoder"]()
