"""Labelled claims are read, and files that are no such sets are refused."""

import gzip
import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.claims import SCIFACT, read_citint, read_healthver, read_scifact


def test_healthver_is_read_with_the_sentences_of_its_evidence(tmp_path):
    path = tmp_path / "h.csv"
    path.write_text(
        "id,evidence,claim,label,topic_ip,question\n"
        '1,"One thing. Another thing.",A claim,Refutes,7,Why?\n2,x,y,?,7,z\n',
        encoding="utf-8",
    )
    (pair,) = read_healthver(path)
    assert (pair.claim, pair.passage, pair.label) == ("A claim", ("One thing.", "Another thing."), "refutes")
    path.write_text("id,evidence,claim,label,topic_ip,question\n", encoding="utf-8")
    with pytest.raises(SourceFileError, match="Supports, Refutes or Neutral"):
        read_healthver(path)


def write(folder, claims, corpus):
    for name, rows in (("claims_dev", claims), ("corpus", corpus)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


def test_citint_is_read_with_what_is_cited_and_without_marks(tmp_path):
    corpus = [{"doc_id": 5, "title": "", "abstract": ["One.", "Two."]}]
    evidence = {"5": [{"sentences": [0], "label": "REFUTE"}]}
    claim = {"id": 0, "claim": "It helps [<|multi_cit|>,<|cit|>].", "evidence": evidence, "cited_doc_ids": [5]}
    write(tmp_path, [claim, claim | {"id": 1, "evidence": {}}], corpus)
    first, second = read_citint(tmp_path, "dev")
    assert (first.passage, first.label, second.label) == (("One.", "Two."), "refutes", "neutral")
    assert first.claim == "It helps ."
    write(tmp_path, [claim | {"cited_doc_ids": [6]}], corpus)
    with pytest.raises(SourceFileError, match="cites 6"):
        read_citint(tmp_path, "dev")
    write(tmp_path, [{"id": 0}], corpus)
    with pytest.raises(SourceFileError, match="line 1 lacks 'claim'"):
        read_citint(tmp_path, "dev")
    with pytest.raises(SourceFileError, match=r"corpus\.jsonl: cannot be read"):
        read_citint(tmp_path / "nowhere", "dev")


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
