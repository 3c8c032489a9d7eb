"""The parts of a question: what each asks for, and of what."""

import pytest

from medgraph.answers.outline import open_in_words
from medgraph.answers.parts import parts_of
from medgraph.answers.things import things_in
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from tests.support.examples import examples


def ask(text, *named):
    def mentions(said):
        places = {name: said.lower().find(name) for name in named}
        return [
            Mention(name, "Disease", name, name, name, 1.0, (name,), 1, start=place, end=place + len(name))
            for name, place in places.items()
            if place >= 0
        ]

    return Question(text, words_of(text), None, mentions, lambda: None)


def parts(text, *named):
    return [part.asked for part in parts_of(ask(text, *named))]


@pytest.mark.parametrize(("text", "named", "expected"), examples("parts"))
def test_parts(text, named, expected):
    assert parts(text, *named) == expected


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("My mother has gout. Which therapies could help her?", ["gout"], "What are the treatments for gout?"),
        ("I have gout. What can I eat?", ["gout"], "What can I eat for gout?"),
        ("I have gout. Can it be cured?", ["gout"], "Can gout be cured?"),
        ("Dry mouth.\nHow can I relieve a dry mouth?", ["dry mouth"], "How can I relieve a dry mouth?"),
        ("My doctor mentioned gout. Can you tell me more about it?", ["gout"], "What is gout?"),
        (
            "Hello. I want information on gout diets please. Thanks",
            ["gout"],
            "I want information on gout diets please?",
        ),
    ],
)
def test_a_message_of_few_words_is_read_as_the_question_that_it_asks(text, named, expected):
    asked = ask(text, *named)
    assert asked.is_message
    (part,) = parts_of(asked)
    assert (part.asked, part.question.text, part.question.is_message) == (expected, expected, False)


@pytest.mark.parametrize(
    "text",
    [
        "My mother has gout. Which therapies could help her? Is it painful?",
        "My mother has a bad toe. Which therapies could help her?",
        "I have gout. My toe hurts very much at night.",
        f"I have gout. {'It hurts at night and in the morning. ' * 4}Which therapies could help me?",
    ],
)
def test_a_longer_message_or_one_that_asks_more_stays_as_it_is(text):
    (part,) = parts_of(ask(text, "gout"))
    assert part.question.text == text


def mention(text, name, label="Disease"):
    start = text.lower().index(name)
    return Mention(name, label, name, name, name, 1.0, (), 1, start, start + len(name))


def texts(text, *named):
    return [thing.text for thing in things_in(text, [mention(text, *name) for name in named])]


@pytest.mark.parametrize(("text", "named", "things"), examples("what_a_question_is_about"))
def test_what_a_question_is_about(text, named, things):
    assert texts(text, *named) == things


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How is gout treated with drugs?", "Nothing loaded says how gout is treated with drugs."),
        ("What are the stages of gout?", "Nothing loaded says what the stages of gout are."),
        ("What is gout used for?", "Nothing loaded says what gout is used for."),
        ("Is gout safe in pregnancy?", "Nothing loaded says whether gout is safe in pregnancy."),
        ("Who should not take aspirin?", "Nothing loaded says who should not take aspirin."),
        ("How do I treat it?", "Nothing loaded answers this: How do I treat it?"),
        ("Are there cures for gout?", "Nothing loaded answers this: Are there cures for gout?"),
    ],
)
def test_what_stays_open_is_said_in_words(asked, said):
    assert open_in_words(asked) == said
