"""The training of what reads claims with their evidence. What needs torch runs where the extra `train` is installed."""

import json
import sys

import numpy as np
import pytest

from medgraph.answers.verify.reader import LABELLED, VERDICTS, load_reader
from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.errors import InputError
from medgraph.training.claim_pairs import CLAIMS_FROM, Material, Pair, made
from medgraph.training.entailment import HELD_OUT, Options, calibrated, chances_of, learner_of, train
from tests.support.verifiers import SENTENCES

FEW = Options(steps=4, batch=4, rate=1e-3, dropout=0.0, held=4)
CLAIMS = [Pair("Gout hurts.", f"Gout hurts {place} people.", place % 3, str(place)) for place in range(12)]
MATERIAL = Material(made(SENTENCES, 24), CLAIMS, CLAIMS_FROM)


def test_without_torch_what_to_install_is_said(base, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, MATERIAL, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


def test_the_temperature_makes_what_is_too_sure_less_so():
    labels = np.array([0, 1, 2, 0] * 20)
    logits = np.full((80, 3), -5.0)
    logits[np.arange(80), [0, 1, 2, 1] * 20] = 5.0
    found = calibrated(logits, labels)
    assert found["temperature"] > 2
    assert found["loss calibrated"] < found["loss"]
    assert found["calibration error calibrated"] < 0.1 < found["calibration error"]
    assert found["pairs"] == 80
    assert chances_of(logits).sum(axis=1) == pytest.approx(1)
    assert calibrated(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)) == {"temperature": 1.0, "pairs": 0}


@pytest.mark.usefixtures("_torch")
def test_what_is_learned_runs_without_torch_as_with_it(base, settings, tmp_path):
    from dataclasses import replace

    from medgraph.training.entailment import Learner

    card = train(base, MATERIAL, tmp_path, FEW)
    assert card == json.loads((tmp_path / layers.CARD).read_text())
    assert (card[LABELLED], card["labelled claims"]) == (list(VERDICTS), 12)
    assert [name.split()[0] for name in card["trained on"]] == ["MedQuAD", "HealthVer's", "Citation-Integrity's"]
    assert all("no licence" in name for name in card["trained on"][1:])
    assert card[HELD_OUT]["pairs"] > 0
    weights, learned = read_weights(base / "model.safetensors"), read_weights(tmp_path / layers.WEIGHTS)
    rounded = {name: weights[name].astype(np.float16).astype(np.float32) for name in learned.keys() & weights.keys()}
    moved = {name for name, value in rounded.items() if np.abs(learned[name] - value).max() > 1e-4}
    assert moved
    assert {name.split(".")[2] for name in moved} <= {"3", "4", "5"}
    ours = load_reader(replace(settings, verifier=str(tmp_path))).chances([(one.evidence, one.claim) for one in CLAIMS])
    theirs = chances_of(Learner(base, MATERIAL, FEW, tmp_path).logits(CLAIMS))
    assert ours == pytest.approx(theirs, abs=0.05)


@pytest.mark.usefixtures("_torch")
def test_an_interrupted_training_ends_as_one_that_was_not(base, tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.training.steps.SAVE_EVERY", 2)
    train(base, Material(MATERIAL.made), tmp_path / "whole", FEW)
    with monkeypatch.context() as patch:
        patch.setattr("medgraph.training.entailment.Learner._batch", _interrupting())
        with pytest.raises(KeyboardInterrupt):
            train(base, Material(MATERIAL.made), tmp_path / "cut", FEW)
    train(base, Material(MATERIAL.made), tmp_path / "cut", FEW)
    whole, cut = (read_weights(tmp_path / name / layers.WEIGHTS) for name in ("whole", "cut"))
    assert max(float(np.abs(whole[name] - cut[name]).max()) for name in whole) < 2e-3


def _interrupting():
    from medgraph.training.entailment import Learner

    plain = Learner._batch

    def batch(self, pairs, step):
        if step == 3:
            raise KeyboardInterrupt
        return plain(self, pairs, step)

    return batch


@pytest.mark.usefixtures("_torch")
def test_for_figures_it_learns_on_and_what_was_judged_is_kept(base, tmp_path, monkeypatch):
    train(base, Material(MATERIAL.made), tmp_path / "made", FEW)
    learn = learner_of(base, tmp_path / "made", tmp_path / "work", FEW, rounds=1)
    known = [(one.evidence, one.claim, one.label) for one in CLAIMS]
    found = learn(known, known[:5])
    assert found.shape == (5, 3)
    assert found.sum(axis=1) == pytest.approx(1)
    monkeypatch.setattr("medgraph.training.entailment.Learner", None)
    assert np.array_equal(learn(known, known[:5]), found)
