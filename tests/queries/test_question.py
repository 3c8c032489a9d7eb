"""A question is taken apart once, and only as far as somebody asks."""

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.queries.entities import Mention
from medgraph.queries.question import MAX_QUESTION, Question, words_of

GOUT = Mention("sample:gout", "Disease", "Gout", "gout", "gout", 1.0, ("C0018099",), 1)


class Calls:
    """Stands beside the graph and the encoder, and counts what is asked of them."""

    def __init__(self):
        self.linked, self.encoded = [], []

    def link(self, text):
        self.linked.append(text)
        return [GOUT]

    def encode(self, texts):
        self.encoded.append(list(texts))
        return np.ones((1, 3), dtype=np.float32)


def question(text, calls=None):
    calls = calls or Calls()
    return Question(text, words_of(text), None, calls.link, lambda: calls)


def test_what_takes_time_is_found_out_when_first_asked_for_and_once():
    calls = Calls()
    asked = question("Is Gout painful?", calls)
    assert (asked.words, asked.content, asked.intent) == (["is", "gout", "painful"], ["gout", "painful"], "")
    assert calls.linked == calls.encoded == []
    assert asked.mentions == asked.mentions == (GOUT,)
    assert asked.vector is asked.vector
    assert (calls.linked, calls.encoded) == (["Is Gout painful?"], [["Is Gout painful?"]])


def test_a_question_stays_as_it_is():
    with pytest.raises(AttributeError):
        question("gout").text = "asthma"


def test_words_that_any_question_about_health_has_are_not_particular():
    asked = question("How long can a patient live with cystic fibrosis?")
    assert asked.content == ["long", "patient", "live", "cystic", "fibrosis"]
    assert asked.particular == ["cystic", "fibrosis"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("symptoms of type 2 diabetes", {"2"}),
        ("factor V Leiden", {"v"}),
        ("Can I get hepatitis B from a cup?", {"b"}),
        ("COVID19 in a man of 62 years on 5 mg, 3 times a day", {"covid19"}),
        ("what is gout", set()),
    ],
)
def test_numbers_tell_diseases_apart_and_ages_and_doses_do_not(text, numbers):
    assert question(text).numbers == numbers


@pytest.mark.parametrize("text", ["", " ", "?!?", "🫁😷", "…", "___", "'}) //", "\x00\x07", "\udcff", "((("])
def test_a_question_without_a_word(text):
    with pytest.raises(InputError, match="the question has no word in it; ask in words"):
        words_of(text)


def test_a_question_that_is_too_long():
    assert len(words_of("a " * (MAX_QUESTION // 2))) == MAX_QUESTION // 2
    with pytest.raises(InputError, match="the question has 10,001 characters; 10,000 are the most"):
        words_of("a" * (MAX_QUESTION + 1))
