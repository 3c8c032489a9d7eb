"""Sentences that answers quote, measured by grades."""

from types import SimpleNamespace

import pytest

from medgraph.answers.signs import SENTENCE_FEATURES as FEATURES
from medgraph.errors import InputError
from medgraph.logistic import INTERCEPT
from medgraph_lab.evaluation import quoted
from medgraph_lab.evaluation.sets.meqsum import Message
from tests.support.answers import answerer_of

ASKED = "How is gout treated?"
MESSAGES = [Message("1", "Hello. My father has gout. How is gout treated?", ASKED), Message("2", "Hello.", "pizza?")]


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


def answers(*parts):
    """Give what answers in parts, each of a status, and what it asks, with as many sentences as it says."""
    sentences, given = [], []
    for number, (status, asked, count) in enumerate(parts):
        given.append(
            SimpleNamespace(status=status, asked=asked, sentences=range(len(sentences), len(sentences) + count))
        )
        cited = [SimpleNamespace(section=f"s#{number}", start=place, end=place + 1) for place in range(count)]
        sentences += [SimpleNamespace(citations=[one]) for one in cited]
    return SimpleNamespace(ask=lambda short: SimpleNamespace(parts=given, sentences=sentences))


def test_shares_are_of_what_was_graded_and_of_parts_that_were():
    told = answers(
        ("answered", "How is gout\n  treated?", 4),
        ("answered", "Is it inherited?", 1),
        ("related", "Why?", 2),
        ("related", "Where?", 1),
    )
    grades = {("1", ASKED, "s#0", place, place + 1): grade for place, grade in enumerate((2, 3, 1))}
    grades |= {("1", "Why?", "s#2", 1, 2): 0, ("1", "Where?", "s#3", 0, 1): 2}
    answered, related = quoted.evaluate(told, MESSAGES, grades)
    assert answered == {
        "status": "answered", "parts": 1, "sentences": 4, "answer": pytest.approx(1 / 3),
        "help": pytest.approx(2 / 3), "not belong": 0.0, "first": 1.0, "ungraded": 0.25,
    }  # fmt: skip
    assert related == {
        "status": "related", "parts": 2, "sentences": 1.5, "answer": 0.0, "help": 0.5, "not belong": 0.5,
        "first": 1.0, "ungraded": pytest.approx(1 / 3),
    }  # fmt: skip


@pytest.mark.thorough
def test_weights_are_fitted_to_grades(answerer):
    grades, place = {}, 0
    for part, evidence in answerer.parts_weighed(ASKED):
        for item in evidence:
            for said in item.sentences:
                place += 1
                one = said.candidate
                grades["1", part.asked, item.section.section, one.start, one.end] = 2 * said.told
    weights = quoted.train(answerer, MESSAGES, grades)
    assert tuple(weights) == (*FEATURES, INTERCEPT)
    assert place > 2
    assert weights["told"] > 0.5
    with pytest.raises(InputError, match="examples of both kinds"):
        quoted.train(answerer, MESSAGES, dict.fromkeys(grades, 1))
