"""Labelled claims are read, and files that are no such sets are refused."""

import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.claims import read_citint, read_healthver


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
    with pytest.raises(SourceFileError, match="lines of JSON"):
        read_citint(tmp_path / "nowhere", "dev")
