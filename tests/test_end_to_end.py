"""The main job as its user does it: one command brings everything up, then questions, searches, loads and unloads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.graph import catalogue

pytestmark = pytest.mark.slow


def rows_of(database, text, **parameters):
    return database.run(catalogue.Query("test", "", {}, (), text, Path("test.cypher")), **parameters)


def medgraph(environment, *arguments, status=0):
    done = subprocess.run(
        [sys.executable, "-m", "medgraph", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout if status == 0 else done.stderr


@pytest.fixture
def here_at_once(here):
    """Runs a command in this process, where the encoder is loaded already."""

    def call(*arguments):
        done = CliRunner().invoke(main, arguments, obj=here)
        assert done.exit_code == 0, done.output
        return done.stdout

    return call


def test_main_job(environment, database, here_at_once, tmp_path):
    first = medgraph(environment, "quickstart")
    assert "[1]" in first
    assert "sample:type-2-diabetes#" in first
    assert first.count("not medical advice") == 1

    answer = json.loads(here_at_once("ask", "How is gout treated?", "--json"))
    assert answer["status"] == "answered"
    assert 1 <= len(answer["sentences"]) <= 6
    for sentence in answer["sentences"]:
        (citation,) = sentence["citations"]
        (row,) = rows_of(database, "MATCH (s:Section {id: $id}) RETURN s.text AS text", id=citation["section"])
        assert row["text"][citation["start"] : citation["end"]] == citation["quote"]
        assert sentence["text"] == " ".join(citation["quote"].split())
        assert sentence["verdict"] == "supported"
        assert rows_of(database, citation["cypher"])

    silent = json.loads(here_at_once("ask", "Who won the football world cup in 2010?", "--json"))
    assert silent["status"] == "not_enough_evidence"
    assert silent["sentences"] == []

    for mode in ("lexical", "semantic", "hybrid", "learned"):
        found = json.loads(
            here_at_once("search", "What are the symptoms of asthma?", "--mode", mode, "--top-k", "3", "--json")
        )
        assert found["results"][0]["section"] == "sample:asthma#2", mode

    topics, lines = tmp_path / "topics.tsv", tmp_path / "run.txt"
    topics.write_text("q1\tHow is gout treated?\nq2\tIs ((asthma/ [curable]!?\n", encoding="utf-8")
    here_at_once("search", "--topics", str(topics), "--run", str(lines), "--top-k", "5")
    rows = [line.split(" ") for line in lines.read_text(encoding="utf-8").splitlines()]
    assert {row[0] for row in rows} == {"q1", "q2"}
    assert all(len(row) == 6 and row[1] == "Q0" and row[5] == "medgraph" for row in rows)
    assert [int(row[3]) for row in rows if row[0] == "q1"] == list(range(1, 6))
    assert len({row[2] for row in rows if row[0] == "q1"}) == 5

    own = tmp_path / "own.jsonl"
    own.write_text(
        '{"id": "d1", "title": "Blue knee", "url": "https://example.org/1", "published": "2025-03-01", "sections": '
        '[{"id": "d1#s", "type": "symptoms", "text": "Blue knee shows as a knee that turns blue in the morning."}]}\n'
        "not json\n",
        encoding="utf-8",
    )
    before = here_at_once("query", "counts", "--json")
    message = medgraph(environment, "load", "documents", str(own), "--as", "mine", status=1)
    assert "1 of 2 records rejected" in message
    assert "Traceback" not in message
    here_at_once("index")
    found = json.loads(here_at_once("search", "blue knee", "--source", "mine", "--json"))
    assert [hit["section"] for hit in found["results"]] == ["d1#s"]
    late = json.loads(here_at_once("search", "blue knee", "--since", "2025-04", "--json"))
    assert late["results"] == []
    here_at_once("unload", "mine")
    assert here_at_once("query", "counts", "--json") == before
    assert "nothing changed" in here_at_once("load", "sample")


def test_errors_are_one_line_with_a_remedy(environment, here, database):
    lines = medgraph(environment, "ask", "?!", status=1).splitlines()
    assert [line for line in lines if line.startswith("Error: ")] == lines[-1:]
    assert "no word in it" in lines[-1]
    for arguments, part in (
        (("search", "asthma", "--mode", "nope"), "known are lexical"),
        (("search", "asthma", "--source", "nope"), "no source 'nope'"),
        (("search", "asthma", "--type", "nope"), "no section type 'nope'"),
        (("load", "nope", "x"), "known are disease-pages"),
    ):
        done = CliRunner().invoke(main, arguments, obj=here)
        assert (done.exit_code, done.stderr.count("Error: ")) == (1, 1)
        assert part in done.stderr.splitlines()[-1]
