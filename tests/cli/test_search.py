"""`medgraph search`, `query`, `quickstart` and `schema`."""

import json
import re
import subprocess
import sys

import pytest

from medgraph.graph import catalogue
from medgraph.logistic import Calibration
from tests.support.graphs import state_of
from tests.support.paths import FILES
from tests.support.rerankers import WordReader


def test_search_as_text_and_as_json(medgraph, sample_graph):
    data = json.loads(medgraph("search", "How is gout treated?", "--top-k", 3, "--json"))
    assert data.keys() == {"results", "understood", "within", "none_of_these", "remark", "timing_ms"}
    assert data["remark"] == ""
    german = json.loads(medgraph("search", "Was sind die Symptome von Gicht?", "--json"))
    assert german["remark"].startswith("This seems to be written in German")
    assert data["none_of_these"] is False
    assert data["results"][0]["probability"] == max(hit["probability"] for hit in data["results"]) > 0.5
    assert data["understood"] == []
    assert len(data["results"]) == 3
    assert {"section", "document", "title", "url", "source", "type", "text", "score", "scores"} <= data["results"][
        0
    ].keys()
    assert data["results"][0]["section"] == "sample:gout#6"
    text = medgraph("search", "How is gout treated?", "--top-k", 3)
    assert text.startswith("1. Gout  [treatment]  ")
    assert "sample:gout#6" in text
    assert re.search(r"\(asked [01]\.\d{3}, lexical [0-9.]+, semantic 0\.\d{3}; probability 0\.\d\d\)", text)
    assert "because of" not in text
    explained = medgraph("search", "How is gout treated?", "--top-k", 3, "--explain")
    assert explained.count("because of ") == 3
    assert "about it +" in explained


def test_facts_and_paths_come_with_the_sections_where_they_are_wanted(medgraph, sample_graph):
    data = json.loads(medgraph("search", "How is gout treated?", "--top-k", 1, "--evidence", "--json"))
    assert [one["name"].lower() for one in data["concepts"]] == ["gout"]
    assert {fact["head_name"].lower() for fact in data["facts"]} == {"gout"}
    assert data["paths"] == []
    text = medgraph("search", "How is gout treated?", "--top-k", 1, "--evidence")
    assert "Asked about: " in text
    assert data["facts"][0]["relation"] in text
    assert "Asked about: nothing that is known" in medgraph("search", "zorblat quux", "--evidence")


@pytest.mark.parametrize(("threshold", "none"), [(0.8, False), (0.9, True)])
def test_where_the_best_is_too_unlikely_none_of_these_is_said(
    medgraph, sample_graph, encoder, monkeypatch, threshold, none
):
    reading = WordReader(encoder, "urate", Calibration(1.0, 0.0, threshold))
    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", lambda *_: reading)
    asked = ("search", "How is gout treated?", "--top-k", 12)
    data = json.loads(medgraph(*asked, "--json"))
    assert data["none_of_these"] is none
    told = [(hit["probability"] and round(hit["probability"], 2), hit["accepted"]) for hit in data["results"]]
    assert set(told[:10]) == {(0.88, not none), (0.12, False)}
    assert told[10:] == [(None, None)] * 2
    text = medgraph(*asked)
    note = "None of these seems to answer: the likeliest does with a probability of 0.88.\n\n1. Gout"
    assert text.startswith(note if none else "1. Gout")
    assert text.count("; probability 0.88") == len([one for one, _ in told if one and one > 0.5])
    assert ("; probability 0.88, too low)" in text) is none
    assert "; probability 0.12, too low)" in text


def test_topics_and_run(medgraph, sample_graph, tmp_path):
    topics, path = tmp_path / "topics.tsv", tmp_path / "out.run"
    topics.write_text("1\tWhat is gout?\n2\tsymptoms of asthma/(\n")
    assert medgraph("search", "--topics", topics, "--run", path, "--top-k", 5, "--mode", "hybrid") == ""
    lines = path.read_text().splitlines()
    assert len(lines) == 10
    assert all(re.fullmatch(r"[12] Q0 sample:\S+#\d [1-5] \d\.\d{6} medgraph", line) for line in lines)
    topics.write_text("1\tWhat is gout?\nbroken\n")
    message = f"{topics}:2: write the line as id<TAB>question, the id without blanks"
    assert medgraph("search", "--topics", topics, "--run", path, fails=True) == message
    assert path.read_text().splitlines() == lines
    nowhere = tmp_path / "no" / "out.run"
    topics.write_text("1\tWhat is gout?\n")
    assert "cannot be written" in medgraph("search", "--topics", topics, "--run", nowhere, fails=True)


def test_a_message_says_what_it_was_taken_to_ask(medgraph, sample_graph):
    message = "I am 60 and my toe is red. How is gout treated?"
    (understood,) = json.loads(medgraph("search", message, "--json"))["understood"]
    assert understood == {"text": "How is gout treated?", "names": ["Gout"], "types": ["treatment"]}
    assert json.loads(medgraph("search", message, "--json", "--as-typed"))["understood"] == []


def test_queries_are_listed_and_run(medgraph, sample_graph):
    listed = json.loads(medgraph("query", "--json"))["rows"]
    saved = {q.name for q in catalogue.queries().values() if q.folder == "explore"}
    assert {row["name"] for row in listed} == saved | {"disease_subgraph", "paths"}
    rows = json.loads(medgraph("query", "counts", "--json"))["rows"]
    assert {"kind": "node", "name": "Document", "count": 60} in rows
    assert re.search(r"^node +Section +480$", medgraph("query", "counts"), re.MULTILINE)
    card = json.loads(medgraph("query", "disease_card", "-p", "name=Gout", "--json"))["rows"]
    assert {row["relation"] for row in card} >= {"HAS_RISK_FACTOR", "IS_A"}
    assert medgraph("query", "disease_card", "--param", "name=Nope") == "Nothing was found.\n"
    (row, *_) = json.loads(medgraph("query", "is_a_tree", "--json"))["rows"]
    assert [step if isinstance(step, str) else step["name"] for step in row["path"]][1] == "IS_A"
    given = ("-p", "name=type 2 diabetes")
    assert "\nType 2 diabetes \u2013 IS_A → diabetes mellitus\n" in medgraph("query", "kinds_above", *given)
    given = ("-p", "name=diabetes mellitus")
    assert "\ndiabetes mellitus ← IS_A \u2013 Type 2 diabetes\n" in medgraph("query", "is_a_tree", *given)
    assert medgraph("query", "cited_section").split()[:2] == ["cited", "about"]


def test_a_pipe_that_is_closed_is_no_error(environment, sample_graph):
    command = f"{sys.executable} -m medgraph query is_a_tree --json | head -1"
    done = subprocess.run(command, env=environment, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_quickstart_again_answers_at_once(medgraph, sample_graph, tmp_path, monkeypatch):
    before = state_of(sample_graph)
    data = json.loads(medgraph("quickstart", "--json"))
    assert data["status"] == "answered"
    text = medgraph("quickstart")
    assert re.search(r"\nType 2 diabetes \(sample[,)].*\n    \[1\] symptoms, section sample:type-2-diabetes#", text)
    assert re.search(r'Try next:\n  (\S.*)?medgraph ask "', text)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [".venv/bin/medgraph", "quickstart"])
    assert 'Try next:\n  .venv/bin/medgraph ask "' in medgraph("quickstart")
    assert state_of(sample_graph) == before


def test_the_schema(medgraph, sample_graph):
    data = json.loads(medgraph("schema", "status", "--json"))
    assert all(row["applied"] for row in data["migrations"])
    assert {row["state"] for row in data["indexes"]} == {"ONLINE"}
    assert "V003" in medgraph("schema", "status") or "vector_indexes" in medgraph("schema", "status")
    assert medgraph("schema", "apply").startswith("0 applied; the schema is complete")


def test_a_trial_of_pubmed_is_found_by_its_kind_of_study_and_cited_with_it(medgraph, database):
    medgraph("load", "pubmed", FILES / "pubmed" / "pubmed26n0001.xml")
    medgraph("index")
    (found,) = json.loads(medgraph("search", "salbutamol in asthma", "--study", "rct", "--top-k", 1, "--json"))[
        "results"
    ]
    assert (found["document"], found["study"]) == ("PMID:101", "randomised trial")
    question = "Does salbutamol help in acute asthma?"
    asked = json.loads(medgraph("ask", question, "--study", "randomised trial", "--json"))
    shown = [one["study"] for s in asked["sentences"] for one in s["citations"]] + [
        one["study"] for one in asked["evidence"]
    ]
    assert set(shown) == {"randomised trial"}
    assert ", randomised trial)" in medgraph("ask", question)
    assert "there is no kind of study 'cure'" in medgraph("search", "asthma", "--study", "cure", fails=True)


def test_words_that_no_result_has_are_told(medgraph, sample_graph):
    found = json.loads(medgraph("search", "qwertz zorblat", "--json"))
    assert found["results"]
    assert "no result has a word of this" in found["remark"]
    for asked in (("gout",), ("qwertz gout",), ("qwertz", "--mode", "semantic")):
        assert json.loads(medgraph("search", *asked, "--json"))["remark"] == ""
