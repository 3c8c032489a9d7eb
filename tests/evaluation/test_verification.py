"""How well ways of judging claims do is measured on folds that share no topic."""

import numpy as np
import pytest

from medgraph.evaluation.sets.claims import Labelled
from medgraph.evaluation.verification import f1_of, labelled, macro_f1


class Letters:
    """Encodes texts by their letters."""

    def encode(self, texts):
        counts = np.array([[text.count(letter) + 0.1 for letter in "abcdefghijklmnop"] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def test_macro_f1_counts_labels_alike():
    truth = np.array([0, 0, 0, 1, 2])
    assert macro_f1(truth, truth) == 1.0
    assert macro_f1(truth, np.zeros(5, dtype=np.int64)) == pytest.approx(2 * 3 / 8 / 3)
    assert f1_of(truth, np.array([0, 0, 1, 1, 1])).tolist() == pytest.approx([4 / 5, 1 / 2, 0])


def test_every_way_is_measured_beside_the_majority():
    passages = {"supports": "It causes fever.", "refutes": "It does not cause fever.", "neutral": "The moon rose late."}
    pairs = [
        Labelled("It causes fever.", (passages[label],), label, str(topic)) for topic in range(30) for label in passages
    ]
    rows = labelled({"healthver": pairs, "citint": pairs[:9]}, pairs[9:], Letters())
    found = {(row["set"], row["way"]): row["macro_f1"] for row in rows}
    assert {way for _, way in found} == {"majority", "rules as shipped", "cosine", "signs", "signs and vectors"}
    assert found["healthver", "majority"] < 0.2
    assert found["healthver", "rules as shipped"] == found["healthver", "signs"] == found["citint", "signs"] == 1.0
    assert found == {
        (row["set"], row["way"]): row["macro_f1"]
        for row in labelled({"healthver": pairs, "citint": pairs[:9]}, pairs[9:], Letters())
    }


class Knowing:
    """Stands for a cross-encoder whose features tell what is right, and that judges all as neutral."""

    def features(self, pairs):
        rows = [["causes" in text and "not" not in text, "not" in text, "moon" in text] for text, _ in pairs]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)

    def concluded(self, features):
        return np.tile(np.array([[0.1, 0.1, 0.8]], dtype=np.float32), (len(features), 1))


def test_a_cross_encoder_is_measured_as_it_is_and_refitted():
    passages = {"supports": "It causes fever.", "refutes": "It does not cause fever.", "neutral": "The moon rose late."}
    pairs = [
        Labelled("It causes fever.", (passages[label],), label, str(topic)) for topic in range(30) for label in passages
    ]
    rows = labelled({"healthver": pairs, "citint": pairs[:9]}, pairs[9:], Letters(), Knowing())
    found = {(row["set"], row["way"]): row["macro_f1"] for row in rows}
    assert found["healthver", "cross-encoder as set"] == found["healthver", "majority"] < 0.2
    for way in ("its last layer fitted", "its last layer and signs"):
        assert found["healthver", way] == found["citint", way] == 1.0
