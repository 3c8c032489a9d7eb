"""How turns are put together."""

import pytest

from medgraph.answers.leaning import Anaphor
from medgraph.answers.wording import bare, joint, put, scope_of, scoped, with_scope


@pytest.mark.parametrize(
    ("frame", "scope", "asked"),
    [
        ("How is gout treated?", "in children", "How is gout treated in children?"),
        ("How is gout treated in adults?", "in children", "How is gout treated in children?"),
        ("How is gout treated in adults?", "at night", "How is gout treated in adults at night?"),
        ("gout", "in children", "gout in children?"),
        ("gout", "", "gout"),
    ],
)
def test_a_circumstance_takes_the_place_of_one_of_its_kind(frame, scope, asked):
    assert with_scope(frame, scope) == asked


def test_whom_a_question_is_about():
    assert scoped("How is gout treated in pregnant women?!") == ("How is gout treated", "?!", "in pregnant women")
    assert scoped("How is gout treated in Texas") == ("How is gout treated in Texas", "", "")
    assert bare("really?! ") == "really"


def test_circumstances_are_told_from_things():
    assert scope_of("babies", []) == "in babies"
    assert scope_of("for my kids", []) == "for my kids"
    assert scope_of("while pregnant", []) == "while pregnant"
    assert scope_of("for gout", []) == scope_of("in short", []) == scope_of("gout", []) == ""


@pytest.mark.parametrize(
    ("about", "kinds", "word"),
    [
        ("Is there a cure", ("treatment",), "for"),
        ("What are the symptoms", ("symptoms",), "of"),
        ("tell me more", (), "about"),
        ("Can I swim", (), "with"),
        ("Will I die", ("outlook",), "from"),
        ("Is there research", ("research",), "on"),
        ("Do I need a doctor", (), "for"),
    ],
)
def test_the_word_between_what_is_asked_and_of_what(about, kinds, word):
    assert joint(about, kinds) == word


def test_a_name_is_put_in_the_place_of_what_stands_for_it():
    assert put("is it bad", Anaphor(3, 5), "gout") == "is gout bad"
    assert put("its signs", Anaphor(0, 3, possessive=True), "gout") == "gout's signs"
    assert put("its signs", Anaphor(0, 3, possessive=True), "lupus") == "lupus' signs"
