"""Quotations that read whole, short forms explained, and an answer as plain data."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.answer import NOTICE, ShortForm
from medgraph.answers.citing import explained, trimmed
from medgraph.answers.scoring import ScoredSection, ScoredSentence
from medgraph.answers.selecting import best_sentences
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.queries.retriever import SectionText
from tests.support.examples import examples


def section(text):
    named = dict.fromkeys(("document", "url", "source", "collection", "licence", "type", "heading", "question"), "")
    return SectionText(section="s", title="Gout", aliases=(), text=text, entities=(), concepts=(), **named)


def quoted(text, best):
    """What is quoted of a section of which the sentence that begins with some words helps most by far."""
    found = candidates(0, text)
    assert [one for one in found if one.text.startswith(best)]
    said = [
        ScoredSentence(
            one, 0.0, told=False, named=0.0, worded=0.0, vector=vector, helps=0.9 if one.text.startswith(best) else 0.1
        )
        for one, vector in zip(found, np.eye(len(found), dtype=np.float32), strict=True)
    ]
    return " ".join(one.candidate.text for _, one in best_sentences([ScoredSection(section(text), {}, 0.9, 0.9, said)]))


# With what it leans on, further up too where only that names it, with what takes something of it back, and with what
# says what was meant; not at all where that cannot be quoted or a heading names it, though what stands before may be.
@pytest.mark.parametrize(("text", "best", "shown"), examples("quotations_with_what_they_need"))
def test_a_quotation_comes_with_what_it_needs_or_not_at_all(text, best, shown):
    assert quoted(text, best) == shown


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("Changes, either fromgenesor the environment, may cause gout.", True),
        ("Common causes are Allergic reactions Dry skin Insect bites and stings Irritating soaps.", True),
        ("Foundations such as the National Institute of Arthritis study gout.", False),
        ("A patent foramen ovale and paronychia are seldom seen with outermost tophi.", False),
        ("Common causes are - Allergic reactions - Eczema - Dry skin - Insect bites.", False),
    ],
)
def test_words_and_items_that_run_together_are_not_quoted(text, broken):
    (found,) = candidates(0, text)
    assert found.broken is broken


@pytest.mark.parametrize(("text", "shown"), examples("headings_and_copies_cut_off"))
def test_headings_and_second_copies_of_lists_are_cut_off(text, shown):
    found = trimmed(candidates(0, text)[0], text)
    assert found.text == shown == " ".join(text[found.start : found.end].split())


TEXT = (
    "Polycystic kidney disease (PKD) is inherited. In PKD, cysts grow. Urinary tract infections (UTIs) are frequent. "
    "Enzymes such as glucose-6-phosphate dehydrogenase (G6PD) matter, and so do ACE inhibitors. "
    "Some take proton-pump inhibitors (PPIs)."
)
PKD = ShortForm("PKD", "Polycystic kidney disease")
UTI = ShortForm("UTI", "Urinary tract infections")


@pytest.mark.parametrize(
    ("sentence", "known", "expected"),
    [
        ("In PKD, cysts grow.", "What are kidney cysts? Kidney Cysts", (PKD,)),
        ("UTIs are seen in PKD, and a UTI hurts.", "Cysts", (UTI, PKD)),
        ("G6PD matters.", "Anemia", (ShortForm("G6PD", "glucose-6-phosphate dehydrogenase"),)),
        ("PPIs help.", "Heartburn", (ShortForm("PPI", "proton-pump inhibitors"),)),
        ("In PKD, cysts grow.", "Polycystic Kidney Disease", ()),
        ("In PKD, cysts grow.", "what is PKD", ()),
        ("Polycystic kidney disease (PKD) is inherited.", "Cysts", ()),
        ("PKD (a disease) is inherited.", "Cysts", ()),
        ("ACE inhibitors and the FDA help.", "Cysts", ()),
        ("APKD and PKD-like and PKDs2 are others.", "Cysts", ()),
        ("A plain sentence.", "Cysts", ()),
    ],
)
def test_short_forms_are_explained_where_nothing_else_does(sentence, known, expected):
    assert explained(sentence, TEXT, known) == expected


@given(st.text(), st.text(), st.text())
def test_any_text_will_do(sentence, text, known):
    assert all(one.short in sentence and one.long for one in explained(sentence, text, known))


SECTION = "section document title url source licence type question score dated retired study".split()


def test_plain_data_is_json_of_the_documented_form(answerer):
    data = json.loads(json.dumps(answerer.ask("How is gout treated?").as_dict()))
    assert {"question", "status", "sentences", "entities", "evidence", "timing_ms", "notice"} <= data.keys()
    sentence = data["sentences"][0]
    assert sentence.keys() == {
        "text",
        "citations",
        "verdict",
        "about",
        "short_forms",
        "agreeing",
        "claims",
        "contradicting",
        "facts",
        "probability",
        "sources",
    }
    assert sentence["citations"][0].keys() == {
        "section", "document", "title", "url", "source", "licence", "start", "end", "quote", "cypher",
        "notices", "type", "publisher", "published", "dated", "retired", "study",
    }  # fmt: skip
    assert [list(item) for item in data["evidence"]] == [list(SECTION)] * len(data["evidence"])
    assert json.dumps(data).count(NOTICE) == 1
