"""What a statement says: words, numbers with units, negations and directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.verify.statement import form, statement


@pytest.mark.parametrize(
    "words",
    [
        ("cause", "causes", "caused", "causing"),
        ("kidney", "kidneys"),
        ("therapy", "therapies"),
        ("treat", "treated", "treating", "treats"),
        ("dose", "doses"),
    ],
)
def test_forms_of_a_word_are_one(words):
    assert len({form(word) for word in words}) == 1


def test_everyday_words_are_those_of_sources():
    said, meant = map(
        statement, ("My kid's belly hurts after the flu shots.", "My child's abdomen hurts after influenza.")
    )
    assert said.words[:3] == meant.words[:3]
    assert said.parts == meant.parts == ("abdomen",)
    assert statement("Physicians gave kids medications.").words == statement("Doctors gave children medicines.").words
    assert statement("kids").words != statement("adults").words


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Take 10 mg daily.", [("10", "mg")]),
        ("Take 10-20 milligrams.", [("10", "mg"), ("20", "mg")]),
        ("About 1,500 people", [("1500", "people")]),
        ("5% or 2.50 percent", [("5", "percent"), ("2.5", "percent")]),
        ("within two weeks", [("2", "week")]),
        ("type 2 diabetes", [("2", "label")]),
        ("version 1.2.3", [("1.2.3", "")]),
        ("no number", []),
    ],
)
def test_numbers_have_their_unit(text, numbers):
    assert [(one.value, one.unit) for one in statement(text).numbers] == numbers


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It does not cause fever.", {form("cause"), form("fever")}),
        ("It doesn't hurt.", {form("hurt")}),
        ("It cannot spread.", {form("spread")}),
        ("No fever, but pain.", {form("fever")}),
        ("It is not only pain.", set()),
        ("Pain without fever and later pain.", {form("fever")}),
    ],
)
def test_negations_reach_the_words_behind_them(text, negated):
    found = statement(text)
    assert found.negated & {form(word) for word in ("cause", "fever", "hurt", "spread", "pain")} == negated
    assert statement(text).negations == 1


def test_what_is_reduced_or_absent_is_not_denied():
    assert statement("Men have diminished or absent desire for sex.").negated == frozenset()
    assert "desir" in statement("Men have absent desire for sex.").negated


def test_directions_know_what_they_speak_of():
    high, less = statement("High insulin means less glucose.").directions
    assert (high.about, less.about) == (form("insulin"), form("glucose"))
    assert {(pair, 1 - side) for pair, side in high.sides} & less.sides
    (over,) = statement("Hyperthyroidism").directions
    assert over.about == form("thyroidism")


@given(st.text())
def test_any_text_can_be_read(text):
    found = statement(text)
    assert found.negated <= set(found.words)
    assert set(found.parts) <= set(found.words)
