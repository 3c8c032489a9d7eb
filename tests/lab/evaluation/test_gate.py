"""The gate asks, searches, reads and links on a real graph, the same each time."""

from dataclasses import replace

import pytest

from medgraph_lab.evaluation import gate_outcomes
from medgraph_lab.evaluation.gate import Gate, Inputs, read_inputs
from medgraph_lab.evaluation.gate_outcomes import AnswerOutcome, EmergencyOutcome, ReadingOutcome
from medgraph_lab.evaluation.gate_sets import GateSelection, grades_of
from medgraph_lab.evaluation.sets.meqsum import Message
from tests.support.emergencies import FOLDER

CORPUS = "1|t|Gout and flu\n1|a|No gout.\n1\t0\t4\tGout\tSpecificDisease\tD006073\n"
GRADES = {"unseen": {"1": {"sample:gout#6": 4, "sample:gout#7": 2}, "2": {"sample:gout#6": 1}}}
MESSAGES = {
    "1": Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    "2": Message("2", "", "best pizza in town"),
}
EMERGENCIES = {"his face is drooping and he can't speak": "stroke", "what is a stroke?": ""}


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS)
    return path


@pytest.mark.thorough
def test_everything_is_asked_and_a_second_run_finds_the_same(sample_graph, settings, encoder, sentence_reader, corpus):
    sentences = {("1", "how it is treated", "sample:gout#6", 0, 10**6): 3}
    inputs = Inputs(GRADES, sentences, MESSAGES, EMERGENCIES)
    chosen = GateSelection({"unseen": ["1", "2"]}, {})
    first, second = (
        Gate(sample_graph, settings, lambda: encoder, lambda: sentence_reader, inputs).run(chosen, corpus)
        for _ in range(2)
    )
    assert [(one.id, one.asked, one.status, one.first) for one in first.asked[:2]] == [
        ("1", "question", "answered", 4),
        ("1", "message", first.asked[1].status, first.asked[1].first),
    ]
    assert first.asked[2] == AnswerOutcome("unseen", "2", "question", False, "not_enough_evidence", None, 0, None)
    assert first.asked[0].ndcg > 0.5
    assert first.read == [ReadingOutcome("1", (0.0,), (True,))]
    assert first.alarms == [EmergencyOutcome(text, kind, told=bool(kind)) for text, kind in EMERGENCIES.items()]
    assert [one.id for one in first.linked] == ["1"]
    assert len(first.asking) == len(first.searching) == 3
    assert replace(first, asking=[], searching=[]) == replace(second, asking=[], searching=[])
    assert not any(row.failed for row in gate_outcomes.rows(second, first))


def test_inputs_are_the_graded_questions_and_60_emergencies_and_60_mentions(data):
    grades = grades_of(FOLDER)
    inputs = read_inputs(data, FOLDER, grades)
    assert {question for given in grades.values() for question in given} <= inputs.messages.keys()
    kinds = list(inputs.emergencies.values())
    assert (sum(map(bool, kinds)), len(kinds)) == (60, 120)
