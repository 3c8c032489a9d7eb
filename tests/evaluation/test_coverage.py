"""Accuracy against coverage at every threshold, and what that costs."""

import pytest

from medgraph.answers.confidence import ANSWERS, KINDS
from medgraph.evaluation import coverage
from medgraph.evaluation.coverage import TriedAnswer, at, curve, lines_of, table
from medgraph.evaluation.sets.meqsum import Message
from tests.support.answers import answerer_of

MESSAGES = [
    Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    Message("2", "Hello. My toe hurts. Where is the nearest museum?", "best pizza in town"),
]
GRADES = {"1": {"sample:gout#6": 4, "sample:gout#7": 2}, "2": {"sample:gout#6": 1}}
SOME = [
    TriedAnswer(0.9, True),
    TriedAnswer(0.7, True),
    TriedAnswer(0.6, False),
    TriedAnswer(0.4, False),
    TriedAnswer(0.0, False),
]


def test_a_wrong_answer_costs_three_silences():
    found = at(SOME, 0.5)
    assert (found.answered, found.right, found.cost) == (0.6, pytest.approx(2 / 3), pytest.approx((3 + 2) / 5))
    assert at(SOME, 0.7).cost == pytest.approx(3 / 5)
    assert (at(SOME, 2).answered, at(SOME, 2).right, at(SOME, 2).cost) == (0.0, 1.0, 1.0)


def test_every_threshold_is_a_point_and_two_are_marked():
    assert [point.answered for point in curve(SOME)] == [0.2, 0.4, 0.6, 0.8]
    rows = table({"question": SOME, "message": [TriedAnswer(0.9, False)]})
    assert [(row["asked"], row["which"], row["threshold"]) for row in rows] == [
        ("question", "used", ANSWERS["question"]), ("question", "cheapest", 0.7),
        ("message", "used", ANSWERS["message"]), ("message", "cheapest", 2.0),
    ]  # fmt: skip
    ((name, points, marked),) = lines_of({"question": SOME})
    assert (name, points[0]) == ("short questions (5)", (0.2, 1.0))
    assert [text.partition(":")[0] for _, text in marked] == ["threshold used 0.55", "cheapest threshold 0.70"]


def test_what_would_be_quoted_is_compared_with_the_grades(sample_graph, encoder):
    found = coverage.tried(answerer_of(sample_graph, encoder), MESSAGES, GRADES)
    assert tuple(found) == KINDS
    first, second = found["question"]
    assert first.right
    assert first.sure > ANSWERS["question"] > second.sure
    assert not second.right
