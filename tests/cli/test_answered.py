"""How answers are printed: under what was asked, sources by document, and never a near thing as an answer."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, AnswerPart, Citation, FoundPage, Sentence
from medgraph.answers.outline import with_text
from medgraph.cli import answered
from medgraph.queries.entities import Mention
from tests.support.answers import answerer_of

CITED = [
    Citation(f"{d}#{n}", d, d.upper(), "http://x", "s", "CC0", 0, 1, "", "RETURN 1") for d, n in ("x1", "y1", "x2")
]
SAID = tuple(Sentence(f"Said {number}.", (cited,), "supported") for number, cited in enumerate(CITED, 1))
PAGE = FoundPage("z", "Z", "", "s", "CC0", "causes", "What causes Z?", "http://z", 0.8)


@pytest.fixture
def printed(capsys):
    def shown(*given, **more):
        answered.answer(with_text(Answer("?", *given, **more)))
        return capsys.readouterr()

    return shown


@pytest.mark.parametrize("question", ["How is gout treated?", "What are the symptoms of Zorblatt disease in ships?"])
def test_printed_answers_bear_the_notice_once(sample_graph, encoder, capsys, question):
    answer = answerer_of(sample_graph, encoder).ask(question)
    answered.answer(answer)
    printed = capsys.readouterr().out
    assert printed.count("not medical advice") == 1
    if answer.sentences:
        assert "\nGout (sample, Apache-2.0)\n" in printed
        assert "\n    [1] treatment, section sample:gout#6\n" in printed
        assert "id: 'sample:gout#6'" in printed
        assert all(word in printed for sentence in answer.sentences for word in sentence.text.split())
    else:
        assert "Not enough evidence in the graph to answer this.\nNearest sections found:\n" in printed


def test_each_thing_asked_has_its_sentences_under_it_and_its_sources_stand_by_document(printed):
    parts = (
        AnswerPart("What causes X?", "answered", (0, 1), 0.9),
        AnswerPart("What are the stages of X?", "related", (), 0.1),
        AnswerPart("Can X be prevented?", "answered", (2,), 0.9),
    )
    text = printed("answered", SAID, parts=parts).out
    assert text.startswith(
        "What causes X?\nSaid 1. [1] ✓\nSaid 2. [2] ✓\n\nCan X be prevented?\nSaid 3. [3] ✓\n\nNot answered: "
    )
    assert "\nNot answered: What are the stages of X?\n" in text
    assert "\nX (s, CC0)\n    http://x\n    [1] section x#1\n    [3] section x#2\nY (s, CC0)\n" in text
    near = replace(parts[1], closest=(0,))
    text = printed("answered", SAID[:2], parts=(parts[0], near), closest=SAID[2:]).out
    assert "What are the stages of X?\nNot answered exactly. Closest to it:\n    Said 3. [3] ✓\n" in text
    assert "Not answered:" not in text


def test_a_sentence_tells_how_many_say_so_and_who_says_otherwise_beneath(printed):
    other = Citation("o#1", "o", "Other page", "http://o", "s2", "", 0, 9, "Not  so.", "")
    said = (replace(SAID[0], sources=3), replace(SAID[1], contradicting=(other,)))
    text = printed("answered", said).out
    assert "Said 1. [1] ✓ 3 sources\nSaid 2. [2] ✓\n    but Other page (s2) says: \u201cNot so.\u201d\n" in text
    assert "    section o#1, http://o\n" in text


def test_others_that_say_the_same_are_named_once_unless_they_are_cited(printed):
    other = Citation("o#1", "o", "Other page", "http://o", "s2", "", 0, 9, "Said so.", "")
    again, nowhere = replace(other, section="o#2"), replace(other, section="p#1", document="p", title="P\u00e9", url="")
    said = (replace(SAID[0], agreeing=(other, CITED[1], again)), replace(SAID[1], agreeing=(nowhere,)))
    text = printed("answered", said).out
    assert (
        "Others that say the same:\n    Other page (s2), section o#1\n      http://o\n    P\u00e9 (s2), section p#1\n"
        in text
    )
    assert "o#2" not in text
    assert "Others" not in printed("answered", SAID).out


def test_what_only_comes_near_is_never_printed_as_an_answer(printed):
    apart = printed("related", SAID, evidence=(PAGE,), apart=("gout", "hair loss")).out
    assert apart.startswith(
        "Nothing found here speaks of gout and hair loss together. What comes closest, of each:\n\n"
    )
    text = printed("related", SAID, evidence=(PAGE,)).out
    assert text.startswith(
        "Nothing in the graph answers this exactly. Closest to it:\n\n    Said 1. [1] ✓\n    Said 2. [2] ✓"
    )
    assert "\nPages elsewhere that may help:\n  What causes Z?\n    http://z\n" in text
    assert "Closest" not in printed("answered", SAID).out


def test_what_was_understood_is_told_beside_the_answer(printed):
    gout = Mention("g", "Disease", "Gout", "gout", "gout", 1.0, (), 1)
    part = AnswerPart("What causes it?", "answered", (0,), 0.9)
    said = printed("answered", SAID[:1], entities=(gout,), intents=("causes",), parts=(part,))
    assert said.err == "understood as: What causes it?; Gout (Disease); causes\n"
    assert said.out.startswith("You ask: What causes it?\n\n")
    assert printed("not_enough_evidence").err == ""
