"""The training of the encoder of questions. What needs torch runs where the extra `train` is installed."""

import json
import sys

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import find_model, read_weights
from medgraph.errors import InputError
from medgraph.evaluation.sets.meqsum import Message
from medgraph.evaluation.sets.question_pairs import Pair
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings
from medgraph.training.encoder import Options, base_of, gather, train
from medgraph.training.steps import CHECKPOINT
from tests.support.linking import names_of

PAIRS = [
    Pair("My nails are green, is it Mirkwood palsy?", "What are the symptoms of Mirkwood palsy?", True),
    Pair("My nails are green, is it Mirkwood palsy?", "What is gout?", False),
    Pair("I walk a lot against Zorblattosis.", "How is Zorblattosis treated?", True),
]
MESSAGES = [Message("1", "Hello. I cough and my nails are odd. Is it Quimbly fever?", "symptoms of Quimbly fever")]
FEW = Options(steps=4, batch=4, rate=1e-3)


@pytest.fixture
def material(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    return gather(medquad_graph, retriever, PAIRS, MESSAGES)


def test_what_is_learned_from_is_gathered(material):
    assert material.examples
    assert len(material.passages.sections) == len(material.passages.values) == 16
    assert len(material.questions.sections) == 16
    assert [pair.entails for pair in material.pairs] == [True, True]
    ((message, sections),) = material.messages
    assert message == MESSAGES[0]
    assert set(sections) <= set(material.passages.sections)
    assert [source.split()[0] for source in material.sources] == ["MedQuAD", "RQE", "MeQSum"]
    assert all("CC BY" in source for source in material.sources)


def test_without_files_only_medquad_is_named(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    plain = gather(medquad_graph, retriever)
    assert (len(plain.pairs), len(plain.messages), len(plain.sources)) == (0, 0, 1)


def test_without_torch_what_to_install_is_said(material, base, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, material, tmp_path, FEW)
    assert list(tmp_path.iterdir()) == []


def test_a_model_by_name_cannot_be_trained():
    with pytest.raises(InputError, match="some/model is no folder; training needs one: set MEDGRAPH_ENCODER"):
        base_of(Settings.from_environment({"MEDGRAPH_ENCODER": "some/model"}))


def test_the_base_is_the_encoder_that_is_set(settings):
    assert base_of(settings) == find_model(settings, lambda line: None)


@pytest.mark.usefixtures("_torch")
def test_layers_are_learned_and_words_stay(material, base, tmp_path):
    card = train(base, material, tmp_path / "made", FEW)
    weights = read_weights(base / "model.safetensors")
    learned = layers.read(tmp_path / "made", weights)
    assert learned.keys() == {name for name in weights if name.startswith(layers.PREFIX)}
    assert max(float(np.abs(value - weights[name]).max()) for name, value in learned.items()) > 1e-4
    assert card == json.loads((tmp_path / "made" / layers.CARD).read_text())
    assert (card["examples"], card["pairs"], card["messages"]) == (len(material.examples), 2, 1)
    assert not (tmp_path / "made" / CHECKPOINT).exists()
