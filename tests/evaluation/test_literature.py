"""PubMedQA: its questions, sampled, with the document that each was made from."""

import json
import re

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation.sets.pubmedqa import read


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pqal.json"
    path.write_text(json.dumps({str(n): {"QUESTION": f"Does it help {n}?"} for n in range(1, 9)}))
    return path


def test_each_question_should_find_its_own_document(path):
    every = {f"pubmedqa:{n}" for n in range(1, 9)}
    dev, held = (read(path, every | {"medquad:gout"}, part, 9) for part in ("dev", "held"))
    assert {case.id for case in dev} | {case.id for case in held} == every
    assert len(dev) + len(held) == 8
    for case in dev + held:
        number = case.id.removeprefix("pubmedqa:")
        assert (case.text, case.relevant, case.kind) == (f"Does it help {number}?", frozenset({case.id}), "document")
    assert read(path, every, "dev", 1) == dev[:1]
    assert read(path, {dev[0].id}, "dev", 9) == dev[:1]


def test_a_graph_without_abstracts_is_refused_with_what_loads_them(path):
    with pytest.raises(
        InputError, match=re.escape(f"no abstract of PubMedQA's half dev; run: medgraph load pubmedqa {path}")
    ):
        read(path, {"medquad:gout"}, "dev", 9)


@pytest.mark.parametrize("text", ["", "[]", '{"1": {}}', '{"1": []}', '{"1": "x"}', "\udcff"])
def test_other_files_are_refused_with_their_name(path, text):
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SourceFileError, match=re.escape("pqal.json: is not PubMedQA's file of questions: ")):
        read(path, {"pubmedqa:1"}, "dev", 9)
