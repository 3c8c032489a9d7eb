"""Logistic regression: known weights are found again, and what counts more pulls more."""

import numpy as np
import pytest

from medgraph.evaluation.logistic import fit

CHANCE = np.random.default_rng(3)


def test_weights_are_found_again():
    features = CHANCE.normal(size=(20_000, 2))
    odds = features @ [2.0, -1.0] + 0.5
    labels = (CHANCE.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    assert fit(features, labels, np.ones(20_000), 0.01) == pytest.approx([2.0, -1.0, 0.5], abs=0.1)


def test_a_ridge_keeps_weights_small_and_leaves_the_intercept():
    features = np.array([[1.0], [1.0], [0.0], [0.0]])
    labels = np.array([1.0, 1.0, 0.0, 0.0])
    loose, tight = fit(features, labels, np.ones(4), 0.1), fit(features, labels, np.ones(4), 100.0)
    assert loose[0] > 1 > tight[0] > 0
    assert fit(np.zeros((4, 1)), np.array([1.0, 1, 1, 0]), np.ones(4), 100.0)[1] == pytest.approx(np.log(3))


def test_examples_count_as_much_as_is_said():
    features = np.zeros((2, 1))
    assert fit(features, np.array([1.0, 0.0]), np.array([3.0, 1.0]), 1.0)[1] == pytest.approx(np.log(3))
