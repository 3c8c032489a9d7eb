"""The command that trains what checks answers: what it needs, and what it refuses."""

import pytest

from tests.support.medquad import medquad_graph
from tests.support.verifiers import SENTENCES

__all__ = ["medquad_graph"]


def test_a_verifier_needs_sentences_to_learn_from(medgraph, medquad_graph, tmp_path):
    message = medgraph("train", "verifier", tmp_path / "v.tsv", "--sample", 50, fails=True)
    assert "too few sentences of MedQuAD's half dev" in message
    assert not (tmp_path / "v.tsv").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--epochs", "3"], "--claims, --epochs and --seed belong to --cross"),
        (["--claims", "{}"], "--claims, --epochs and --seed belong to --cross"),
        (["--cross", "--folds"], "--folds needs --claims"),
        (["--cross"], "is a file; name a folder"),
    ],
)
def test_options_of_a_cross_encoder_go_with_it(medgraph, sample_graph, tmp_path, options, told):
    path = tmp_path / "v.tsv"
    path.touch()
    assert told in medgraph("train", "verifier", path, *(one.format(tmp_path) for one in options), fails=True)
    assert "is a folder; name a file" in medgraph("train", "verifier", tmp_path, fails=True)


def test_without_torch_a_cross_encoder_is_not_trained(medgraph, sample_graph, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.setattr("medgraph.training.claim_pairs.quoted", lambda *_: SENTENCES)
    message = medgraph("train", "verifier", tmp_path / "made", "--cross", fails=True)
    assert "pip install 'medgraph[train]'" in message
