"""What is given for each thing asked: answers, what only comes closest beside them, and sentences that say the same."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from medgraph.answers.answer import AnswerPart, Sentence
from medgraph.answers.part_answers import (
    LEAST_CLOSEST,
    PartAnswer,
    answer_parts,
    distinct,
    drop_near_duplicates,
    separate_closest,
)

FIRST, SECOND, THIRD = (Sentence(text, (), "supported") for text in ("Gout hurts.", "It passes.", "Rest helps."))


def given(asked, status, *sentences, sure=0.9):
    return PartAnswer(SimpleNamespace(asked=asked), status, sentences, (), sure)


ANSWERED = given("What is gout?", "answered", FIRST)
NEAR = given("Does it pass?", "related", SECOND, FIRST, sure=LEAST_CLOSEST)


def test_where_nothing_is_answered_all_stays_as_it_is():
    assert separate_closest([NEAR, NEAR]) == [NEAR, NEAR]


def test_what_comes_closest_is_set_apart_from_what_answers_without_what_stands_there_already():
    assert separate_closest([ANSWERED, NEAR]) == [ANSWERED, replace(NEAR, sentences=(), closest=(SECOND,))]


@pytest.mark.parametrize(
    "far", [replace(NEAR, sure=LEAST_CLOSEST - 0.01), replace(NEAR, sentences=(FIRST,)), replace(NEAR, sentences=())]
)
def test_nothing_is_shown_as_closest_that_is_far_or_stands_there_already(far):
    assert separate_closest([far, ANSWERED]) == [replace(far, sentences=()), ANSWERED]


def test_parts_number_sentences_of_answers_and_what_comes_closest_apart():
    parted = separate_closest([ANSWERED, NEAR, given("How is it treated?", "answered", THIRD, FIRST)])
    sentences, closest = distinct(one.sentences for one in parted), distinct(one.closest for one in parted)
    assert (sentences, closest) == ([FIRST, THIRD], [SECOND])
    assert answer_parts(parted, sentences, closest) == (
        AnswerPart("What is gout?", "answered", (0,), 0.9),
        AnswerPart("Does it pass?", "related", (), LEAST_CLOSEST, (0,)),
        AnswerPart("How is it treated?", "answered", (1, 0), 0.9),
    )


def test_what_another_page_says_in_nearly_the_same_words_is_left_out():
    again = replace(FIRST, text="Gout hurts!")
    assert drop_near_duplicates([FIRST, again, SECOND]) == (FIRST, SECOND)
    assert drop_near_duplicates([]) == ()
