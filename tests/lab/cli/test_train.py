"""The commands that train: what they make, what they print, and what they refuse."""

import json

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from tests.support.medquad import medquad_graph
from tests.support.verifiers import SENTENCES

__all__ = ["medquad_graph"]


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
        ("encoder", ["--pseudo-queries", "{folder}"], f"--pseudo-queries {BOTH}"),
        ("encoder", ["--subgraphs-only"], f"--subgraphs-only {BOTH}"),
        ("encoder", ["--both-sides", "--pseudo-queries", "{folder}"], "has no accepted query; run: medgraph train pse"),
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


@pytest.mark.parametrize("given", [("encoder",), ("encoder", "--both-sides"), ("verifier", "--cross")], ids=str)
def test_without_torch_what_to_install_is_said(medgraph, medquad_graph, tmp_path, monkeypatch, given):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    monkeypatch.setattr("medgraph_lab.training.verifier.quoted", lambda *_: SENTENCES)
    command, *options = given
    message = medgraph("train", command, tmp_path / "made", *options, fails=True)
    assert "pip install '.[train]'" in message


@pytest.mark.extra
def test_a_reranker_is_trained_and_calibrated(medgraph, medquad_graph, monkeypatch, tmp_path):
    monkeypatch.setattr("medgraph.embeddings.encoders.encoder.load_encoder", load_encoder)
    monkeypatch.setattr("medgraph_lab.training.calibrating.SHARE", 2)
    few = ("--steps", 6, "--questions", 2, "--passages", 3, "--rate", 0.001)
    text = medgraph("train", "reranker", tmp_path / "made", *few)
    card = json.loads((tmp_path / "made" / "card.json").read_text())
    told = card.get("calibration")
    assert ("calibrated on" in text) is bool(told)
    assert told or "learned nothing" in card["not calibrated"]
    assert {"card.json", "config.json", "model.safetensors", "tokenizer.json"} <= {
        file.name for file in (tmp_path / "made").iterdir()
    }
