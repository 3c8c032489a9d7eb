"""What a turn of a dialogue is understood as: completed from what came before, or left as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.dialogue import MOST_PREVIOUS, understood
from medgraph.errors import InputError
from medgraph.queries.entities import Mention
from medgraph.queries.message import LONGEST_PREVIOUS
from tests.support.answers import answerer_of
from tests.support.dialogues import turns
from tests.support.examples import examples

KNOWN = {
    "gout": "Disease",
    "asthma": "Disease",
    "type 2 diabetes": "Disease",
    "hip pain": "Symptom",
    "lupus": "Disease",
    "ibuprofen": "Drug",
    "warfarin": "Drug",
    "allopurinol": "Drug",
    "yoga": "Topic",
    **dict.fromkeys(["kidneys", "heart", "the eyes"], "Anatomy"),
    **dict.fromkeys("depression eczema epilepsy flu jaundice migraine pneumonia psoriasis".split(), "Disease"),
    **dict.fromkeys(["seizures", "vertigo", "high blood pressure", "kidney stones", "strep throat"], "Disease"),
    "rheumatoid arthritis": "Disease",
    **dict.fromkeys(["acne", "celiac disease", "copd", "cystic fibrosis", "dementia", "fibromyalgia"], "Disease"),
    **dict.fromkeys(["alzheimer's disease", "hemophilia", "mono", "parkinson's disease", "sepsis"], "Disease"),
    **dict.fromkeys(["shingles"], "Disease"),
    **dict.fromkeys(["methotrexate"], "Drug"),
    **dict.fromkeys(["antibiotic", "statins", "opioids", "stress"], "Topic"),
    **dict.fromkeys(["amoxicillin", "colchicine", "metformin"], "Drug"),
}


def names(text):
    plain = text.lower()
    return [
        Mention(name, label, name, name, name, 1.0, (), 1, plain.index(name), plain.index(name) + len(name))
        for name, label in KNOWN.items()
        if name in plain
    ]


def after(*previous):
    return lambda said: understood(said, previous, names)


def test_the_turns_that_rules_were_written_with_are_understood(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    for turn in turns("dev"):
        asked = answerer.ask(turn.said, previous=turn.previous).understood
        assert turn.is_right(asked), (turn.previous, turn.said, asked)


@pytest.mark.thorough
def test_the_turns_that_were_not_looked_at_while_rules_were_written_are_understood(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    right = [turn.is_right(answerer.ask(turn.said, previous=turn.previous).understood) for turn in turns("held")]
    assert sum(right) >= 28


def test_a_dialogue_goes_on_from_what_was_understood_as_from_what_was_typed():
    typed = ["How is gout treated?", "and in children?", "what about side effects?", "is it contagious?", "and lupus"]
    asked = []
    for number, said in enumerate(typed):
        whole = understood(said, asked, names)
        assert whole == understood(said, typed[:number], names)
        asked.append(whole)
    assert asked == [
        "How is gout treated?",
        "How is gout treated in children?",
        "What are the side effects of treatments for gout?",
        "is gout contagious?",
        "is lupus contagious?",
    ]


@pytest.mark.parametrize(("previous", "said", "whole"), examples("turns_completed"))
def test_what_leans_on_what_came_before(previous, said, whole):
    assert after(previous)(said) == whole


@pytest.mark.parametrize("said", examples("turns_that_are_whole"))
def test_what_is_whole_by_itself_stays_as_it_is(said):
    assert after("How is gout treated?")(said) == said


def test_without_anything_before_or_nothing_that_completes_it_a_turn_stays_as_it_is():
    for previous in ([], [""], ["?!"], ["thanks"], ["and in children?"], ["why?", "how", "it"]):
        for said in ("and in children?", "how is it treated?", "symptoms", "why?", "and type 2?", "the drug"):
            assert understood(said, previous, names) == said


def test_too_many_or_too_long_earlier_questions_are_refused():
    with pytest.raises(InputError, match="previous has 21 questions; send the last 20"):
        understood("and?", ["gout"] * (MOST_PREVIOUS + 1), names)
    with pytest.raises(InputError, match=r"in previous has 1,001 characters; 1,000 are the most"):
        understood("and?", ["x" * (LONGEST_PREVIOUS + 1)], names)


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=60))
def test_any_texts_make_a_question(previous, said):
    assert isinstance(understood(said, previous, names), str)
    words = ["and", "it", "in", "children", "gout", "the", "treatment", "what about", "type 2", "?"]
    mixed = " ".join(words[len(part) % len(words)] for part in previous)
    assert isinstance(understood(mixed, [said, "How is gout treated?"], names), str)


@pytest.mark.parametrize("said", ["? ", "ok ", "it ", "and gout ", "no, ", "a?", "in the ", "help! "])
def test_long_turns_take_no_longer_than_they_must(said):
    assert isinstance(understood(said * (10_000 // len(said)), ["How is gout treated?"] * 20, names), str)
