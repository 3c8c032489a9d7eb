"""Pages elsewhere, measured by grades."""

import pytest

from medgraph.answers.pages import FEATURES, HELPS, features_of
from medgraph.errors import InputError
from medgraph.evaluation import pages
from medgraph.evaluation.sets.meqsum import Message
from medgraph.logistic import INTERCEPT, LogisticModel
from tests.support.pages import Given, question, row

pytestmark = pytest.mark.thorough

MESSAGES = [Message("1", "Hello. My eyes are watery.", "Why are eyes watery?"), Message("2", "Hello.", "pizza?")]
ROWS = (
    row(about=True, asked=[("causes", 0.6, 0.7)]),
    row("Eyes that are watery", about=True, asked=[("causes", 0.5, 0.7)]),
    row("Iron overdose"),
    row("Iron"),
)


class Graph(Given):
    """A graph of given pages."""

    def question(self, text):
        return question(text)


def test_what_would_be_shown_is_compared_with_the_grades():
    grades = {("1", "question", "Watery eyes"): 1, ("1", "message", "Iron"): 2}
    asked, told = pages.evaluate(Graph(*ROWS), MESSAGES, grades)
    assert (asked["asked"], asked["questions"], asked["can"], asked["shown"]) == ("question", 1, 1.0, 1.0)
    assert (asked["first"], asked["answers"], asked["help"], asked["ungraded"]) == (1.0, 0.0, 1.0, 0.5)
    assert (told["asked"], told["can"], told["ungraded"]) == ("message", 1.0, 1.0)
    (asked,) = pages.evaluate(Graph(*ROWS), MESSAGES, {("1", "question", "Watery eyes"): 0})
    assert (asked["can"], asked["first"], asked["help"]) == (0.0, 0.0, 0.0)
    with pytest.raises(InputError, match="no message has grades"):
        pages.evaluate(Graph(*ROWS), MESSAGES, {("9", "question", "Iron"): 1})


def test_weights_are_fitted_to_what_helps():
    grades = {("1", "question", one["document"]): grade for one, grade in zip(ROWS, (2, 1, 0, 0), strict=True)}
    weights = pages.fit(Graph(*ROWS), MESSAGES, grades)
    assert set(weights) == {*FEATURES, INTERCEPT}
    found = [LogisticModel(weights).likely(features_of(question(MESSAGES[0].short), one)) for one in ROWS]
    assert min(found[:2]) > HELPS > max(found[2:])
    with pytest.raises(InputError, match="examples of both kinds"):
        pages.fit(Graph(*ROWS), MESSAGES, {("1", "question", "Iron"): 1})
