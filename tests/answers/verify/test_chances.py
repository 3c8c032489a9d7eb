"""Probabilities come from rules' findings, or from what reads claims and evidence together."""

import pytest

from medgraph.answers.verify.chances import BY_WORDS, Chances, pairs_of
from medgraph.answers.verify.rules import compare
from tests.support.verifiers import Always

CLAIM = "Gout is caused by crystals."


def test_without_a_reader_words_decide_and_nothing_is_read_ahead():
    BY_WORDS.ahead(iter([(CLAIM, CLAIM)]))
    supports, contradicts = BY_WORDS.of(CLAIM, CLAIM, compare(CLAIM, CLAIM))
    assert not BY_WORDS.reads
    assert supports > 0.5 > contradicts


def test_a_pair_is_read_once_and_those_read_ahead_together():
    reader = Always(0.7, 0.2)
    chances = Chances(reader)
    chances.ahead([("a", "b"), ("a", "b"), ("c", "b")])
    assert chances.of("b", "c", compare("b", "c")) == pytest.approx((0.7, 0.2))
    chances.ahead([("a", "b")])
    assert reader.batches == [[("a", "b"), ("c", "b")]]
    assert chances.of("b", "d", compare("b", "d")) == pytest.approx((0.7, 0.2))
    assert reader.batches[1:] == [[("d", "b")]]


def test_what_stands_there_word_for_word_is_not_read():
    reader = Always(contradicts=1.0)
    chances = Chances(reader)
    text = f"As is known,  {CLAIM.lower()[:-1]}; it hurts."
    chances.ahead([(text, CLAIM)])
    assert chances.of(CLAIM, text, compare(CLAIM, text)) == BY_WORDS.of(CLAIM, text, compare(CLAIM, text))
    assert reader.batches == []


def test_the_clauses_of_a_text_are_read_as_well():
    text = "Gout is caused by crystals; it often hurts the big toe."
    assert pairs_of(CLAIM, CLAIM) == [(CLAIM, CLAIM)]
    assert pairs_of(CLAIM, text) == [
        (text, CLAIM),
        ("Gout is caused by crystals", CLAIM),
        ("it often hurts the big toe.", CLAIM),
    ]
