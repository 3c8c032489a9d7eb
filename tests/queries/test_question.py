"""A question is taken apart once, and only as far as somebody asks."""

from dataclasses import replace

import numpy as np
import pytest

from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, numbers_of, words_of

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
    assert (asked.words, asked.intent) == (["is", "gout", "painful"], "")
    assert calls.linked == calls.encoded == []
    assert asked.mentions == asked.mentions == (GOUT,)
    assert asked.content == ["gout", "painful"]
    assert asked.vector is asked.vector
    assert (calls.linked, calls.encoded) == (["Is Gout painful?"], [["Is Gout painful?"]])


FLATULENCE = Mention("a", "Symptom", "Flatulence", "flatulence", "flatulance", 0.9, (), 1, 11, 21, "spelling")
MSUD = Mention("b", "Disease", "Maple syrup urine disease", "MSUD", "msud", 0.97, (), 1, 4, 8)
GERD = Mention("c", "Disease", "GERD", "GERD", "gerd", 1.0, (), 1, 4, 8)


@pytest.mark.parametrize(
    ("text", "named", "spelt"),
    [
        ("what helps flatulance?", [FLATULENCE], "what helps flatulence?"),
        ("Has msud a cure?", [MSUD], "Has Maple syrup urine disease (msud) a cure?"),
        ("Has GERD a cure?", [GERD], "Has GERD a cure?"),
        ("Has oa a cure?", [replace(MSUD, name="Osteoarthritis", matched="OA", end=6)],
         "Has Osteoarthritis (oa) a cure?"),
        ("Is Gout painful?", [GOUT], "Is Gout painful?"),
        ("Has MSUD flatulance?", [replace(FLATULENCE, start=9, end=19), MSUD],
         "Has Maple syrup urine disease (MSUD) flatulence?"),
        ("Has MSUD flatulance?", [replace(FLATULENCE, start=4, end=19), MSUD], "Has flatulence?"),
        ("Has MSUD flatulance?", [MSUD, replace(FLATULENCE, start=4, end=19)], "Has flatulence?"),
        ("Has mumps a cure?", [replace(MSUD, name="Epidemic parotitis", matched="Mumps", end=9)], "Has mumps a cure?"),
        ("Has maple disease a cure?", [replace(MSUD, end=17)], "Has maple disease a cure?"),
    ],
)  # fmt: skip
def test_slips_are_put_right_and_short_forms_written_out_for_search(text, named, spelt):
    calls = Calls()
    calls.link = lambda _: named
    asked = question(text, calls)
    asked.understand("vector")
    assert (asked.spelt, asked.text) == (spelt, text)
    assert calls.encoded[-1] == [spelt], "and its vector is of that"
    assert asked.vector is not None
    assert len(calls.encoded) == 1 + (spelt != text)
    assert set(asked.content) >= {word for word in ("flatulence", "maple", "osteoarthritis") if word in spelt.lower()}


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Diabetes type II", {"2"}),
        ("Charcot-Marie-Tooth disease type 2B1", {"2b1"}),
        ("factor V Leiden", {"5"}),
        ("hepatitis B", {"b"}),
        ("a deletion of chromosome 22q11.2", set()),
        ("hepatitis A", {"a0"}),
        ("What I need to know about gout", set()),
        ("Gout in 2019", set()),
        ("gout", set()),
    ],
)
def test_numbers_tell_types_apart(name, numbers):
    assert numbers_of(name) == numbers


BROTHER = Mention("sample:bro", "Gene", "BRO", "brother", "brother", 1.0, (), 0)
STORY = (
    "SUBJECT: gout\nMESSAGE: Hello, my name is [NAME]. Last March I was in a hospital with my brother, who diagnosed "
    "me. What helps against gout? Thank you"
)


def message(text, *mentions, as_typed=False):
    there = [one for one in mentions if one.surface in text.lower()]
    return Question(text, words_of(text), None, lambda text: there, Calls, as_typed)


def test_a_message_is_understood_by_what_it_asks():
    asked = message(STORY, GOUT, BROTHER)
    assert asked.weights["gout"] == 1 == max(asked.weights.values())
    assert all(asked.weights.get(word, 0) < 1 for word in ("hospital", "march", "brother", "thank"))
    assert not {"thank", "hello", "was"} & asked.weights.keys()
    assert [one.name for one in asked.about] == ["Gout"]
    assert asked.mentions == (GOUT, BROTHER)
    assert asked.asked == (asked,)
    (one,) = asked.understood
    assert (one.text, one.names, one.types) == ("What helps against gout?", ("Gout",), asked.intents)
    assert one.summary() == "treatment: Gout (What helps against gout?)"


RASH = Mention("r", "Symptom", "rash", "rash", "rash", 1.0, (), 1)
BURN = Mention("p", "Phenotype", "Paresthesia", "paresthesia", "feet burn", 1.0, (), 1, method="wording")


@pytest.mark.parametrize(
    ("text", "named", "about"),
    [
        ("What helps gout without a rash?", [GOUT, replace(RASH, start=26)], [GOUT]),
        ("What helps without a rash?", [replace(RASH, start=21)], [replace(RASH, start=21)]),
        ("My feet burn with gout", [BURN, GOUT], [GOUT]),
        ("My feet burn", [BURN], [BURN]),
    ],
)
def test_what_is_denied_or_only_shows_a_disease_is_not_asked_about(text, named, about):
    asked = replace(question(text), linker=lambda _: named)
    assert asked.about == tuple(about)


def test_what_a_message_asks_is_said_with_what_it_asks_of():
    asked = replace(question("I am tall. Now my toe is red. What could it be?"), linker=lambda _: [])
    assert asked.said == "I am tall. My toe is red. What could it be?"
    assert replace(asked, text="I am tall. So is gout painful?").said == "Is gout painful?"
