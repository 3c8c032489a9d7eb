"""Messages: sentences, headings, what asks and what tells, and what stands in for names."""

import pytest

from medgraph.queries.message import parts_of, without_masks


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
