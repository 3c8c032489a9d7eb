"""A question is taken apart once, and only as far as somebody asks; a message, into what asks and what tells."""

from dataclasses import replace

import numpy as np
import pytest

from medgraph.queries.entities import Mention
from medgraph.queries.message import parts_of, without_masks
from medgraph.queries.question import Question, numbers_of, without_background, words_of

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
    assert asked.searches == (asked,)
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
    assert asked.main_text == "I am tall. My toe is red. What could it be?"
    assert replace(asked, text="I am tall. So is gout painful?").main_text == "Is gout painful?"


def kinds(text):
    return [(part.kind, part.text) for part in parts_of(text)]


def test_a_message_is_heading_story_question_and_thanks():
    assert kinds("Gout. I am 60 and my toe hurts. What can I eat? Thank you so much.") == [
        ("heading", "Gout."),
        ("tells", "I am 60 and my toe hurts."),
        ("asks", "What can I eat?"),
        ("courtesy", "Thank you so much."),
    ]


def test_the_form_that_a_message_came_by_is_no_part_of_it():
    assert kinds("SUBJECT: MRSA\nMESSAGE: I have MRSA. is it contagious") == [
        ("heading", "MRSA"),
        ("tells", "I have MRSA."),
        ("asks", "is it contagious"),
    ]
    site = "SUBJECT: ClinicalTrials.gov - Question - general information\nMESSAGE: My wife has lupus."
    assert kinds(site) == [("tells", "My wife has lupus.")]
    assert kinds("ClinicalTrials.gov - Compliment. My wife has lupus.") == [("tells", "My wife has lupus.")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Is it contagious",
        "i need information on cystic fibrosis",
        "I would like to know about lupus and its treatment.",
        "Please suggest a diet for gout",
        "kindly advise on the best hospital for asthma.",
        "We are looking for trials on gout.",
        "so can i take aspirin",
        "I wonder whether the rash comes from that.",
    ],
)
def test_people_ask_without_a_question_mark(sentence):
    assert kinds(sentence) == [("asks", sentence)]


def test_sentences_end_where_people_end_them():
    text = "Dr. Who gave 2.5 mg to me.. it hurts.Should I stop?? i take it since Jan.\n\n1) Is it safe 2) for how long"
    assert [part for _, part in kinds(text)] == [
        "Dr. Who gave 2.5 mg to me..",
        "it hurts.",
        "Should I stop??",
        "i take it since Jan.",
        "Is it safe 2)",
        "for how long",
    ]


def test_what_stands_for_names_and_addresses_is_blank_and_all_else_in_its_place():
    text = "I am [NAME] from [LOCATION], write to me@home.org or 0049 123 45678 about transposons [jumping genes]"
    plain = without_masks(text)
    assert len(plain) == len(text)
    assert plain.split() == "I am from , write to or about transposons [jumping genes]".split()
    assert plain.index("jumping") == text.index("jumping")
    assert without_masks("What is the name of PMID 1234567?") == "What is the name of PMID 1234567?"


def test_long_texts_are_read_in_no_time():
    for text in ("a " * 5000, "." * 10_000, "1) " * 3300, "subject: " * 1100, "(" * 10_000, "7 " * 5000):
        assert isinstance(parts_of(text), list)


@pytest.mark.parametrize("sentence", ["Why?", "What could it be?", "But is that normal?", "What can I do about it?"])
def test_what_asks_of_what_was_told_is_asked(sentence):
    assert kinds(f"I was ill in 2010. Now my toe hurts, {sentence[:1].lower()}{sentence[1:]}") == [
        ("tells", "I was ill in 2010."),
        ("tells", "Now my toe hurts,"),
        ("asks", f"{sentence[:1].lower()}{sentence[1:]}"),
    ]


NAMES = {
    "metformin": "Drug", "ibuprofen": "Drug", "gout": "Disease", "migraine": "Disease", "diabetes": "Disease",
    "asthma": "Disease", "heartburn": "Symptom", "breast cancer": "Disease", "rash": "Symptom", "lupus": "Disease",
    "stiff": "Symptom", "constipation": "Symptom", "celiac disease": "Disease", "kidney stones": "Disease",
    "chickenpox": "Disease", "shingles": "Disease", "burn": "Symptom", "acupuncture": "Topic",
}  # fmt: skip


def named(text):
    small = text.lower()
    return [
        Mention(name, label, name, name, name, 1.0, (), 1, small.index(name), small.index(name) + len(name))
        for name, label in NAMES.items()
        if name in small
    ]


def asked(text):
    return without_background(Question(text, words_of(text), None, named, lambda: None)).text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I used to take metformin. Now my feet burn, what helps?", "Now my feet burn, what helps?"),
        ("My mother has diabetes. What are the symptoms of gout?", "What are the symptoms of gout?"),
        ("I had asthma as a child. What helps against heartburn?", "What helps against heartburn?"),
        ("I stopped taking ibuprofen last year. How do I treat a migraine?", "How do I treat a migraine?"),
        ("I was treated for breast cancer in 2010. I have a rash. Why?", "I have a rash. Why?"),
        ("My doctor said I don't have lupus. So why am I stiff?", "So why am I stiff?"),
        ("I read about lupus because my uncle has it. What helps against constipation?",
         "What helps against constipation?"),
        ("My wife is pregnant. How can I treat my migraine?", "How can I treat my migraine?"),
        ("I tried acupuncture and it did not help. How do I treat a migraine?", "How do I treat a migraine?"),
    ],
)  # fmt: skip
def test_what_is_only_background_is_left_out(text, kept):
    assert asked(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "My brother had kidney stones two years ago. Can I prevent getting them?",  # nothing else is named
        "My sister has celiac disease. I have a rash. Should I be tested?",
        "My son had chickenpox when he was 3. Can he get shingles?",
        "I had asthma as a child. Can I take ibuprofen?",
        "I had asthma as a child. I have a rash. Will it come back?",
        "I stopped taking metformin because it gave me a rash. What helps against gout?",
        "I stopped taking metformin two weeks ago. Why do I have a rash?",
        "I had an operation for breast cancer in 2010. Why do I have a rash?",
        "My wife is pregnant. How is a migraine treated?",
        "My son is 15 and has a rash. Is ibuprofen safe for teenagers?",
        "I take metformin. What are the symptoms of gout?",
        "What are the symptoms of gout?",
    ],
)
def test_what_may_matter_stays(text):
    assert asked(text) == text
