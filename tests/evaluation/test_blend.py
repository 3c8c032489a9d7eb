"""The floor: both branches scaled, and the weight chosen on other questions."""

import re
import sys

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.evaluation.retrieval import Blend, best_weights, chosen, fold


class Known:
    """Gives every question the same vector."""

    def encode(self, texts):
        return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32)


def blend(texts, chunks, vectors):
    return Blend(texts, chunks, np.array(vectors, dtype=np.float32), Known())


def test_branches_go_from_the_worst_text_to_the_best():
    made = blend(
        {"a": "gout hurts the toe", "b": "asthma", "c": "gout"},
        ["a", "a", "b", "c"],
        [[0, 1], [0.6, 0.8], [1, 0], [0, 1]],
    )
    words, near = made.branches("What about gout of the toe?")
    assert made.sections == ["a", "b", "c"]
    assert words.tolist() == [1, 0, pytest.approx(words[2])]
    assert 0 < words[2] < 1
    assert near.tolist() == [pytest.approx(0.6), 1, 0]


def test_a_question_without_words_has_vectors_alone():
    words, near = blend({"a": "gout", "b": "asthma"}, ["a", "b"], [[1, 0], [0, 1]]).branches("?!")
    assert words.tolist() == [0, 0]
    assert near.tolist() == [1, 0]


def test_the_weight_of_a_question_is_chosen_on_the_other_folds():
    measured = {0.0: [1.0, 0.0, 0.0], 1.0: [0.0, 0.4, 0.4]}
    assert best_weights(measured, [0, 1, 1]) == [1.0, 0.0, 0.0]


def test_texts_are_ranked_by_the_weighted_sum_of_both_branches():
    made = blend({"a": "gout", "b": "asthma"}, ["a", "b"], [[0, 1], [1, 0]])
    branches = made.branches("gout")
    assert made.ranked(branches, 1.0, 9) == ["a", "b"]
    assert made.ranked(branches, 0.4, 9) == ["b", "a"]
    assert made.ranked(branches, 0.4, 1) == ["b"]


def test_each_question_has_what_the_weight_of_other_folds_makes_of_it():
    assert {fold(f"q{n}") for n in range(40)} == set(range(5))
    twin = next(f"q{n}" for n in range(1, 40) if fold(f"q{n}") == fold("q0"))
    names = ["q0", twin, *[f"q{n}" for n in range(1, 40) if fold(f"q{n}") != fold("q0")][:2]]
    gains = {0.0: [1.0, 1.0, 0.0, 0.0], 1.0: [0.0, 0.0, 0.4, 0.4]}
    assert chosen({0.0: "abcd", 1.0: "wxyz"}, gains, names)[:2] == ["w", "x"]


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(InputError, match=re.escape("pip install 'medgraph[evaluate]'")):
        blend({"a": "gout"}, ["a"], [[1, 0]])
