"""PubMedQA: its questions, sampled, with the document that each was made from."""

import json
import re

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation.literature import read


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pqal.json"
    path.write_text(json.dumps({str(n): {"QUESTION": f"Does it help {n}?"} for n in range(1, 9)}))
    return path


def test_each_question_should_find_its_own_document(path):
    documents = {"pubmedqa:3", "pubmedqa:7", "medquad:gout"}
    cases = read(path, documents, 9)
    assert {(case.id, case.text, case.relevant, case.kind) for case in cases} == {
        ("pubmedqa:3", "Does it help 3?", frozenset({"pubmedqa:3"}), "document"),
        ("pubmedqa:7", "Does it help 7?", frozenset({"pubmedqa:7"}), "document"),
    }
    assert read(path, documents, 1) == cases[:1]


def test_a_graph_without_abstracts_is_refused_with_what_loads_them(path):
    with pytest.raises(InputError, match=re.escape(f"no abstract of PubMedQA; run: medgraph load pubmedqa {path}")):
        read(path, {"medquad:gout"}, 9)


@pytest.mark.parametrize("text", ["", "[]", '{"1": {}}', '{"1": []}', '{"1": "x"}', "\udcff"])
def test_other_files_are_refused_with_their_name(path, text):
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SourceFileError, match=re.escape("pqal.json: is not PubMedQA's file of questions: ")):
        read(path, {"pubmedqa:1"}, 9)
