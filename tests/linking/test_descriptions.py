"""Descriptions: the whole sentences of an overview that say what its subject is."""

import pytest

from medgraph.linking.statements import find_description
from medgraph.text import sentences


def said(text, kind="information", focus=("C1",), subject="gout"):
    places = [n for n in range(len(text)) if text[n : n + len(subject)].lower() == subject]
    mentions = [{"concept": "C1", "start": n, "end": n + len(subject)} for n in places]
    section = {"type": kind, "text": text, "focus": list(focus)}
    described = find_description(section, sentences(text), mentions)
    assert described is None or described["concept"] == "C1"
    return described and text[described["start"] : described["end"]]


LONG = "is a form of arthritis that comes in attacks, and that hurts the joints of the feet most of all."


@pytest.mark.parametrize(
    "sentence",
    [
        f"Gout {LONG}",
        f"The gout {LONG}",
        f"Gout (GOWT), also known as podagra, {LONG}",
        "Gout is characterized by attacks of pain in the joints, most often in that of the big toe.",
        "Gout refers to a group of conditions in which crystals are found inside of joints, where they hurt.",
    ],
)
def test_the_sentence_that_says_what_it_is(sentence):
    assert said(f"What is gout? Many people ask. {sentence} It is frequent.") == sentence
    assert said(f"Key Points\n - {sentence}\n - It is frequent.") == sentence


@pytest.mark.parametrize(
    "text",
    [
        "Gout is three times more common in men than in women.",
        "Gout is a common cause of pain.",
        "Gout is a common disease. It usually hurts.",
        "A complication of gout is a kidney stone.",
        "Arthritis is a disease of joints.",
        "Gout hurts.",
        "What is gout?",
        "Gout is a form of",
        "",
    ],
)
def test_what_does_not_say_it(text):
    assert said(text) is None
