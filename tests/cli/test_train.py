"""The commands that train: what they make, what they print, and what they refuse."""

import json
from dataclasses import asdict

import pytest

from medgraph.cli.train import train
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.queries.fusion import FEATURES, read
from medgraph.training.both_sides import Options as Both
from medgraph.training.encoder import Options
from medgraph.training.generated import Wanted
from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


def test_weights_are_fitted_and_printed(medgraph, medquad_graph, tmp_path):
    text = medgraph("train", "fusion", tmp_path / "fusion.tsv", "--sample", 4)
    assert all(name in text for name in FEATURES)
    assert read(tmp_path / "fusion.tsv").weights.keys() == set(FEATURES)
    data = json.loads(medgraph("train", "fusion", tmp_path / "again.tsv", "--sample", 4, "--json"))
    assert [row["feature"] for row in data["rows"]] == list(FEATURES)
    assert (tmp_path / "again.tsv").read_bytes() == (tmp_path / "fusion.tsv").read_bytes()


def test_a_graph_without_medquad_is_refused(medgraph, sample_graph, tmp_path):
    message = medgraph("train", "fusion", tmp_path / "fusion.tsv", fails=True)
    assert "made from MedQuAD, which the graph lacks" in message
    assert not (tmp_path / "fusion.tsv").exists()
    assert "which the graph lacks" in medgraph("train", "verifier", tmp_path / "v.tsv", fails=True)
    assert "which the graph lacks" in medgraph("train", "encoder", tmp_path / "made", fails=True)


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [("--pairs", "<x/>", "has not pairs of both values"), ("--messages", "a,b\n", "file")],
)
def test_files_that_are_none_are_named(medgraph, sample_graph, tmp_path, option, content, message):
    path = tmp_path / "given.csv"
    path.write_text(content)
    told = medgraph("train", "encoder", tmp_path / "made", option, path, fails=True)
    assert str(path) in told
    assert message in told
    assert not (tmp_path / "made").exists()


def test_what_is_offered_is_what_the_training_does_by_itself():
    offered = {option.name: option.default for option in train.commands["encoder"].params}
    for options in (asdict(Options()), asdict(Both())):
        assert {name: offered[name] for name in ("steps", "batch", "rate", "seed")}.items() <= options.items()
    assert {name: offered[name] for name in ("piece", "negatives", "tokens")}.items() <= asdict(Both()).items()
    assert (offered["generate"], offered["each"]) == (Wanted().passages, Wanted().each)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--piece", 32], "--piece is of use only with --both-sides"),
        (["--both-sides", "--each", 2], "--each is of use only with --generator"),
        (["--both-sides", "--dimensions", "384;x"], "'384;x' is no list of numbers such as 384,256,128,64"),
        (["--both-sides", "--dimensions", "64,0"], "--dimensions 0: vectors of"),
        (["--both-sides", "--generator", "nowhere"], "nowhere"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(medgraph, medquad_graph, tmp_path, options, message):
    assert message in medgraph("train", "encoder", tmp_path / "made", *options, fails=True)
    assert not (tmp_path / "made").exists()


def test_without_torch_what_to_install_is_said(medgraph, medquad_graph, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    for options in ((), ("--both-sides",), ("--both-sides", "--generator", tmp_path)):
        assert "pip install 'medgraph[train]'" in medgraph("train", "encoder", tmp_path / "made", *options, fails=True)


def test_questions_of_abstracts_are_those_whose_abstracts_are_loaded(medgraph, medquad_graph, tmp_path):
    abstracts = tmp_path / "pqal.json"
    abstracts.write_text(json.dumps({"201": {"QUESTION": "Are green spots a sign of Zorblattosis?"}}))
    wanted = ("train", "fusion", tmp_path / "fusion.tsv", "--sample", 4, "--abstracts", abstracts)
    assert "the graph has no abstract of PubMedQA's half dev" in medgraph(*wanted, fails=True)
    assert not (tmp_path / "fusion.tsv").exists()


def test_a_reranker_is_trained_and_calibrated(medgraph, medquad_graph, monkeypatch, tmp_path):
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("transformers", reason="the extra `train` is not installed")
    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", load_encoder)
    monkeypatch.setattr("medgraph.training.calibrating.SHARE", 2)
    few = ("--steps", 6, "--questions", 2, "--passages", 3, "--rate", 0.001)
    text = medgraph("train", "reranker", tmp_path / "made", *few)
    card = json.loads((tmp_path / "made" / "card.json").read_text())
    told = card.get("calibration")
    assert ("calibrated on" in text) is bool(told)
    assert told or "learned nothing" in card["not calibrated"]
    assert {file.name for file in (tmp_path / "made").iterdir()} == {"card.json", "layers.safetensors"}
