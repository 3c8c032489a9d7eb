"""What a question is about: names with what belongs to them, and words that are none of every question's."""

import pytest

from medgraph.answers.things import things_in
from medgraph.queries.entities import Mention
from tests.support.examples import examples


def mention(text, name, label="Disease"):
    start = text.lower().index(name)
    return Mention(name, label, name, name, name, 1.0, (), 1, start, start + len(name))


def texts(text, *named):
    return [thing.text for thing in things_in(text, [mention(text, *name) for name in named])]


@pytest.mark.parametrize(("text", "named", "things"), examples("what_a_question_is_about"))
def test_what_a_question_is_about(text, named, things):
    assert texts(text, *named) == things
