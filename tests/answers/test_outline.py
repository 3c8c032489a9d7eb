"""An answer set out for people: parts, what is not answered, what is cited by document, and where else to read."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, AnswerPart, Citation, FoundPage, FoundSection, Sentence, ShortForm
from medgraph.answers.outline import (
    CitedDocument,
    CitedSection,
    OutlinedPart,
    documents_of,
    glosses_of,
    leads_of,
    lines_said,
    named_in,
    numbers_of,
    offering_of,
    pages_of,
    parts_of,
    quoted_in,
    sections_of,
    unanswered_of,
    understood_of,
)

FIRST = Citation("x#1", "x", "X", "http://x", "s", "CC0", 0, 6, "Plain.", "")
SECOND = replace(FIRST, section="y#1", document="y", title="Y")
THIRD = replace(FIRST, section="x#2")
AGAIN = replace(FIRST, start=7, end=12)
SAID = tuple(Sentence(c.section, (c,), "supported") for c in (FIRST, SECOND, THIRD, AGAIN))
FOUND = FoundSection("x#2", "x", "X", "", "s", "CC0", "treatment", "How is X treated?", 0.9)
PAGE = FoundPage("z", "Z", "", "s", "CC0", "causes", "What causes Z?", "http://z", 0.8)

TWO = Answer(
    "Causes and stages of X?",
    "answered",
    SAID,
    parts=(
        AnswerPart("What causes X?", "answered", (0, 2), 0.9),
        AnswerPart("What are the stages of X?", "not_enough_evidence", (), 0.1),
        AnswerPart("What are the treatments for X?", "answered", (1, 2, 3), 0.9),
    ),
)


def test_sections_are_numbered_in_the_order_in_which_they_are_read_each_once():
    assert numbers_of(TWO) == {"x#1": 1, "x#2": 2, "y#1": 3}
    assert numbers_of(Answer("?", "not_enough_evidence")) == {}


def test_a_document_is_listed_once_with_its_sections_under_their_numbers():
    answer = replace(TWO, evidence=(FOUND,))
    first = CitedDocument(
        "X", "http://x", "s", "CC0", (CitedSection(1, "", FIRST), CitedSection(2, "treatment", THIRD))
    )
    second = CitedDocument("Y", "http://x", "s", "CC0", (CitedSection(3, "", SECOND),))
    assert documents_of(answer) == (first, second)
    named = documents_of(answer, {"y#1": "causes"}, {"x#1": "The X site"})
    assert [(d.source, [s.kind for s in d.sections]) for d in named] == [("The X site", ["", ""]), ("s", ["causes"])]


def test_sentences_stand_under_what_they_answer_and_one_may_answer_twice():
    assert parts_of(TWO) == (
        OutlinedPart("What causes X?", (SAID[0], SAID[2])),
        OutlinedPart("What are the treatments for X?", (SAID[1], SAID[2], SAID[3])),
    )
    assert unanswered_of(TWO) == ("What are the stages of X?",)


def test_what_comes_closest_stands_under_what_is_not_answered_and_is_numbered_and_cited():
    parts = (replace(TWO.parts[1], status="related", closest=(0,)), AnswerPart("Why X?", "answered", (0,), 0.9))
    answer = replace(TWO, parts=parts, sentences=SAID[:1], closest=SAID[1:2], unanswered=(parts[0].asked,))
    assert parts_of(answer) == (
        OutlinedPart("What are the stages of X?", SAID[1:2], beside=True),
        OutlinedPart("Why X?", SAID[:1]),
    )
    assert quoted_in(answer) == (SAID[1], SAID[0])
    assert numbers_of(answer) == {"y#1": 1, "x#1": 2}
    assert [document.title for document in documents_of(answer)] == ["Y", "X"]
    assert unanswered_of(answer) == ()
    assert [passage["section"] for passage in named_in(answer)["passages"]] == ["x#1"]


@pytest.mark.parametrize("parts", [(), (AnswerPart("X?", "answered", (0, 1, 2, 3), 0.9),)])
def test_what_asks_one_thing_needs_no_lead(parts):
    answer = replace(TWO, question="X?", parts=parts)
    assert parts_of(answer) == (OutlinedPart("", SAID),)
    assert unanswered_of(answer) == ()


def test_without_sentences_there_is_no_part_and_nothing_apart_is_unanswered():
    nothing = replace(TWO, status="not_enough_evidence", sentences=(), parts=TWO.parts[1:2] * 2)
    assert parts_of(nothing) == unanswered_of(nothing) == ()


def test_what_a_text_was_taken_to_ask_is_told_where_it_stands_nowhere_else():
    part = AnswerPart("What causes X?", "answered", (0,), 0.9)
    assert understood_of(Answer("What  causes X?", "answered", SAID, parts=(part,))) == ()
    assert understood_of(Answer("I am 60. What causes X?", "answered", SAID, parts=(part,))) == ("What causes X?",)
    assert understood_of(TWO) == ()
    nothing = replace(TWO, status="not_enough_evidence", sentences=())
    assert understood_of(nothing) == tuple(part.asked for part in TWO.parts)


def test_pages_elsewhere_are_told_apart_from_sections_each_address_once():
    other = replace(PAGE, answered_at="http://other")
    answer = replace(TWO, evidence=(PAGE, FOUND, other, replace(PAGE, question="Why Z?")))
    assert pages_of(answer) == (PAGE, other)
    assert sections_of(answer) == (FOUND,)


def test_what_sentences_are_about_is_said_where_it_changes():
    plain, first, second = (replace(SAID[0], about=about) for about in ("", "Gout type 1", "Gout type 2"))
    assert leads_of((plain, first, first, second, plain, second)) == (
        "",
        "Gout type 1:",
        "",
        "Gout type 2:",
        "",
        "Gout type 2:",
    )
    assert leads_of(()) == ()


def test_short_forms_are_explained_once_and_not_where_a_sentence_before_did():
    pkd, hd = ShortForm("PKD", "Polycystic kidney disease"), ShortForm("HD", "Huntington disease")
    sentences = [
        Sentence("In PKD and HD.", (), "supported", short_forms=(pkd, hd)),
        Sentence("In PKD again.", (), "supported", short_forms=(pkd,)),
        Sentence("Plain.", (), "supported"),
    ]
    assert glosses_of(sentences) == ("(PKD: Polycystic kidney disease; HD: Huntington disease)", "", "")
    told = Sentence("It is Huntington disease.", (), "supported")
    assert glosses_of([told, replace(sentences[0], short_forms=(hd,))]) == ("", "")


def test_a_list_is_quoted_line_by_line_and_a_table_as_it_is_read():
    listed = replace(FIRST, quote="Signs:\n - fever\n - chills")
    assert lines_said(Sentence("Signs: - fever - chills", (listed,), "supported")) == ["Signs:", "- fever", "- chills"]
    table = replace(FIRST, quote="Nystagmus 90% Squint 90% Red hair - Pale skin -")
    read = "Seen in 90% of patients: Nystagmus, Squint. Also seen (how often is not stated): Red hair, Pale skin."
    assert lines_said(Sentence(read, (table,), "supported")) == [read]
    assert lines_said(Sentence("Treatments for gout include colchicine.", (), "supported")) == [
        "Treatments for gout include colchicine."
    ]


@pytest.mark.parametrize(
    ("status", "said"),
    [("answered", "Ask next"), ("related", "You could ask instead"), ("not_enough_evidence", "You could ask instead")],
)
def test_what_is_offered_is_said_to_be_asked_next_or_instead(status, said):
    assert offering_of(Answer("What causes X?", status)) == said
