"""Answers to real questions, measured by grades."""

import pytest

from medgraph.answers.signs import FEATURES, KINDS, LEVELS
from medgraph.errors import InputError
from medgraph.logistic import INTERCEPT
from medgraph_lab.evaluation import graded
from medgraph_lab.evaluation.abstention import Case
from medgraph_lab.evaluation.sets.meqsum import Message
from tests.support.answers import answerer_of

MESSAGES = [
    Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    Message("2", "Hello. My toe hurts. Where is the nearest museum?", "best pizza in town"),
]
OF_GOUT = {"sample:gout#6": 4, "sample:gout#7": 2, "sample:gout#3": 1, "sample:gout#8": 1}
GRADES = {"1": OF_GOUT, "2": {"sample:gout#6": 1}}


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


def test_what_is_quoted_is_compared_with_the_grades(answerer):
    question, message = graded.evaluate(answerer, MESSAGES, GRADES)
    assert (question["asked"], message["asked"]) == KINDS
    assert {name: question[name] for name in ("questions", "answerable", "answered", "right", "helpful")} == {
        "questions": 2, "answerable": 0.5, "answered": 0.5, "right": 1.0, "helpful": 1.0
    }  # fmt: skip
    assert (question["near"], question["ungraded"], question["false"]) == (1.0, 0.0, 0.0)


def test_an_answer_that_no_grade_speaks_for_is_not_right(answerer):
    elsewhere = {"1": {"sample:asthma#2": 4}}
    (question, _) = graded.evaluate(answerer, MESSAGES[:1], elsewhere)
    assert (question["right"], question["ungraded"], question["helpful"]) == (0.0, 1.0, 0.0)
    (question, _) = graded.evaluate(answerer, MESSAGES[:1], {"1": {"sample:gout#6": 1}})
    assert (question["answerable"], question["false"], question["ungraded"]) == (0.0, 1.0, 0.0)


@pytest.mark.thorough
def test_weights_are_fitted_to_grades(answerer):
    made = [Case("What are the symptoms of asthma?", frozenset({"sample:asthma#2"})), Case("best pizza", frozenset())]
    model = graded.fit(answerer, MESSAGES, GRADES, made)
    assert model.keys() == {f"{kind} {level}" for kind in KINDS for level in LEVELS}
    for kind in KINDS:
        weights = model[f"{kind} answers"]
        assert set(weights) == {*FEATURES, INTERCEPT}
        assert weights["sentence"] > 0
    alone = graded.fit(answerer, MESSAGES, GRADES, [])
    assert alone["message answers"] == model["message answers"]
    assert alone["question answers"] != model["question answers"]
    with pytest.raises(InputError, match="give more grades"):
        graded.fit(answerer, MESSAGES[1:], GRADES, [])
