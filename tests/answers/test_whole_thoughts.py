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


@pytest.mark.parametrize(
    ("text", "best", "shown"),
    [
        # With what it leans on ...
        (
            "Gout can be found. A dye is put in first. The dye shows the joint.",
            "The",
            "A dye is put in first. The dye shows the joint.",
        ),
        ("Gout hurts much. Ice packs can also help.", "Ice", ""),
        ("Rest can ease the pain. Ice packs can also help.", "Ice", "Rest can ease the pain. Ice packs can also help."),
        (
            "Gout is hard to bear. In fact, many sleep badly.",
            "In fact",
            "Gout is hard to bear. In fact, many sleep badly.",
        ),
        ("Gout has four types. One is seen in children.", "One", "Gout has four types. One is seen in children."),
        (
            "Kidney diseases raise uric acid. These conditions cause gout.",
            "These",
            "Kidney diseases raise uric acid. These conditions cause gout.",
        ),
        # ... and further up where only that names what it points at.
        (
            "Smoking is among the risk factors. Few causes are known well. They act in people with these risk factors.",
            "They",
            "Smoking is among the risk factors. Few causes are known well. They act in people with these risk factors.",
        ),
        # Not at all where that cannot be quoted, or where a heading names it; what stands before may do.
        ("Few causes are known. They act in people with these risk factors.", "They", "Few causes are known."),
        ("Changing some of these daily habits may help to prevent gout.", "Changing", ""),
        (
            "Gout can be found early. What is a tap? The needle takes some fluid.",
            "The needle",
            "Gout can be found early.",
        ),
        (
            "Gout has many forms.\n\nTophaceous Gout\n\nThis form leaves lumps in the skin.",
            "This form",
            "Gout has many forms.",
        ),
        # With what takes something of it back.
        (
            "A tablet eases gout at night. Talk to your doctor first if you have a weak kidney.",
            "A tablet",
            "A tablet eases gout at night. Talk to your doctor first if you have a weak kidney.",
        ),
        ("A tablet eases gout at night. Gout hurts in the toe.", "A tablet", "A tablet eases gout at night."),
        # What begins with what the page is about may stand alone.
        ("It is a painful disease of the joints.", "It", "It is a painful disease of the joints."),
        # With what says what was meant.
        (
            "Changes of diet can ease gout. These include less beer.",
            "Changes",
            "Changes of diet can ease gout. These include less beer.",
        ),
        (
            "A change is the first sign. This may be a new lump.",
            "A change",
            "A change is the first sign. This may be a new lump.",
        ),
        ("A change is the first sign. This is not always so.", "A change", "A change is the first sign."),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Signs of gout are - fever  - pain in joints. fever pain in joints.",
            "Signs of gout are - fever - pain in joints.",
        ),
        (
            "Tests for Gout Gout is found by a test of the joint's fluid.",
            "Gout is found by a test of the joint's fluid.",
        ),
        (
            "Environment Environmental exposure to lead can cause gout.",
            "Environmental exposure to lead can cause gout.",
        ),
        ("Gout in Old Age is not rare, and gout hurts.", "Gout in Old Age is not rare, and gout hurts."),
        ("Rest the joint each day. (Weak recommendation.) Eat.", "Rest the joint each day. (Weak recommendation.)"),
        ("Rest the joint each day (unless it hurts).", "Rest the joint each day (unless it hurts)."),
        ("Rest the joint each day. (Joints join bones.) Eat.", "Rest the joint each day."),
    ],
)
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
