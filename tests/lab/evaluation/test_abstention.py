"""Answering and keeping silent, measured on a small graph."""

import pytest

from medgraph.errors import InputError
from medgraph_lab.evaluation import abstention
from tests.support.answers import answerer_of

pytestmark = pytest.mark.thorough


def test_answering_and_keeping_silent_are_measured(medquad_graph, encoder, ontology):
    answerer = answerer_of(medquad_graph, encoder)
    questions = [one for part in ("dev", "held") for one in abstention.cases(medquad_graph, ontology, part, 20)]
    assert sum(not case.relevant for case in questions) >= 30
    table = abstention.measure(answerer, questions)
    assert [row["threshold"] for row in table] == [i / 10 for i in range(1, 10)]
    for name in ("answered", "false answers"):
        assert [row[name] for row in table] == sorted((row[name] for row in table), reverse=True)
    at = next(row for row in table if row["threshold"] == 0.5)
    assert min(at["answered"], at["right"]) > 0.8
    assert at["false answers"] == 0


def test_without_medquad_there_are_no_cases(sample_graph, tmp_path):
    with pytest.raises(InputError, match="which the graph lacks"):
        abstention.cases(sample_graph, tmp_path / "nope.obo", "dev", 10)
