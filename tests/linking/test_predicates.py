"""What a question says of something with a verb between."""

import pytest

from medgraph.linking.predicates import predicates, worded
from medgraph.linking.words import words


def said(text):
    found = predicates(text, words(text))
    return {(" ".join(word.normal for word in name), text.split()[first:last][0]) for first, last, name in found}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("my sugar is high", ("high sugar", "sugar")),
        ("sugar has been running high", ("high sugar", "sugar")),
        ("the blood pressure is too low", ("low blood pressure", "blood")),
        ("and my skin gets so dry now", ("dry skin", "skin")),
        ("my blood test came back normal", ("normal blood test", "blood")),
    ],
)
def test_what_is_said_stands_before_what_it_is_said_of(text, name):
    assert name in said(text)


@pytest.mark.parametrize(
    "text",
    ["what is high blood pressure", "my sugar is not high", "is it high", "red blood is low", "", "is", "is is is"],
)
def test_what_is_said_of_nothing_or_denied(text):
    assert not {"high sugar", "low blood", "high blood"} & {name for name, _ in said(text)}


def test_what_is_measured_may_stand_behind():
    wordings = [" ".join(word.normal for word in name) for name in worded(words("low potassium"))]
    assert wordings == ["low potassium", "low potassium level", "low potassium count"]
