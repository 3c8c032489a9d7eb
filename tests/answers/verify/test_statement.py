"""What a statement says: words, numbers with units, negations and directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.verify.rules import form, statement


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


@given(st.text())
def test_any_text_can_be_read(text):
    found = statement(text)
    assert found.negated <= set(found.words)
    assert set(found.parts) <= set(found.words)
