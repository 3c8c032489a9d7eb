"""Learning by PyKEEN, where the extra `kge` is installed; and what is said where it is not."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.kge import learning
from medgraph.embeddings.kge.learning import CHECKPOINT, MODELS, Baseline, learn, preset
from medgraph.embeddings.kge.vectors import figures, ranks
from medgraph.errors import InputError

MRR = "both.realistic.inverse_harmonic_mean_rank"


def few(model, kind="tuned"):
    return replace(preset(model, kind), epochs=2, every=1, batch=64)


def test_without_pykeen_what_to_install_is_said(parts, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pykeen", None)
    with pytest.raises(InputError, match=r"need PyKEEN \(.*\); run .*: pip install '\.\[kge\]'"):
        learn(parts, few("TransE"), tmp_path / "made", 1)
    assert not (tmp_path / "made").exists()


@pytest.mark.extra
@pytest.mark.parametrize("model", MODELS)
def test_scores_without_torch_are_those_of_pykeen(parts, model, tmp_path, monkeypatch):
    import torch
    from pykeen.evaluation import RankBasedEvaluator

    seen = set()
    own = learning._vectors
    monkeypatch.setattr(learning, "_vectors", lambda model, *rest: seen.add(model) or own(model, *rest))
    vectors, told = learn(parts, few(model), tmp_path, 3)
    assert (told["epochs"], len(told["mrr while training"])) == (2, 2)
    assert not list(tmp_path.iterdir())
    (trained,) = seen
    shifts = trained.biases.detach() if hasattr(trained, "biases") else 0.0
    score = trained.score_t
    monkeypatch.setattr(trained, "score_t", lambda *given, **options: score(*given, **options) + shifts)
    asked = torch.tensor([[0, 0], [1, 2], [5, 1]])
    theirs = trained.predict_t(asked), trained.predict_h(asked.flip(1))
    ours = (scores(*asked.numpy().T) for scores in (vectors.tails, vectors.heads))
    for one, other in zip(theirs, ours, strict=True):
        assert other == pytest.approx(one.detach().numpy(), abs=1e-4)
    known = [learning._factory(parts.triples, rows).mapped_triples for rows in (parts.train, parts.valid)]
    with learning._quiet():
        result = RankBasedEvaluator(filtered=True).evaluate(
            trained, torch.as_tensor(parts.test), additional_filter_triples=known, use_tqdm=False, batch_size=16
        )
    found = figures(ranks(vectors, parts.triples, parts.test))
    assert found["mrr"] == pytest.approx(result.get_metric(MRR), abs=1e-3)


@pytest.mark.extra
@pytest.mark.parametrize("model", ["TransE", "ComplEx"])
def test_an_interrupted_training_goes_on(parts, model, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(learning, "SAVE_EVERY", 0)
    short = replace(few(model), patience=9, falling=False)  # the rate's fall is that of all epochs
    longer = replace(short, epochs=4)
    whole, expected = learn(parts, longer, tmp_path / "whole", 3)
    own, looks = learning._vectors, iter([True, True])  # at the MRR, before the end
    with monkeypatch.context() as patch:
        patch.setattr(learning, "_vectors", lambda *given: own(*given) if next(looks, False) else 1 / 0)
        with pytest.raises(ZeroDivisionError):
            learn(parts, short, tmp_path / "parts", 3)
    assert (tmp_path / "parts" / CHECKPOINT).is_file()
    made, told = learn(parts, longer, tmp_path / "parts", 3)
    assert "going on after epoch 2 of 4" in capsys.readouterr().err
    assert (told["epochs"], told["mrr while training"]) == (4, expected["mrr while training"])
    assert np.allclose(made.entities, whole.entities, atol=1e-4)


@pytest.mark.extra
def test_a_training_ends_when_its_time_is_over(parts, tmp_path):
    _, told = learn(parts, replace(few("RotatE"), epochs=50), tmp_path, 3, minutes=1e-9, threads=1)
    assert told["epochs"] == 1


@pytest.mark.extra
def test_baselines_score_every_concept(parts):
    for name in ("MarginalDistributionBaseline", "SoftInverseTripleBaseline"):
        scores = Baseline(parts, name).heads(parts.test[:, 2], parts.test[:, 1])
        assert scores.shape == (len(parts.test), len(parts.triples.entities))
        assert np.isfinite(scores).all()
