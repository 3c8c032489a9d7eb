"""Pseudo-queries: a model writes what patients would ask, and judges it, through the command and a real adapter."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.answers.prompting import prompt
from medgraph.cli.main import main
from medgraph.errors import InputError
from medgraph_lab.training.pseudo_queries import ATTEMPTS, FILE, pairs_of, read_accepted
from medgraph_lab.training.questions import read_subjects
from tests.support.graphs import run
from tests.support.scripted import garbage, result, says, status
from tests.support.written import asked_of

TOLD = {
    "graph:OWN:1/symptoms": "Symptoms of gout include joint pain.",
    "graph:OWN:1/treatment": "Treatments for gout include colchicine.",
    "graph:OWN:2/symptoms": "Symptoms of asthma include wheezing.",
}
GOOD = {"patient_style": True, "relevant": True}
WORDS = "My toe hurts so much, is it gout?"


@pytest.fixture
def told(database):
    """A graph with three documents of relations."""
    rows = [
        {"id": name, "title": "Gout" if "OWN:1" in name else "Asthma", "kind": name.rpartition("/")[2], "text": text}
        for name, text in TOLD.items()
    ]
    run(
        database,
        "UNWIND $rows AS row CREATE (:Document {id: row.id, source: 'graph', title: row.title})"
        "-[:HAS_SECTION]->(:Section {id: row.id + '#1', source: 'graph', position: 1, type: row.kind, question: '',"
        " heading: row.kind, text: row.text})"
        "-[:HAS_CHUNK]->(:Chunk {id: row.id + '#1/1', source: 'graph', position: 1, text: row.text})",
        rows=rows,
    )
    return database


@pytest.fixture
def asking(told, here, monkeypatch, tmp_path):
    """Runs the command with a model that follows steps; gives what was printed, what was kept, and the requests."""

    def call(*steps, options=(), code=0):
        with asked_of(here, monkeypatch, tmp_path, *steps) as (server, own):
            command = ["train", "pseudo-queries", str(tmp_path / "kept"), *options]
            done = CliRunner().invoke(main, command, obj=own)
        assert done.exit_code == code, done.output
        return done.output, kept(tmp_path), server.requests

    return call


def kept(folder):
    path = folder / "kept" / FILE
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def judges(body):
    return "response_format" in body


def speaking(verdict=GOOD, text=WORDS):
    """A step that writes, and that judges by what `verdict` says or gives of the message."""

    def step(body):
        said = body["messages"][-1]["content"]
        if judges(body):
            return says(verdict(said) if callable(verdict) else verdict)
        return says(text(said) if callable(text) else text)

    return step


def test_a_query_is_written_for_each_document_and_kept_with_where_it_is_from(asking):
    printed, rows, requests = asking(speaking(text=f'"{WORDS}"\n'))
    assert "3 queries accepted for 3 documents, 3 of them at the first attempt" in printed
    assert {row["document"] for row in rows} == TOLD.keys()
    hashes = [f"{name}@{prompt(name).hash}" for name in ("pseudo_query", "pseudo_query_check")]
    (row,) = [row for row in rows if row["document"].endswith("treatment")]
    assert row == {
        "document": "graph:OWN:1/treatment",
        "section": "graph:OWN:1/treatment#1",
        "query": WORDS,
        "model": "openai:scripted-1",
        "prompts": hashes,
        "attempts": 1,
        "accepted": True,
    }
    said = [body["messages"][-1]["content"] for body in requests]
    assert sum("Gout" in one and "colchicine" in one for one in said) == 2
    assert sum(WORDS in one for one in said) == 3


def test_a_sample_is_always_the_same_and_a_larger_one_has_it(asking):
    _, two, _ = asking(speaking(), options=["--sample", "2"])
    _, three, requests = asking(speaking())
    assert (len(two), three[:2], len(three), len(requests)) == (2, two, 3, 2)


@pytest.mark.parametrize("wrong", ["patient_style", "relevant"])
def test_what_is_no_patients_or_beside_the_document_is_asked_for_again(asking, wrong):
    def text(said):
        return f"Try {said.rpartition('Attempt ')[2]}"

    def verdict(said):
        return GOOD | {wrong: "Try 3." in said}

    printed, (row,), requests = asking(speaking(verdict, text), options=["--sample", "1"])
    assert (row["query"], row["attempts"], row["accepted"]) == ("Try 3.", 3, True)
    assert [judges(body) for body in requests] == [False, True] * 3
    assert "1 queries accepted for 1 documents, 0 of them at the first attempt" in printed


def test_five_attempts_are_all_and_what_was_not_accepted_is_not_learned_from(asking, tmp_path):
    printed, (row,), requests = asking(speaking(GOOD | {"relevant": False}), options=["--sample", "1"])
    assert (row["attempts"], row["accepted"], len(requests)) == (ATTEMPTS, False, 2 * ATTEMPTS)
    assert "1 given up after 5" in printed
    _, _, again = asking(speaking(), options=["--sample", "1"])
    assert again == []
    with pytest.raises(InputError, match=r"pseudo-queries.jsonl has no accepted query; run: medgraph train pseudo"):
        read_accepted(tmp_path / "kept")


def test_batch_files_are_answered_round_by_round(told, here, tmp_path):
    own, batch = replace(here, model="openai:any"), tmp_path / "batch"
    command = ["train", "pseudo-queries", str(tmp_path / "kept"), "--batch", str(batch)]
    verdicts = iter([GOOD, GOOD, GOOD | {"patient_style": False}, GOOD])
    waited = []
    for place in range(9):
        done = CliRunner().invoke(main, command, obj=own)
        if done.exit_code == 0:
            break
        assert done.exit_code == 3, done.output
        lines = [json.loads(line) for line in (batch / "requests.jsonl").read_text().splitlines()]
        waited.append(len(lines))
        texts = [next(verdicts) if judges(one["body"]) else f"{WORDS} {place}" for one in lines]
        replies = [result(one, says(text, model="any")) for one, text in zip(lines, texts, strict=True)]
        (batch / f"replies{place}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in replies))
    assert waited == [3, 3, 1, 1]
    rows = kept(tmp_path)
    assert sorted(row["attempts"] for row in rows) == [1, 1, 2]
    assert all(row["accepted"] for row in rows)


def test_an_interrupted_run_goes_on_where_it_stopped(asking, tmp_path):
    done = []

    def dies(body):
        done.append(1)
        return speaking()(body) if len(done) <= 3 else status(401)

    printed, (first,), _ = asking(dies, code=1)
    assert printed.splitlines()[-1].startswith("Error: ")
    _, rows, requests = asking(speaking())
    assert (rows[0], len(rows), len(requests)) == (first, 3, 4)


def test_a_reply_of_no_use_holds_up_no_other_document(asking):
    def step(body):
        return garbage() if "colchicine" in body["messages"][-1]["content"] else speaking()(body)

    printed, rows, _ = asking(step)
    assert len(rows) == 2
    assert "1 failed" in printed
    assert "graph:OWN:1/treatment: " in printed


def test_another_model_writes_its_own_and_the_last_counts(asking, here, monkeypatch, tmp_path):
    _, old, _ = asking(speaking(), options=["--sample", "1"])
    path = tmp_path / "kept" / FILE
    path.write_text(json.dumps(old[0] | {"model": "openai:other", "query": "Older."}) + "\n", encoding="utf-8")
    _, rows, requests = asking(speaking(), options=["--sample", "1"])
    assert (len(rows), len(requests)) == (2, 2)
    assert [one.query for one in read_accepted(tmp_path / "kept")] == [WORDS]


@pytest.mark.parametrize("line", ['{"document": "graph:OWN', "{}", "[1]", '{"document": 1}'])
def test_a_damaged_line_is_named(asking, tmp_path, line):
    _, rows, _ = asking(speaking(), options=["--sample", "1"])
    (tmp_path / "kept" / FILE).write_text(json.dumps(rows[0]) + f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{FILE}:2: this is no query .*; take the line out"):
        read_accepted(tmp_path / "kept")


def test_without_documents_what_to_run_is_said(database, here, monkeypatch, tmp_path):
    with asked_of(here, monkeypatch, tmp_path, speaking()) as (server, own):
        done = CliRunner().invoke(main, ["train", "pseudo-queries", str(tmp_path / "kept")], obj=own)
    assert (done.exit_code, server.requests) == (1, [])
    assert "run: medgraph index subgraphs" in done.output


def test_accepted_queries_are_paired_with_what_answers(asking, told, tmp_path):
    asking(speaking())
    run(told, "MATCH (d:Document {id: 'graph:OWN:2/symptoms'}) DETACH DELETE d")
    pairs = pairs_of(read_accepted(tmp_path / "kept"), told, read_subjects(told))
    assert len(pairs) == 2
    assert all(query == WORDS and passage.startswith("Gout") for query, passage in pairs)
    assert {passage.splitlines()[-1] for _, passage in pairs} == {*list(TOLD.values())[:2]}
