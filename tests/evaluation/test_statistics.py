"""How sure differences are, against worked examples and simulated ones."""

import math

import numpy as np
import pytest

from medgraph.evaluation.statistics import Auc, Mean, compare, holm


def mean(*values):
    return Mean(np.array(values, dtype=np.float64))


def auc(pairs):
    """Make one of (score, good, owner) rows."""
    scores, good, owners = zip(*pairs, strict=True)
    return Auc(np.array(scores, dtype=np.float64), np.array(good, dtype=bool), np.array(owners))


def test_the_area_is_the_share_of_pairs_in_the_right_order():
    assert auc([(0.9, True, 0), (0.1, False, 0)]).value() == 1
    assert auc([(0.1, True, 0), (0.9, False, 0)]).value() == 0
    assert auc([(0.5, True, 0), (0.5, False, 0)]).value() == 0.5
    assert auc([(3, True, 0), (2, False, 0), (1, True, 1), (0, False, 1)]).value() == 3 / 4
    assert auc([(1, True, 0), (1, False, 0), (0, False, 1), (2, False, 1)]).value() == 1.5 / 3
    assert auc([(1, True, 0), (2, True, 1)]).value() == 0.5


def test_pairs_of_a_question_are_drawn_together():
    measured = auc([(3, True, 0), (2, False, 0), (0, True, 1), (1, False, 1)])
    assert measured.questions == 2
    assert measured.drawn(np.array([[0, 0], [1, 1], [0, 1]])).tolist() == [1, 0, 0.5]
    # Question 0 twice: of 2 + 1 good and 2 + 1 bad pairs, 2 * (2 + 1) + 0 are in order.
    three = auc([(3, True, 0), (2, False, 0), (0, True, 1), (1, False, 1), (9, True, 2), (-9, False, 2)])
    assert three.drawn(np.array([[0, 0, 1]])).tolist() == [pytest.approx(6 / 9)]


def test_the_same_values_differ_by_nothing_and_for_sure_by_chance():
    same = compare(mean(0.2, 0.9, 0.4), mean(0.2, 0.9, 0.4))
    assert (same.more, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_an_interval_is_that_of_the_normal_distribution_for_many_questions():
    values = np.random.default_rng(1).normal(0.02, 0.3, 2000)
    found = compare(Mean(values), Mean(np.zeros(2000)))
    error = values.std() / math.sqrt(2000)
    assert found.more == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.1 * error)
    assert found.p == pytest.approx(math.erfc(abs(values.mean()) / error / math.sqrt(2)), abs=0.02)


def test_questions_are_paired():
    hard = np.tile([0.0, 1.0], 50)  # questions differ far more than ways do
    better = compare(Mean(hard + 0.1), Mean(hard))
    assert (better.low, better.high) == (pytest.approx(0.1), pytest.approx(0.1))
    assert better.p == pytest.approx(1 / 10_001)


def test_a_difference_is_the_same_each_time_and_the_other_way_round_its_opposite():
    one, other = mean(0.1, 0.5, 0.9, 0.3), mean(0.4, 0.1, 0.2, 0.2)
    there, back = compare(one, other), compare(other, one)
    assert there == compare(one, other)
    assert (back.more, back.low, back.high, back.p) == pytest.approx((-there.more, -there.high, -there.low, there.p))


def test_areas_are_compared_like_means():
    random = np.random.default_rng(2)
    owners, good = np.repeat(np.arange(100), 2), np.tile([True, False], 100)
    sharp, blunt = good + random.normal(0, 0.5, 200), good + random.normal(0, 3, 200)
    found = compare(Auc(sharp, good, owners), Auc(blunt, good, owners))
    assert 0 < found.low < found.more < found.high
    assert found.p < 0.01


def test_many_comparisons_are_corrected():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4, 0.9, 0.5]) == [1, 1, 1]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []
