"""Answering and keeping silent, measured on a small graph."""

import json

import pytest

from medgraph.answers.confidence import INTERCEPT, WEIGHTS
from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation import abstention
from tests.support.answers import answerer_of


def test_unknown_diseases_are_those_that_no_name_or_concept_knows(medquad_graph, ontology, tmp_path):
    assert abstention.unknown_diseases(medquad_graph, ontology) == ["flibbertitis", "wobblitis"]
    for broken in (tmp_path, tmp_path / "nope.obo"):
        with pytest.raises(SourceFileError, match=r"is a folder; give a file|cannot be read: No such file"):
            abstention.unknown_diseases(medquad_graph, broken)
    ontology.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(SourceFileError, match="is no OBO file: the line is not UTF-8"):
        abstention.unknown_diseases(medquad_graph, ontology)


def test_answering_and_keeping_silent_are_measured(medquad_graph, encoder, ontology):
    answerer = answerer_of(medquad_graph, encoder)
    rows = []
    for part in ("dev", "held"):
        questions = abstention.cases(medquad_graph, ontology, part, 20)
        assert sum(not case.relevant for case in questions) >= 15
        rows += abstention.measure(answerer, questions)
    assert {row["answerable"] for row in rows} == {True, False}
    good = [row for row in rows if row["answerable"]]
    assert sum(row["right"] for row in good) / len(good) > 0.8
    assert not any(row["right"] for row in rows if not row["answerable"])
    table = abstention.table(rows)
    assert [row["threshold"] for row in table] == [i / 10 for i in range(1, 10)]
    for name in ("answered", "false answers"):
        assert [row[name] for row in table] == sorted((row[name] for row in table), reverse=True)
    at = next(row for row in table if row["threshold"] == 0.7)
    assert at["answered"] > 0.8
    assert at["false answers"] == 0
    weights = abstention.fit(rows)
    assert weights.keys() == {*WEIGHTS, "intercept"}
    assert weights["about"] > 0
    json.dumps(weights)


def test_an_answer_is_weighed_without_being_given(medquad_graph, encoder):
    answerer = answerer_of(medquad_graph, encoder)
    features, sections = answerer.weigh("What are the symptoms of Zorblattosis?")
    assert features.keys() == WEIGHTS.keys()
    assert {section.rpartition("#")[2] for section in sections} == {"1"}
    assert answerer.weigh("best pizza in town")[0]["about"] == 0


def test_a_table_and_a_fit_of_made_up_rows():
    strong = {"features": dict.fromkeys(WEIGHTS, 1.0), "answerable": True, "right": True}
    weak = {"features": dict.fromkeys(WEIGHTS, 0.0), "answerable": False, "right": False}
    nothing = {"features": {}, "answerable": True, "right": False}
    at = {row["threshold"]: row for row in abstention.table([strong, strong, weak, nothing])}
    assert at[0.7] == {"threshold": 0.7, "answered": pytest.approx(2 / 3), "right": 1.0, "false answers": 0.0}
    weights = abstention.fit([strong, weak] * 20)
    assert all(weights[name] > 0 for name in WEIGHTS)
    assert weights["intercept"] < 0
    assert INTERCEPT < 0
    for rows in ([], [strong], [weak, nothing]):
        with pytest.raises(InputError, match="take a larger --sample"):
            abstention.fit(rows)


def test_without_medquad_there_are_no_cases(sample_graph, tmp_path):
    with pytest.raises(InputError, match="which the graph lacks"):
        abstention.cases(sample_graph, tmp_path / "nope.obo", "dev", 10)
