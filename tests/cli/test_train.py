"""The commands that train: what they make, what they print, and what they refuse."""

import json
from dataclasses import asdict

import pytest

from medgraph.cli.train import train
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.queries.fusion import FEATURES, read
from medgraph.training.encoder import Options
from tests.support.medquad import medquad_graph
from tests.support.verifiers import SENTENCES

__all__ = ["medquad_graph"]


def test_weights_are_fitted_and_printed(medgraph, medquad_graph, tmp_path):
    data = json.loads(medgraph("train", "fusion", tmp_path / "fusion.tsv", "--sample", 4, "--json"))
    assert [row["feature"] for row in data["rows"]] == list(FEATURES)
    assert read(tmp_path / "fusion.tsv").weights.keys() == set(FEATURES)


@pytest.mark.parametrize(
    "command", [("fusion", "f.tsv"), ("verifier", "v.tsv"), ("encoder", "made")], ids=lambda words: words[0]
)
def test_a_graph_without_medquad_is_refused(medgraph, sample_graph, tmp_path, command):
    assert "which the graph lacks" in medgraph("train", command[0], tmp_path / command[1], fails=True)
    assert not (tmp_path / command[1]).exists()


BOTH = "is of use only with --both-sides"
CROSS = "--claims, --epochs and --seed belong to --cross"


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("encoder", ["--pairs", "{file}"], "has not pairs of both values"),
        ("encoder", ["--messages", "{file}"], "given.csv"),
        ("encoder", ["--piece", 32], BOTH),
        ("encoder", ["--dimensions", "64"], BOTH),
        ("encoder", ["--both-sides", "--dimensions", "384;x"], "'384;x' is no list of numbers such as 384,256,128,64"),
        ("encoder", ["--both-sides", "--dimensions", "64,0"], "--dimensions 0: vectors of"),
        ("reranker", ["--grades", "{file}"], "--messages and --grades belong together"),
        ("fusion", ["--abstracts", "{abstracts}"], "the graph has no abstract of PubMedQA's half dev"),
        ("verifier", ["--epochs", 3], CROSS),
        ("verifier", ["--claims", "{folder}"], CROSS),
        ("verifier", ["--cross", "--folds"], "--folds needs --claims"),
        ("verifier", ["--sample", 50], "too few sentences of MedQuAD's half dev"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(medgraph, medquad_graph, tmp_path, command, options, message):
    names = {"file": tmp_path / "given.csv", "abstracts": tmp_path / "pqal.json", "folder": tmp_path}
    names["file"].write_text("<x/>")
    names["abstracts"].write_text(json.dumps({"201": {"QUESTION": "Are green spots a sign of Zorblattosis?"}}))
    given = [str(option).format(**names) for option in options]
    assert message in medgraph("train", command, tmp_path / "made", *given, fails=True)
    assert not (tmp_path / "made").exists()


def test_a_file_is_no_folder_and_the_other_way_round(medgraph, sample_graph, tmp_path):
    (tmp_path / "v.tsv").touch()
    assert "is a file; name a folder" in medgraph("train", "verifier", tmp_path / "v.tsv", "--cross", fails=True)
    assert "is a folder; name a file" in medgraph("train", "verifier", tmp_path, fails=True)


def test_what_is_offered_is_what_the_training_does_by_itself():
    offered = {option.name: option.default for option in train.commands["encoder"].params}
    names = ("steps", "batch", "rate", "seed", "negatives", "piece")
    assert {name: offered[name] for name in names}.items() <= asdict(Options()).items()


@pytest.mark.parametrize("given", [("encoder",), ("encoder", "--both-sides"), ("verifier", "--cross")], ids=str)
def test_without_torch_what_to_install_is_said(medgraph, medquad_graph, tmp_path, monkeypatch, given):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    monkeypatch.setattr("medgraph.training.claim_pairs.quoted", lambda *_: SENTENCES)
    command, *options = given
    message = medgraph("train", command, tmp_path / "made", *options, fails=True)
    assert "pip install 'medgraph[train]'" in message


@pytest.mark.extra
def test_a_reranker_is_trained_and_calibrated(medgraph, medquad_graph, monkeypatch, tmp_path):
    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", load_encoder)
    monkeypatch.setattr("medgraph.training.calibrating.SHARE", 2)
    few = ("--steps", 6, "--questions", 2, "--passages", 3, "--rate", 0.001)
    text = medgraph("train", "reranker", tmp_path / "made", *few)
    card = json.loads((tmp_path / "made" / "card.json").read_text())
    told = card.get("calibration")
    assert ("calibrated on" in text) is bool(told)
    assert told or "learned nothing" in card["not calibrated"]
    assert {"card.json", "config.json", "model.safetensors", "tokenizer.json"} <= {
        file.name for file in (tmp_path / "made").iterdir()
    }
