"""How well claims are judged: faults and rewordings, SciFact, and silence."""

import gzip
import json
import random

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph_lab.evaluation import abstention
from medgraph_lab.evaluation.sets.claims import SCIFACT, LabelledClaim, read_scifact
from medgraph_lab.evaluation.verification import QuotedSentence, faulty, labelled, quoted, reworded
from tests.support.answers import answerer_of
from tests.support.verifiers import Always

PASSAGES = {"supports": "It causes fever.", "refutes": "It does not cause fever.", "neutral": "The moon rose late."}


def test_rules_and_what_reads_are_measured_beside_the_majority(encoder):
    pairs = [LabelledClaim("It causes fever.", (PASSAGES[label],), label, "1") for label in PASSAGES]
    rows = labelled({"healthver": pairs * 3}, encoder, Always(contradicts=0.9))
    assert {row["way"]: row["macro_f1"] for row in rows} == {
        "majority": pytest.approx(1 / 6), "rules as shipped": 1.0, "cross-encoder as set": pytest.approx(1 / 6)
    }  # fmt: skip
    assert [row["way"] for row in labelled({"citint": pairs}, encoder)] == ["majority", "rules as shipped"]


SENTENCES = [
    QuotedSentence(f"s{number}", text)
    for number, text in enumerate(
        (
            "Gout is caused by crystals in the joints of the body.",
            "Take 10 mg of it each day for 3 weeks at most.",
            "It does not spread from one person to another one.",
            "Metformin and simvastatin lower the risk of later harm.",
            "Increased pressure (of the blood) damages the heart; it is seen in two of three people.",
        )
    )
]


def test_each_fault_is_one_change_of_its_kind():
    made = faulty(SENTENCES * 4, 20, random.Random(1))
    assert len(made) == 16  # the other drug that is known is in the same sentence
    assert {one.kind for one in made} >= {"negation", "number", "direction", "part"}
    assert all(one.text != one.cited and not one.right for one in made)
    assert faulty(SENTENCES, 3, random.Random(1)) == faulty(SENTENCES, 3, random.Random(1))
    negated = [one for one in made if one.kind == "negation"]
    assert all((" not" in one.text) != (" not" in one.cited) for one in negated)


def test_a_drug_is_replaced_by_another_one():
    sentence = QuotedSentence("s", "Metformin helps some people, and simvastatin helps others.")
    drugs = [one for one in faulty([sentence] * 8, 8, random.Random(1)) if one.kind == "drug"]
    assert drugs == []  # both are in the sentence, and no other drug is known
    other = QuotedSentence("t", "People who took atorvastatin felt better afterwards.")
    drugs = [one for one in faulty([sentence, other] * 8, 16, random.Random(1)) if one.kind == "drug"]
    assert drugs
    assert all("atorvastatin" in one.text for one in drugs if one.cited == sentence.text)


def test_rewordings_say_the_same():
    made = reworded(SENTENCES, 10, random.Random(1))
    assert made
    assert all(one.text != one.cited and one.right for one in made)


@pytest.mark.server
def test_without_medquad_it_is_said_what_to_load(database):
    with pytest.raises(InputError, match="medgraph load medquad"):
        quoted(database, "held", 10)


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_answering_and_keeping_silent_are_measured(medquad_graph, encoder, ontology):
    answerer = answerer_of(medquad_graph, encoder)
    questions = [one for part in ("dev", "held") for one in abstention.cases(medquad_graph, ontology, part, 20)]
    assert sum(not case.relevant for case in questions) >= 30
    table = abstention.measure(answerer, questions)
    assert [row["threshold"] for row in table] == [i / 10 for i in range(1, 10)]
    for name in ("answered", "false answers"):
        assert [row[name] for row in table] == sorted((row[name] for row in table), reverse=True)
    at = next(row for row in table if row["threshold"] == 0.5)
    assert min(at["answered"], at["right"]) > 0.8
    assert at["false answers"] == 0


@pytest.mark.thorough
def test_without_medquad_there_are_no_cases(sample_graph, tmp_path):
    with pytest.raises(InputError, match="which the graph lacks"):
        abstention.cases(sample_graph, tmp_path / "nope.obo", "dev", 10)
