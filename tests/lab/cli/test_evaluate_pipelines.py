"""`medgraph evaluate pipelines`: ways to answer, measured side by side."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.cli.main import main
from medgraph_lab.evaluation.pipelines import WAYS
from tests.support.written import TREATED, asked_of, put_reply, sentences


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    asked = [
        "How is gout treated?",
        "What is gout?",
        "What are the symptoms of asthma?",
        "How is migraine treated?",
        "What is stroke?",
    ]
    path.write_text("".join(json.dumps({"question": one}) + "\n" for one in asked), encoding="utf-8")
    return path


def evaluated(medgraph, questions, folder, *options, **more):
    return json.loads(medgraph("evaluate", "pipelines", questions, "--out", folder, "--json", *options, **more))


def test_ways_to_answer_are_measured_and_what_is_kept_is_not_asked_again(sample_graph, medgraph, questions, tmp_path):
    ways = ["--way", "extractive", "--way", "joint:graph=alone", "--way", "hyke/hypothesis"]
    told = evaluated(medgraph, questions, tmp_path / "out", *ways, "--sample", 2)
    assert [row["way"] for row in told["rows"]] == ["extractive", "joint:graph=alone", "hyke/hypothesis"]
    assert {row["answers"] for row in told["rows"]} == {2}
    assert all(row["unsupported"] == row["calls"] == 0 for row in told["rows"])
    assert [row["stage"] for row in told["stages"] if row["way"] == "hyke/hypothesis"][:2] == ["hypothesis", "link"]
    kept = (tmp_path / "out" / "answers.jsonl").read_bytes()
    assert evaluated(medgraph, questions, tmp_path / "out", *ways, "--sample", 2) == told
    assert (tmp_path / "out" / "answers.jsonl").read_bytes() == kept


def test_batch_files_answer_in_rounds(sample_graph, here, questions, tmp_path):
    own = replace(here, model="openai:reader", model_reads=())
    command = ["evaluate", "pipelines", str(questions), "--out", str(tmp_path / "out"), "--sample", "1"]
    command += ["--way", "referenced", "--batch", str(tmp_path / "batch"), "--json"]
    first = CliRunner().invoke(main, command, obj=own)
    assert first.exit_code == 3, first.output
    put_reply(tmp_path / "batch", "reader", *TREATED)
    second = CliRunner().invoke(main, command, obj=own)
    assert second.exit_code == 0, second.output
    (row,) = json.loads(second.stdout)["rows"]
    assert (row["answers"], row["calls"], row["ids removed"]) == (1, 1, 0)


def test_a_small_model_is_measured_too(sample_graph, medgraph, here, questions, monkeypatch, tmp_path):
    with asked_of(here, monkeypatch, tmp_path, sentences(*TREATED)) as (_, own):
        told = evaluated(medgraph, questions, tmp_path / "out", "--way", "referenced", "--sample", 1, settings=own)
    (row,) = told["rows"]
    assert row["calls"] == 1
    assert row["tokens read"] > row["tokens written"] > 0


@pytest.mark.parametrize(
    ("line", "way", "said"),
    [
        ("{}", "joint", "questions.jsonl:1: this is no JSON object with a question"),
        ("[1]", "joint", "questions.jsonl:1: this is no JSON object with a question"),
        ('{"question": "What is gout?"}', "magic", "there is no way 'magic' to answer"),
        ('{"question": "What is gout?"}', "extractive/all", "there is no way"),
        ('{"question": "What is gout?"}', "joint/magic", "joint has no stage 'magic'"),
    ],
)
def test_questions_and_ways_that_cannot_be_used_are_said(medgraph, tmp_path, line, way, said):
    path = tmp_path / "questions.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    told = medgraph("evaluate", "pipelines", path, "--out", tmp_path / "out", "--way", way, fails=True)
    assert said in told


def test_all_ways_are_measured_by_default():
    assert ("extractive", "generated", *PIPELINES) == WAYS
