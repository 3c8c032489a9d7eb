"""The command that measures what sentences answers quote."""

import csv
import json

import pytest

from medgraph.answers import helping

ASKED = "How is gout treated?"


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
