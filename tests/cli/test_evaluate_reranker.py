"""The command that measures a reranker's probabilities."""

import csv
import json

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.training.encoder import base_of
from tests.support.commands import MADE_WITH
from tests.support.rerankers import calibrate, write_reranker


@pytest.fixture
def given(sample_graph, settings, tmp_path, monkeypatch):
    """A reranker, a table of MeQSum's form with one question that has grades, and these."""
    table, grades = tmp_path / "meqsum.csv", tmp_path / "grades.tsv"
    with table.open("w", newline="") as file:
        rows = [[str(number), "My father has gout. How is it treated?", "gout treatment"] for number in range(1, 9)]
        csv.writer(file).writerows([["file", "question", "summary"], *rows])
    grades.write_text("".join(f"1\tsample:gout#{section}\t{section - 3}\n" for section in (5, 6, 7)))
    folder = write_reranker(tmp_path / "made", base_of(settings), slope=2, intercept=-2, threshold=0.6)
    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", load_encoder)
    return ["evaluate", "reranker", folder, "--messages", table, "--grades", grades]


def test_the_curve_is_printed_and_plotted(medgraph, given, tmp_path):
    text = medgraph(*given, "--plot", tmp_path / "curve.svg")
    assert 'threshold of "none of these": 0.600' in text
    assert text.splitlines()[0].split()[:4] == ["asked", "questions", "passages", "unjudged"]
    assert "predicted  observed  count" in text
    assert "what is said is so" in (tmp_path / "curve.svg").read_text()
    data = json.loads(medgraph(*given, "--json"))
    assert data.keys() == {"threshold", "rows", "curve", *MADE_WITH}
    assert [row["asked"] for row in data["rows"]] == ["question", "message"]
    for row in data["rows"]:
        assert 0 <= row["ece"] <= 1
        assert {"brier", "ece before", "accuracy", "accepting all", "answering"} <= row.keys()
        assert row["passages"] == sum(part["count"] for part in data["curve"] if part["asked"] == row["asked"])


def test_what_cannot_be_measured_is_said(medgraph, given, tmp_path):
    command, folder = given[:3], given[2]
    assert "give questions: --messages FILE --grades FILE" in medgraph(*command, fails=True)
    assert "give questions" in medgraph(*given[:5], fails=True)
    assert "neither .svg nor .png" in medgraph(*given, "--plot", tmp_path / "curve.gif", fails=True)
    given[6].write_text("another\tsample:gout#6\t4\n")
    assert "the grades are of none of these messages" in medgraph(*given, fails=True)
    given[6].write_text("1\tsample:gone#6\t4\n")
    assert "no section that was read has a grade" in medgraph(*given, fails=True)
    calibrate(folder, {"slope": "steep"})
    assert "its 'calibration' is damaged" in medgraph(*given, fails=True)
    calibrate(folder, None)
    assert "has no calibration; train it again" in medgraph(*given, fails=True)
