"""How well claims are judged, beside the majority."""

import numpy as np
import pytest

from medgraph.evaluation.sets.claims import LabelledClaim
from medgraph.evaluation.verification import f1_of, labelled, macro_f1
from tests.support.verifiers import Always

PASSAGES = {"supports": "It causes fever.", "refutes": "It does not cause fever.", "neutral": "The moon rose late."}


def test_macro_f1_counts_labels_alike():
    truth = np.array([0, 0, 0, 1, 2])
    assert macro_f1(truth, truth) == 1.0
    assert macro_f1(truth, np.zeros(5, dtype=np.int64)) == pytest.approx(2 * 3 / 8 / 3)
    assert f1_of(truth, np.array([0, 0, 1, 1, 1])).tolist() == pytest.approx([4 / 5, 1 / 2, 0])


def test_rules_and_what_reads_are_measured_beside_the_majority(encoder):
    pairs = [LabelledClaim("It causes fever.", (PASSAGES[label],), label, "1") for label in PASSAGES]
    rows = labelled({"healthver": pairs * 3}, encoder, Always(contradicts=0.9))
    assert {row["way"]: row["macro_f1"] for row in rows} == {
        "majority": pytest.approx(1 / 6), "rules as shipped": 1.0, "cross-encoder as set": pytest.approx(1 / 6)
    }  # fmt: skip
    assert [row["way"] for row in labelled({"citint": pairs}, encoder)] == ["majority", "rules as shipped"]
