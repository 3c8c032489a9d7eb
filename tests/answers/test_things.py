"""What a question is about: names with what belongs to them, and words that are none of every question's."""

from dataclasses import replace

import pytest

from medgraph.answers.things import is_plain, things_in, words_in
from medgraph.queries.entities import Alternative, Mention
from tests.support.examples import examples


def mention(text, name, label="Disease"):
    start = text.lower().index(name)
    return Mention(name, label, name, name, name, 1.0, (), 1, start, start + len(name))


def texts(text, *named):
    return [thing.text for thing in things_in(text, [mention(text, *name) for name in named])]


@pytest.mark.parametrize(("text", "named", "things"), examples("what_a_question_is_about"))
def test_what_a_question_is_about(text, named, things):
    assert texts(text, *named) == things


def test_what_one_takes_is_told_from_what_one_has():
    text = "Does aspirin help against gout, or yoga?"
    found = things_in(text, [mention(text, "aspirin", "Drug"), mention(text, "gout"), mention(text, "yoga", "Topic")])
    assert [(thing.text, thing.group, thing.label) for thing in found] == [
        ("aspirin", "drug", "Drug"),
        ("gout", "condition", "Disease"),
        ("yoga", "", "Topic"),
    ]
    assert [text[thing.start : thing.end] for thing in found] == ["aspirin", "gout", "yoga"]


@pytest.mark.parametrize(
    ("text", "named", "group", "label"),
    [
        ("What causes kidney stones?", [("kidney", "Anatomy"), ("kidney stones",)], "condition", "Disease"),
        ("What are crystals of gout?", [("gout",)], "condition", "Disease"),
        ("What causes pain in the arm?", [("arm", "Anatomy")], "", "Anatomy"),
    ],
)
def test_a_thing_is_of_the_group_of_what_it_names(text, named, group, label):
    (thing,) = things_in(text, [mention(text, *name) for name in named])
    assert (thing.group, thing.label) == (group, label)


@pytest.mark.parametrize(("label", "group"), [("Gene", "condition"), ("Anatomy", "")])
def test_what_a_name_may_mean_as_surely_tells_its_group(label, group):
    text = "What is cholera?"
    named = replace(mention(text, "cholera", label), alternatives=(Alternative("x", "Disease", "cholera", 1.0),))
    assert [thing.group for thing in things_in(text, [named])] == [group]


def test_words_that_any_question_may_have():
    assert is_plain(words_in("What are the 3 best treatments for my children?"))
    assert not is_plain(words_in("What is gout?"))
    assert is_plain([])
