"""The commands that measure quality: on small graphs, in JSON and as tables, and what they refuse."""

import json
from contextlib import contextmanager

import pytest

from medgraph.answers.signs import KINDS
from medgraph_lab.evaluation.coverage import TriedAnswer
from tests.support.commands import MADE_WITH
from tests.support.graphs import state_of
from tests.support.mediqa import MESSAGES, write_mediqa
from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


@pytest.mark.parametrize("command", [["retrieval"], ["answers", "small.obo"], ["messages", __file__]], ids=str)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--part", "test"], "'test' is not one of 'dev', 'held'"),
        (["--sample", "few"], "'few' is not a valid integer"),
    ],
)
def test_options_that_cannot_be_used(evaluate, command, options, message):
    done = evaluate(*command, *options)
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in line
    assert line.endswith(f"(see main evaluate {command[0]} --help)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "meqsum"], "--set and --keep go with --data FOLDER"),
        (["--data", "nowhere"], "'nowhere' does not exist"),
        (["--data", "{}", "--set", "meqsum"], "meqsum.csv: is missing, and the set meqsum is made of it"),
        (["--data", "{}", "--set", "trec"], "there is no set 'trec'; known are mediqa"),
    ],
)
def test_sets_that_cannot_be_measured(evaluate, tmp_path, options, message):
    done = evaluate("retrieval", *(option.format(tmp_path) for option in options))
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in line


@pytest.mark.thorough
def test_search_is_measured_on_medquad_and_on_messages(medgraph, medquad_graph, tmp_path):
    given = ("evaluate", "retrieval", "--sample", 1)
    rows = json.loads(medgraph(*given, "--json"))["rows"]
    assert {(row["set"], row["measure"]) for row in rows} == {("medquad", "ndcg@10")}
    (tmp_path / "questions").mkdir()
    (table := tmp_path / "questions" / "meqsum.csv").write_text(MESSAGES)
    told = medgraph(*given, "--data", tmp_path, "--set", "meqsum").splitlines()
    assert told[0].split()[:4] == ["set", "style", "way", "n"]
    assert "learned@10" in told[-1]
    alone = json.loads(medgraph("evaluate", "messages", table, "--sample", 1, "--json"))
    assert [row["value"] for row in alone["rows"] if row["way"] == "learned"]
    assert medgraph("evaluate", "messages", table, "--fit", tmp_path / "salience.tsv") == ""
    assert "weight\tasks" in (tmp_path / "salience.tsv").read_text()


@pytest.mark.thorough
def test_graded_answers_are_searched_and_quoted_in_a_graph_apart(
    medgraph, sample_graph, database, settings, monkeypatch, tmp_path
):
    @contextmanager
    def apart(given, keep):
        assert keep == tmp_path / "kept"
        yield database, settings

    monkeypatch.setattr("medgraph.graph.connect.scratch_graph", apart)
    given = (write_mediqa(tmp_path), "--keep", tmp_path / "kept", "--json")
    rows = json.loads(medgraph("evaluate", "consumer", *given))["rows"]
    assert {row["set"] for row in rows} == {"mediqa"}
    judged = json.loads(medgraph("evaluate", "judged", *given))["rows"]
    assert [row["style"] for row in judged] == ["simple", "message", "all"]


@pytest.mark.thorough
def test_tables_of_people_are_measured(medgraph, sample_graph, tmp_path):
    relations, pairs, useful = (tmp_path / name for name in ("relations.tsv", "pairs.tsv", "useful.tsv"))
    relations.write_text("relation\tscore\tright\nTREATED_BY\t0.97\tyes\n")
    pairs.write_text("part\tkind\tfirst\tfirst_name\tsecond\tsecond_name\twanted\n")
    useful.write_text("first\tsecond\tpath\n")
    assert "TREATED_BY" in medgraph("evaluate", "relations", relations)
    assert [row["pairs"] for row in json.loads(medgraph("evaluate", "paths", pairs, useful, "--json"))["rows"]] == [
        0,
        0,
    ]
    assert f"{pairs}:1: needs the columns" in medgraph("evaluate", "mentions", pairs, fails=True)


@pytest.mark.thorough
def test_answers_are_measured_by_grades_with_a_plot_and_weights_are_fitted(evaluate, monkeypatch, tmp_path):
    table, grades, model = (tmp_path / name for name in ("meqsum.csv", "grades.tsv", "model.tsv"))
    table.write_text(MESSAGES)
    grades.write_text("1.txt\ta#1\t4\n")
    tried = {kind: [TriedAnswer(0.9, right=True), TriedAnswer(0.6, right=False)] for kind in KINDS}
    monkeypatch.setattr("medgraph_lab.evaluation.coverage.tried", lambda *given: tried)
    plotted = evaluate("graded", table, grades, "--plot", tmp_path / "plot.svg", "--json")
    assert {row["which"] for row in json.loads(plotted.stdout)["rows"]} == {"used", "cheapest"}
    assert "threshold used 0.65: 50% answered, 100% right, cost 0.50" in (tmp_path / "plot.svg").read_text()
    assert "ends in neither .svg nor .png" in evaluate("graded", table, grades, "--plot", tmp_path / "plot.gif").stderr
    monkeypatch.setattr("medgraph_lab.evaluation.abstention.cases", lambda *arguments: ["a case"])
    monkeypatch.setattr(
        "medgraph_lab.evaluation.graded.train", lambda *given: {"question answers": {"near": len(given[1])}}
    )
    given = ("graded", table, grades, "--questions", table, "--fit", model, "--ontology", grades)
    assert evaluate(*given).stdout == ""
    assert "from 2 questions and 1 made from MedQuAD" in model.read_text()
    assert "question answers\tnear\t2.0000" in model.read_text()


def test_verification_is_measured_on_faults_and_on_claims_where_they_are_given(evaluate, monkeypatch, tmp_path):
    faults, claims = [{"sentences": "all faults", "both": 1.0}], [{"set": "citint", "way": "rules as shipped"}]
    monkeypatch.setattr("medgraph_lab.evaluation.verification.faults", lambda *given: faults)
    monkeypatch.setattr("medgraph_lab.evaluation.verification.labelled", lambda *given: claims)
    assert json.loads(evaluate("verification", "--json").stdout) == {"rows": faults, **MADE_WITH}
    assert "healthver_dev.csv" in evaluate("verification", "--data", tmp_path).stderr


@pytest.mark.parametrize("arguments", [["retrieval"], ["answers", "nope.obo"]], ids=str)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(medgraph, sample_graph, arguments):
    before = state_of(sample_graph)
    message = "the questions are made from MedQuAD, which the graph lacks"
    assert message in medgraph("evaluate", *arguments, fails=True)
    assert state_of(sample_graph) == before
