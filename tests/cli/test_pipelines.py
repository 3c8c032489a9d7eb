"""`medgraph pipelines`, `ask --pipeline` and `evaluate pipelines`: what people see of the papers' pipelines."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.cli.main import main
from medgraph_lab.evaluation.pipelines import WAYS
from tests.support.joined import joined
from tests.support.written import TREATED, asked_of, put_reply, sentences

ASKED = "How is gout treated?"


def test_pipelines_are_listed_with_papers_stages_and_defaults(medgraph):
    listed = medgraph("pipelines")
    assert all(name in listed for name in PIPELINES)
    shown = medgraph("pipelines", "hyke")
    assert "HyKGE" in shown
    assert "hypothesis_tokens      300  yes" in shown
    told = json.loads(medgraph("pipelines", "--json"))["pipelines"]
    assert [one["name"] for one in told] == list(PIPELINES)
    assert medgraph("pipelines", "magic", fails=True).startswith("there is no pipeline 'magic'; there are joint")


def test_a_pipeline_explains_how_it_came_to_its_answer(sample_graph, medgraph):
    printed = medgraph("ask", ASKED, "--pipeline", "joint", "--without", "joint", "--set", "contexts=2", "--explain")
    assert "Pipeline joint" in printed
    assert "joint (left out)" in printed
    assert "no language model is set" in " ".join(printed.split())
    assert "Candidate 2 from" in printed
    told = json.loads(medgraph("ask", ASKED, "--pipeline", "referenced", "--json"))["pipeline"]
    assert [stage["name"] for stage in told["stages"]] == ["search", "answer"]


def test_consult_answers_from_subgraphs_alone_and_says_where_none_is_related(medgraph, graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    medgraph("index", "subgraphs")
    told = json.loads(medgraph("ask", "What are the symptoms of gout?", "--pipeline", "consult", "--json"))
    found = {one["section"] for one in told["evidence"] if "section" in one}
    assert found
    assert all(name.startswith("graph:") for name in found)
    assert "the encoder's order stands" in told["pipeline"]["stages"][1]["note"]
    none = json.loads(medgraph("ask", "Where do hamsters get insurance?", "--pipeline", "consult", "--json"))
    assert none["sentences"] == []
    strict = ["--pipeline", "consult", "--set", "threshold=1", "--json"]
    none = json.loads(medgraph("ask", "What are the symptoms of gout?", *strict))["pipeline"]["stages"][2]
    assert none["note"] == "none of these: no subgraph is likely enough to answer"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--without", "paths"], "name one with --pipeline"),
        (["--explain"], "name one with --pipeline"),
        (["--pipeline", "hyke", "--composer", "graph"], "leave --composer or --pipeline out"),
        (["--pipeline", "hyke", "--set", "hops=9"], "hops is '9'; set it to a whole number from 1 to 3"),
        (["--pipeline", "hyke", "--without", "answer"], "gives no answer without 'answer'"),
    ],
)
def test_what_does_not_go_together_is_said(here, options, said):
    done = CliRunner().invoke(main, ["ask", ASKED, *options], obj=here)
    assert done.exit_code in {1, 2}
    assert said in " ".join(done.output.split())


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    asked = [ASKED, "What is gout?", "What are the symptoms of asthma?", "How is migraine treated?", "What is stroke?"]
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
