"""SciFact: evidence that decides, and evidence that tells nothing."""

import gzip
import json

import pytest

from medgraph.errors import SourceFileError
from medgraph_lab.evaluation.sets.claims import SCIFACT, read_scifact

pytestmark = pytest.mark.thorough


def test_scifact_has_evidence_that_decides_and_evidence_that_tells_nothing(encoder, tmp_path):
    folder = tmp_path / SCIFACT
    folder.mkdir()
    corpus = [
        {"doc_id": 1, "title": "Gout", "abstract": ["Cars are fast.", "Gout hurts.", "Gout is painful."]},
        {"doc_id": 2, "title": "Painful gout", "abstract": ["Gout pain comes at night.", "Cars are slow."]},
        {"doc_id": 3, "title": "Rust on cars", "abstract": ["Rust is red."]},
    ]
    decides = {"1": [{"sentences": [1], "label": "SUPPORT"}]}
    refutes = {"3": [{"sentences": [0], "label": "CONTRADICT"}]}
    claims = [
        {"id": 4, "claim": "Gout is painful.", "evidence": decides, "cited_doc_ids": [1]},
        {
            "id": 5,
            "claim": "Rust is blue.",
            "evidence": refutes,
            "cited_doc_ids": [3],
        },
        {"id": 6, "claim": "Gout hurts.", "evidence": {}, "cited_doc_ids": [2, 1]},
    ]
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, corpus)).encode()))
    (folder / "claims_train.jsonl").write_text("\n".join(map(json.dumps, claims)), encoding="utf-8")
    first, rust, _ = ([one for one in read_scifact(folder, encoder) if one.claim == row["claim"]] for row in claims)
    assert [(one.passage[0], one.label) for one in first] == [
        ("Gout hurts.", "supports"),
        ("Gout is painful.", "neutral"),
        ("Gout pain comes at night.", "neutral"),
    ]
    assert (rust[0].passage[0], rust[0].label) == ("Rust is red.", "refutes")
    topics = {one.claim: one.topic for one in read_scifact(folder, encoder)}
    assert topics["Gout is painful."] == topics["Gout hurts."] != topics["Rust is blue."]
    (folder / "claims_train.jsonl").write_text(json.dumps(claims[0] | {"cited_doc_ids": [9]}), encoding="utf-8")
    with pytest.raises(SourceFileError, match="cites 9, which the corpus lacks"):
        read_scifact(folder, encoder)
