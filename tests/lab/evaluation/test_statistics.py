"""How sure differences are, against worked examples and simulated ones."""

import numpy as np
import pytest

from medgraph_lab.evaluation.statistics import Auc, Mean, compare, holm


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


def test_the_same_values_differ_by_nothing_and_for_sure_by_chance():
    same = compare(mean(0.2, 0.9, 0.4), mean(0.2, 0.9, 0.4))
    assert (same.more, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_questions_are_paired():
    hard = np.tile([0.0, 1.0], 50)  # questions differ far more than ways do
    better = compare(Mean(hard + 0.1), Mean(hard))
    assert (better.low, better.high) == (pytest.approx(0.1), pytest.approx(0.1))
    assert better.p == pytest.approx(1 / 10_001)


def test_many_comparisons_are_corrected():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4, 0.9, 0.5]) == [1, 1, 1]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []
