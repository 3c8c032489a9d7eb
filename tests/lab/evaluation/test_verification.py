"""How well claims are judged, beside the majority."""

import pytest

from medgraph_lab.evaluation.sets.claims import LabelledClaim
from medgraph_lab.evaluation.verification import labelled
from tests.support.verifiers import Always

PASSAGES = {"supports": "It causes fever.", "refutes": "It does not cause fever.", "neutral": "The moon rose late."}


def test_rules_and_what_reads_are_measured_beside_the_majority(encoder):
    pairs = [LabelledClaim("It causes fever.", (PASSAGES[label],), label, "1") for label in PASSAGES]
    rows = labelled({"healthver": pairs * 3}, encoder, Always(contradicts=0.9))
    assert {row["way"]: row["macro_f1"] for row in rows} == {
        "majority": pytest.approx(1 / 6), "rules as shipped": 1.0, "cross-encoder as set": pytest.approx(1 / 6)
    }  # fmt: skip
    assert [row["way"] for row in labelled({"citint": pairs}, encoder)] == ["majority", "rules as shipped"]
