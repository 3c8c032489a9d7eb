"""Answers from relations alone: plain sentences, each with the relations that it says and who says them."""

import re
from dataclasses import replace

import pytest

from medgraph.answers.facts import LISTED, tell_facts
from medgraph.answers.understanding import UNFILTERED
from medgraph.cli import answered
from medgraph.errors import InputError
from medgraph.queries.filters import Filters
from medgraph.queries.voices import Backing


def test_an_answer_says_relations_and_cites_them(told):
    answer = told.ask("What are the symptoms of gout?")
    (sentence,) = answer.sentences
    assert (answer.status, sentence.text) == ("answered", "Symptoms of gout include fever.")
    assert (answer.text, answer.cited) == ("Symptoms of gout include fever. [1][2]", ("doid", "pages"))
    assert [one.source for one in answer.relation_sources] == ["doid", "pages"]
    assert (sentence.verdict, sentence.probability, sentence.sources, sentence.citations) == ("supported", 0.9, 2, ())
    (fact,) = sentence.facts
    assert [(voice.method, voice.sources) for voice in fact.said] == [("stated", ("doid",)), ("section", ("pages",))]
    assert [(claim.text, claim.verdict, claim.span) for claim in sentence.claims] == [(fact.text, "supported", None)]
    assert (answer.confidence, answer.evidence, answer.parts[0].sentences) == (0.9, (), (0,))


def test_two_things_asked_are_answered_each(told):
    answer = told.ask("How is gout treated and what are its symptoms?")
    assert [sentence.text for sentence in answer.sentences] == [
        "Treatments for gout include allopurinol.",
        "Symptoms of gout include fever.",
    ]
    half = told.ask("How is gout treated and what causes gout?")
    assert (len(half.sentences), half.unanswered) == (1, ("What causes gout?",))


@pytest.mark.parametrize(
    "text", ["Does gout cause fever?", "What are the symptoms of chilblain?", "gout", "best pizza"]
)
def test_without_facts_of_what_is_asked_there_is_no_answer(told, text):
    answer = told.ask(text)
    assert (answer.status, answer.sentences, answer.confidence) == ("not_enough_evidence", (), 0.0)


def test_the_composer_of_a_question_goes_before(told):
    with pytest.raises(InputError, match="no composer 'poetic'; there are extractive, graph, generated"):
        told.ask("How is gout treated?", composer="poetic")
    filtered = told.ask("How is gout treated?", Filters(sources=("pages",)))
    assert (filtered.status, filtered.remark) == ("not_enough_evidence", UNFILTERED)
    with pytest.raises(AssertionError, match="no encoder"):
        told.ask("How is gout treated?", composer="extractive")


def test_what_independent_sources_say_stands_before_what_one_says(told):
    (fact,) = told.ask("What are the symptoms of gout?").sentences[0].facts
    alone = Backing(told=("pages",), sections=1, who="Pages")
    read = [
        replace(fact, object=f"x{n}", object_name=f"sign {n}", said=fact.said[1:], backing=alone)
        for n in range(2 * LISTED)
    ]
    first, second = tell_facts([*read, fact], 6)
    assert (first.facts, len(second.facts)) == ((fact,), LISTED)
    assert second.text.startswith("According to texts of Pages alone, symptoms of gout also include sign 0, sign 1, ")
    assert "sign" not in first.text
    assert tell_facts([*read, fact], 1) == (first,)


def test_it_is_printed_with_who_says_so(told, capsys):
    answered.answer(told.ask("What are the symptoms of gout?"))
    shown = capsys.readouterr().out
    assert "Symptoms of gout include fever. [1][2] \u2713 2 sources" in shown
    assert re.search(r"^.+ \(doid, CC0-1.0.*\)\n(    \S+\n)?    \[1\] relations$", shown, re.MULTILINE)
    assert "    [2] relations\n" in shown
    assert "doid, stated, score 0.50: PMID:1" in shown.replace("doid (CC0-1.0)", "doid")
    assert "told, score 0.90: p1#1" in shown
    assert "MATCH (a:Concept {cui: 'C0018099'})" in shown
