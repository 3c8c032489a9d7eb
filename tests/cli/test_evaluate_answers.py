"""The commands that measure answers and what they quote."""

import csv
import json

import pytest

from medgraph.answers import helping, pages
from medgraph.answers.confidence import KINDS
from medgraph.evaluation.coverage import Tried
from tests.support.commands import MADE_WITH

ASKED = "How is gout treated?"
ROWS = [{"kind": "short", "right": 0.25}, {"kind": "long", "right": 0.5}]


def test_figures_of_answers_are_a_table_or_json(evaluate, monkeypatch, tmp_path):
    monkeypatch.setattr("medgraph.evaluation.abstention.cases", lambda *arguments: list(arguments))
    monkeypatch.setattr("medgraph.evaluation.abstention.measure", lambda answerer, cases: [answerer, *cases])
    monkeypatch.setattr("medgraph.evaluation.abstention.table", lambda measured: [{"seen": measured[-1]}])
    ontology = tmp_path / "small.obo"
    plain = evaluate("answers", ontology)
    assert (plain.exit_code, plain.stdout) == (0, "seen\n----\n 300\n")
    assert json.loads(evaluate("answers", ontology, "--sample", 7, "--json").stdout) == {
        "rows": [{"seen": 7}],
        **MADE_WITH,
    }


def test_answers_are_measured_by_grades_and_weights_are_fitted_to_them(evaluate, monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr("medgraph.evaluation.messages.read_all", lambda path: [path.name])
    monkeypatch.setattr("medgraph.evaluation.graded.read_grades", lambda *paths: {"1": {}})
    monkeypatch.setattr("medgraph.evaluation.graded.asked", lambda messages, grades: messages)
    monkeypatch.setattr("medgraph.evaluation.graded.evaluate", lambda *given: ROWS)
    monkeypatch.setattr("medgraph.evaluation.graded.fit", lambda *given: calls.append(given) or "the model")
    monkeypatch.setattr("medgraph.evaluation.abstention.cases", lambda *arguments: ["a case"])
    monkeypatch.setattr("medgraph.answers.confidence.write", lambda *given: calls.append(given))
    table, grades = tmp_path / "meqsum.csv", tmp_path / "grades.tsv"
    table.touch()
    grades.touch()
    assert len(evaluate("graded", table, grades).stdout.splitlines()) == 4
    assert json.loads(evaluate("graded", table, grades, "--json").stdout) == {"rows": ROWS, **MADE_WITH}
    assert calls == []
    tried = {kind: [Tried(0.9, right=True), Tried(0.6, right=False)] for kind in KINDS}
    monkeypatch.setattr("medgraph.evaluation.coverage.tried", lambda *given: tried)
    plotted = evaluate("graded", table, grades, "--plot", tmp_path / "plot.svg", "--json")
    assert {row["which"] for row in json.loads(plotted.stdout)["rows"]} == {"used", "cheapest"}
    assert "threshold used 0.65: 50% answered, 100% right, cost 0.50" in (tmp_path / "plot.svg").read_text()
    assert "ends in neither .svg nor .png" in evaluate("graded", table, grades, "--plot", tmp_path / "plot.gif").stderr
    assert evaluate("graded", table, grades, "--fit", tmp_path / "model.tsv").stdout == ""
    assert calls.pop(0) == ("the answerer", ["meqsum.csv"], {"1": {}}, [])
    assert calls.pop()[:2] == ("the model", tmp_path / "model.tsv")
    assert evaluate("graded", table, grades, "--questions", grades, "--fit", tmp_path / "model.tsv").exit_code == 0
    assert calls.pop(0)[1] == ["meqsum.csv", "grades.tsv"]
    calls.clear()
    assert evaluate("graded", table, grades, "--fit", tmp_path / "model.tsv", "--ontology", grades).exit_code == 0
    assert calls[0][-1] == ["a case"]
    assert "and 1 made from MedQuAD" in calls[1][-1]


@pytest.fixture
def files(medgraph, sample_graph, tmp_path):
    """A table of MeQSum's form with one question, and grades of the sentences of its answer."""
    table, grades = tmp_path / "meqsum.csv", tmp_path / "grades.tsv"
    with table.open("w", newline="") as file:
        rows = [[str(number), "My father has gout. How is it treated?", ASKED] for number in range(1, 9)]
        csv.writer(file).writerows([["file", "question", "summary"], *rows])
    answer = json.loads(medgraph("ask", ASKED, "--json"))
    cited = [sentence["citations"][0] for sentence in answer["sentences"]]
    rows = (f"1\t{ASKED}\t{one['section']}\t{one['start']}\t{one['end']}\t3\n" for one in cited)
    grades.write_text("".join(rows))
    return table, grades


def test_sentences_are_measured_and_weights_written(medgraph, files, tmp_path):
    table, grades = files
    given = ("evaluate", "sentences", str(table), str(grades))
    answered, related = json.loads(medgraph(*given, "--json"))["rows"]
    assert (answered["parts"], answered["help"], related["parts"]) == (1, 1.0, 0)
    assert medgraph(*given).splitlines()[0].split()[:3] == ["status", "parts", "sentences"]
    lines = grades.read_text().splitlines(keepends=True)
    grades.write_text("".join([*lines[:-1], lines[-1].replace("\t3\n", "\t0\n")]))
    weights = tmp_path / "weights.tsv"
    assert medgraph(*given, "--fit", str(weights)) == ""
    names = [line.split("\t")[0] for line in weights.read_text().splitlines() if not line.startswith("#")]
    assert names == [*helping.FEATURES, helping.INTERCEPT]


def test_pages_elsewhere_are_measured_and_weights_written(medgraph, files, tmp_path, monkeypatch):
    table, _ = files
    grades = tmp_path / "pages.tsv"
    grades.write_text("1\tquestion\tx:1\t2\n")
    given = ("evaluate", "pages", str(table), str(grades))
    (row,) = json.loads(medgraph(*given, "--json"))["rows"]
    assert (row["asked"], row["questions"], row["can"], row["shown"]) == ("question", 1, 1.0, 0.0)
    fitted = dict.fromkeys([*pages.FEATURES, helping.INTERCEPT], 1.0)
    monkeypatch.setattr("medgraph.evaluation.pages.fit", lambda *_: fitted)
    assert medgraph(*given, "--fit", str(tmp_path / "weights.tsv")) == ""
    assert "near\t1.000" in (tmp_path / "weights.tsv").read_text()
