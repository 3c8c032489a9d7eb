"""Pairs to learn from say what the evidence says of the claim, and are made the same way each time."""

import pytest

from medgraph_lab.evaluation.sets.claims import LabelledClaim
from medgraph_lab.training.verifier import ClaimPair, gather, made
from tests.support.verifiers import SENTENCES

pytestmark = pytest.mark.thorough

SUPPORTED, CONTRADICTED, NO_EVIDENCE = range(3)


def test_sentences_are_paired_as_they_are_with_faults_and_with_their_neighbours():
    pairs = made(SENTENCES, 24)
    assert made(SENTENCES, 24) == pairs
    assert len(set(pairs)) == len(pairs)
    assert {pair.label for pair in pairs} == {SUPPORTED, CONTRADICTED, NO_EVIDENCE}
    for pair in pairs:
        if pair.claim in pair.evidence:
            assert pair.label == SUPPORTED
    known = {one.text for one in SENTENCES}
    opposed = [pair for pair in pairs if pair.label == CONTRADICTED]
    assert {pair.claim in known for pair in opposed} == {True, False}
    for one in SENTENCES:
        assert ClaimPair(one.around[0], one.text, NO_EVIDENCE, one.section) in pairs


def test_labelled_claims_are_learned_from_beside_made_ones(encoder, tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph_lab.training.verifier.quoted", lambda *_: SENTENCES)
    claims = [LabelledClaim("Gout hurts.", ("Gout is painful.",), "supports", "7")]
    monkeypatch.setattr(
        "medgraph_lab.training.verifier.read_scifact", lambda folder, _: claims * (folder == tmp_path / "scifact")
    )
    material = gather(None, 24, tmp_path, lambda: encoder)
    assert material.claims == [ClaimPair("Gout is painful.", "Gout hurts.", SUPPORTED, "7")]
    assert material.all == [*material.made, *material.claims]
    assert [one.split()[0] for one in material.named] == ["MedQuAD", "SciFact's"]
    assert gather(None, 24, None, lambda: encoder).named == material.named[:1]
