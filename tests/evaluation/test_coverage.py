"""Accuracy against coverage at every threshold, and what that costs."""

from medgraph.answers.confidence import ANSWERS, KINDS
from medgraph.evaluation import coverage
from medgraph.evaluation.coverage import Tried, curve, lines_of, table
from medgraph.evaluation.sets.meqsum import Message
from tests.support.answers import answerer_of

MESSAGES = [
    Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    Message("2", "Hello. My toe hurts. Where is the nearest museum?", "best pizza in town"),
]
GRADES = {"1": {"sample:gout#6": 4, "sample:gout#7": 2}, "2": {"sample:gout#6": 1}}
SOME = [Tried(0.9, True), Tried(0.7, True), Tried(0.6, False), Tried(0.4, False), Tried(0.0, False)]


def test_every_threshold_is_a_point_and_two_are_marked():
    assert [point.answered for point in curve(SOME)] == [0.2, 0.4, 0.6, 0.8]
    rows = table({"question": SOME, "message": [Tried(0.9, False)]})
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
