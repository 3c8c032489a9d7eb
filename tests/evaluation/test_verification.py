"""How well ways of judging claims do is measured on folds that share no topic."""

import numpy as np
import pytest

from medgraph.evaluation.claims import Labelled
from medgraph.evaluation.verification import labelled, macro_f1


class Letters:
    """Encodes texts by their letters."""

    def encode(self, texts):
        counts = np.array([[text.count(letter) + 0.1 for letter in "abcdefghijklmnop"] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def test_macro_f1_counts_labels_alike():
    truth = np.array([0, 0, 0, 1, 2])
    assert macro_f1(truth, truth) == 1.0
    assert macro_f1(truth, np.zeros(5, dtype=np.int64)) == pytest.approx(2 * 3 / 8 / 3)


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
