"""The training of the encoder. What needs torch runs where the extra `train` is installed."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.embeddings.encoders.named import find_model
from medgraph.errors import InputError
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings
from medgraph_lab.evaluation.sets.meqsum import Message
from medgraph_lab.training.encoder import Options, gather, train
from medgraph_lab.training.library import CHECKPOINTS, base_of
from medgraph_lab.training.questions import QuestionPair, vectors
from tests.support.linking import names_of

PAIRS = [
    QuestionPair("My nails are green, is it Mirkwood palsy?", "What are the symptoms of Mirkwood palsy?", True),
    QuestionPair("My nails are green, is it Mirkwood palsy?", "What is gout?", False),
    QuestionPair("I walk a lot against Zorblattosis.", "How is Zorblattosis treated?", True),
]
MESSAGES = [Message("1", "Hello. I cough and my nails are odd. Is it Quimbly fever?", "symptoms of Quimbly fever")]
FEW = Options(steps=4, batch=4, rate=1e-3)
BOTH = replace(FEW, both_sides=True, piece=2, dimensions=(384, 64))


@pytest.fixture
def material(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    return gather(medquad_graph, retriever, PAIRS, MESSAGES)


@pytest.mark.thorough
def test_what_is_learned_from_is_gathered(material):
    assert material.examples
    assert len(material.passages.sections) == len(material.questions.sections) == 16
    assert material.passages.first_passages().keys() == {*material.passages.sections}
    assert [pair.entails for pair in material.pairs] == [True, True]
    ((message, sections),) = material.messages
    assert (message, set(sections) <= set(material.passages.sections)) == (MESSAGES[0], True)
    assert [source.split()[0] for source in material.sources] == ["MedQuAD", "RQE", "MeQSum"]


def test_a_graph_without_vectors_is_refused(database):
    with pytest.raises(InputError, match="no vectors to train on; run: medgraph index"):
        vectors(database, "chunk_vectors")


@pytest.mark.thorough
@pytest.mark.parametrize("options", [FEW, BOTH], ids=["questions", "both sides"])
def test_without_torch_what_to_install_is_said(material, base, tmp_path, monkeypatch, options):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install '\.\[train\]'"):
        train(base, material, tmp_path, options)
    assert list(tmp_path.iterdir()) == []


def test_the_base_is_the_encoder_that_is_set(settings):
    assert base_of(settings) == find_model(settings, lambda line: None)
    with pytest.raises(InputError, match="some/model is no folder; training needs one: set MEDGRAPH_ENCODER"):
        base_of(Settings.from_environment({"MEDGRAPH_ENCODER": "some/model"}))


@pytest.mark.extra
def test_layers_are_learned_and_words_stay(material, base, tmp_path):
    card = train(base, material, tmp_path / "made", FEW)
    weights = read_weights(base / "model.safetensors")
    learned = layers.load(tmp_path / "made", weights)
    assert learned.keys() == {name for name in weights if name.startswith(layers.PREFIX)}
    assert max(float(np.abs(value - weights[name]).max()) for name, value in learned.items()) > 1e-4
    assert card == json.loads((tmp_path / "made" / layers.CARD).read_text())
    assert (card["examples"], card["pairs"], card["messages"]) == (len(material.examples), 2, 1)
    assert not (tmp_path / "made" / CHECKPOINTS).exists()


@pytest.mark.extra
def test_both_sides_are_an_encoder_that_runs_without_torch(material, base, tmp_path, monkeypatch):
    held = material.examples[0].subjects
    monkeypatch.setattr("medgraph_lab.training.encoder._is_held", lambda one: bool(one.subjects & held))
    made = [("My nails are green.", "Mirkwood palsy: green nails."), ("Why do I walk?", "Long walks help.")]
    card = train(base, replace(material, made=made), tmp_path / "made", BOTH)
    assert card == json.loads((tmp_path / "made" / layers.CARD).read_text())
    assert card["made"] == 2
    assert card["base reaches"].keys() == card["trained reaches"].keys() == {"384", "64"}
    assert all(0 <= value <= 1 for told in card["trained reaches"].values() for value in told.values())
    weights, learned = (read_weights(folder / "model.safetensors") for folder in (base, tmp_path / "made"))
    words = "embeddings.word_embeddings.weight"
    assert np.array_equal(learned[words], weights[words])
    before, after = (BertEncoder(folder, "test", precision="f32") for folder in (base, tmp_path / "made"))
    assert float(before.encode(["gout"])[0] @ after.encode(["gout"])[0]) < 0.9999


@pytest.mark.extra
def test_an_encoder_may_learn_from_questions_of_relations_alone(material, base, tmp_path):
    alone = replace(BOTH, subgraphs_only=True)
    with pytest.raises(InputError, match="no questions of relations to train on; run: medgraph index subgraphs"):
        train(base, replace(material, made=()), tmp_path / "none", alone)
    told = [f"Condition {number}: signs of kind {number}." for number in range(6)]
    made = [(f"I think I have number {number}.", text) for number, text in enumerate(told)]
    card = train(base, replace(material, made=made, told=told), tmp_path / "made", alone)
    assert (card["made"], "base reaches" in card) == (6, False)
    weights, learned = (read_weights(folder / "model.safetensors") for folder in (base, tmp_path / "made"))
    assert any(not np.array_equal(learned[name], weights[name]) for name in weights)


@pytest.mark.extra
def test_an_interrupted_training_makes_what_it_would_have_made(material, base, tmp_path, monkeypatch):
    from medgraph_lab.training.losses import NearestAnswer

    options, plain, taken, last = replace(FEW, dropout=0.0), NearestAnswer.forward, [], []

    def forward(self, *given):
        taken.append(1)
        if len(taken) in last:
            raise KeyboardInterrupt
        return plain(self, *given)

    monkeypatch.setattr(NearestAnswer, "forward", forward)
    monkeypatch.setattr("medgraph_lab.training.library.SAVE_EVERY", 2)
    train(base, material, tmp_path / "whole", options)
    last.append(len(taken) + 4)
    with pytest.raises(KeyboardInterrupt):
        train(base, material, tmp_path / "cut", options)
    assert not (tmp_path / "cut" / layers.WEIGHTS).exists()
    train(base, material, tmp_path / "cut", options)
    assert len(taken) == 4 + 4 + 2
    weights = read_weights(base / "model.safetensors")
    whole, cut = (layers.load(tmp_path / name, weights) for name in ("whole", "cut"))
    assert max(float(np.abs(whole[name] - cut[name]).max()) for name in whole) < 0.01


@pytest.mark.extra
def test_the_best_row_of_what_answers_is_preferred_to_what_does_not():
    import torch

    from medgraph_lab.training.losses import NearestAnswer

    rows = np.eye(3, dtype=np.float32)
    model = torch.nn.Module()
    model.forward = lambda features: {"sentence_embedding": features}
    answers = [[[0, 1]], [[2]], []]
    loss = NearestAnswer(model, [(rows, answers, 1.0)], 1.0)
    found = loss([torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])], torch.tensor([0, 1]))
    first, second = np.log(np.e + 1) - 1, np.log(1 + np.e + 1)
    assert float(found) == pytest.approx((first + second) / 2)
    assert float(loss([torch.tensor([[1.0, 0.0, 0.0]])], torch.tensor([2]))) == 0
