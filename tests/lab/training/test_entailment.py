"""The training of what reads claims with their evidence, and the pairs that it learns from."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from medgraph.answers.verify.reader import load_reader
from medgraph.embeddings.encoders.layers import CARD
from medgraph.errors import InputError
from medgraph_lab.evaluation.sets.claims import LabelledClaim
from medgraph_lab.training.entailment import HELD_OUT, Options, chances_of, folds, train
from medgraph_lab.training.library import CHECKPOINTS
from medgraph_lab.training.verifier import CLAIMS_FROM, ClaimPair, Material, gather, made
from tests.support.verifiers import SENTENCES, write_inferring

FEW = Options(epochs=1, batch=8, frozen=1, rate=1e-3, held=4)
CLAIMS = [ClaimPair("Gout hurts.", f"Gout hurts {place} people.", place % 3, str(place)) for place in range(12)]
MATERIAL = Material(made(SENTENCES, 24), CLAIMS)
WEIGHTS = "model.safetensors"


@pytest.fixture
def base(tmp_path):
    return write_inferring(tmp_path / "base")


def test_without_torch_what_to_install_is_said(base, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install '\.\[train\]'"):
        train(base, MATERIAL, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


@pytest.mark.extra
def test_what_is_learned_runs_without_torch_as_with_it(base, settings, tmp_path):
    from sentence_transformers.cross_encoder import CrossEncoder
    from torch.nn import Identity

    folder = tmp_path / "made"
    card = train(base, MATERIAL, folder, FEW)
    assert card == json.loads((folder / CARD).read_text())
    assert (card["labelled pairs"], card["trained on"][1:]) == (12, [CLAIMS_FROM])
    assert card[HELD_OUT]["pairs"] > 0
    before, after = load_file(base / WEIGHTS), load_file(folder / WEIGHTS)
    moved = {name for name, value in after.items() if np.abs(before[name] - value).max() > 1e-5}
    assert {name.split(".")[3] for name in moved if name.startswith("bert.encoder")} == {"1"}
    assert not any("embeddings" in name for name in moved)
    pairs = [(one.evidence, one.claim) for one in CLAIMS]
    ours = load_reader(replace(settings, verifier=str(folder))).chances(pairs)
    logits = CrossEncoder(str(folder), device="cpu").predict(pairs, activation_fn=Identity())
    assert ours == pytest.approx(chances_of(logits.astype(np.float64)), abs=0.02)


@pytest.mark.extra
def test_an_interrupted_training_ends_as_one_that_was_not(base, tmp_path, monkeypatch):
    from sentence_transformers.cross_encoder.losses import CrossEntropyLoss

    plain, taken, last = CrossEntropyLoss.forward, [], []

    def forward(self, *given, **named):
        taken.append(1)
        if len(taken) in last:
            raise KeyboardInterrupt
        return plain(self, *given, **named)

    monkeypatch.setattr(CrossEntropyLoss, "forward", forward)
    monkeypatch.setattr("medgraph_lab.training.library.SAVE_EVERY", 2)
    train(base, MATERIAL, tmp_path / "whole", FEW)
    steps = len(taken)
    last.append(steps + 4)
    with pytest.raises(KeyboardInterrupt):
        train(base, MATERIAL, tmp_path / "cut", FEW)
    train(base, MATERIAL, tmp_path / "cut", FEW)
    assert len(taken) == steps + 4 + steps - 2
    assert not (tmp_path / "cut" / CHECKPOINTS).exists()
    whole, cut = (load_file(tmp_path / name / WEIGHTS) for name in ("whole", "cut"))
    assert max(float(np.abs(whole[name] - cut[name]).max()) for name in whole) < 1e-4


@pytest.mark.extra
def test_each_claim_is_judged_by_what_did_not_learn_from_it(base, tmp_path, monkeypatch):
    from medgraph_lab.training import entailment

    plain, known = entailment._fitted, []
    monkeypatch.setattr(
        entailment, "_fitted", lambda base, pairs, *more: known.append(pairs) or plain(base, pairs, *more)
    )
    found = folds(base, MATERIAL, tmp_path / "made", FEW)
    assert found["pairs"] == len(CLAIMS)
    assert found["macro_f1"] == pytest.approx(
        np.mean([found["supported"], found["contradicted"], found["no_evidence"]])
    )
    left = [one for pairs in known for one in CLAIMS if one not in pairs]
    assert sorted(left, key=CLAIMS.index) == CLAIMS
    monkeypatch.setattr(entailment, "_fitted", None)
    assert folds(base, MATERIAL, tmp_path / "made", FEW) == found
    with pytest.raises(TypeError):  # what others learned is not taken for it
        folds(base, MATERIAL, tmp_path / "made", replace(FEW, seed=8))


SUPPORTED, CONTRADICTED, NO_EVIDENCE = range(3)


@pytest.mark.thorough
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


@pytest.mark.thorough
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
