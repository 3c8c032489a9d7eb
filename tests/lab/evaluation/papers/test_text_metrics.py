"""Metrics of a text beside a reference: figures by hand."""

import numpy as np
import pytest

from medgraph_lab.evaluation.papers.text_metrics import bert_score, bleu_4, flesch, meteor, overlap, rouge_2
from medgraph_lab.evaluation.papers.written import Asked, by_chance

SAID = "Colchicine eases gout attacks."


def test_texts_that_are_the_same_score_most_and_others_nothing():
    for metric in (rouge_2, meteor):
        assert metric(SAID, SAID) == pytest.approx(1, abs=0.01)
        assert metric("Nothing alike here.", SAID) == metric("", SAID) == metric("", "") == 0
    assert bleu_4([SAID], [SAID]) == pytest.approx(1)


def test_pairs_of_words_count_each_once():
    assert rouge_2("rest and rest and rest", "rest and ice") == pytest.approx(2 / 6)


def test_meteor_takes_stems_and_no_synonyms():
    assert meteor("gout attacks", "gout attack") == pytest.approx(meteor("gout attack", "gout attack"))
    assert meteor("gout assault", "gout attack") < meteor("gout attacks", "gout attack")


def test_tokens_match_the_nearest_of_the_other_side():
    east, north = np.eye(2, dtype=np.float32)
    both = np.array([east, north])
    assert bert_score(both, both) == pytest.approx(1)
    assert bert_score(both, east[None]) == pytest.approx(2 / 3)  # recall of a half, precision of all
    assert bert_score(both, np.zeros((0, 2), dtype=np.float32)) == 0


def test_reading_ease_falls_with_syllables():
    assert flesch("The cat sat.") == pytest.approx(206.835 - 3 * 1.015 - 84.6)
    assert flesch("Rheumatological manifestations necessitate evaluation.") < 0
    assert flesch("...") == 0


def test_densities_have_in_common_what_both_cover():
    near = [10.0, 20.0, 30.0]
    assert overlap(near, near) == pytest.approx(1, abs=0.01)
    assert overlap(near, [1000.0, 1010.0]) == pytest.approx(0, abs=0.01)
    assert 0.3 < overlap(near, [20.0, 30.0, 40.0]) < 0.9
    assert overlap(near, [20.0]) == overlap([], near) == 0


def test_each_question_is_given_the_answer_of_another():
    found = by_chance({name: Asked(name, name.upper()) for name in "abc"})
    assert [(one["text"], one["label"]) for one in found.values()] == [("B", "A"), ("C", "B"), ("A", "C")]
