"""The training of both sides. What needs torch runs where the extra `train` is installed."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.errors import InputError
from medgraph.evaluation.messages import Message
from medgraph.evaluation.pairs import Pair
from medgraph.training.both_sides import SHARES, Options, also_right, gather, train, with_generated
from medgraph.training.matches import Match
from medgraph.training.negatives import Drawn, Passage
from medgraph.training.steps import CHECKPOINT, Steps

PAIRS = [Pair("My nails are green, is it Mirkwood palsy?", "What are the symptoms of Mirkwood palsy?", True)]
MESSAGES = [Message("1", "Hello. I cough. Is it Quimbly fever?", "symptoms of Quimbly fever")]
FEW = Options(steps=3, batch=4, piece=2, negatives=1, dimensions=(64, 384), rate=1e-3)


@pytest.fixture
def material(medquad_graph):
    return gather(medquad_graph, PAIRS, MESSAGES)


def test_what_is_learned_from_leaves_out_who_is_reported_and_who_is_held_back(material):
    assert {one.names[0] for one in material.examples} == {"Vandersnoot syndrome"}
    assert len(material.held.questions) == 4
    assert all("Zorblattosis" in text for text in material.held.texts)
    assert {kind: len(found) for kind, found in material.others.items()} == {"pairs": 1, "messages": 1}
    assert [source.split()[0] for source in material.sources] == ["MedQuAD", "RQE", "MeQSum"]
    assert material.others.keys() <= SHARES.keys()


def test_what_is_of_the_same_subject_and_kind_is_no_negative():
    gout, same, text = (Passage(*one) for one in (("a", frozenset("x")), ("b", frozenset("x")), ("c", frozenset("y"))))
    batch = [Drawn("1", gout), Drawn("2", same), Drawn("3", text)]
    found = also_right(batch, [gout, same, text, Passage("c", frozenset("z")), Passage("d", frozenset("z"))])
    assert found == [
        [False, True, False, False, False],
        [True, False, False, False, False],
        [False, False, False, True, False],
    ]


def test_without_torch_what_to_install_is_said(material, base, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, material, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


def test_dimensions_that_vectors_lack_and_other_models_are_refused(material, base, tmp_path):
    with pytest.raises(InputError, match=r"--dimensions 999: vectors of .* have 384; give numbers from 1 to 384"):
        train(base, material, tmp_path / "made", replace(FEW, dimensions=(999, 64)))
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(InputError, match=r"model type 't5': both sides are trained of an encoder that runs without"):
        train(tmp_path, material, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


@pytest.mark.usefixtures("_torch")
def test_what_is_learned_is_an_encoder_that_runs_without_torch(material, base, settings, tmp_path):
    generated = [Match(["is it Vandersnoot?"], ("Vandersnoot syndrome\nSpots.",), frozenset(["v/symptoms"]))]
    more = replace(material, others={**material.others, "generated": generated}, generated={"generator": "tiny"})
    card = train(base, more, tmp_path / "made", FEW)
    assert json.loads(json.dumps(card)) == json.loads((tmp_path / "made" / layers.CARD).read_text())
    assert card["encodes"] == "questions and passages"
    assert card["dimensions that rank by themselves"] == [384, 64]
    assert (card["examples"], card["pairs"], card["messages"], card["generated"]) == (4, 1, 1, 1)
    assert card["generated questions"] == {"generator": "tiny"}
    assert card["nDCG@10"]["base"].keys() == card["nDCG@10"]["trained"].keys() == {"384", "64"}
    assert not (tmp_path / "made" / CHECKPOINT).exists()
    before, after = (read_weights(one / "model.safetensors") for one in (base, tmp_path / "made"))
    words = "embeddings.word_embeddings.weight"
    assert np.array_equal(after[words], before[words]), "words stay as they are"
    name = "encoder.layer.5.output.dense.weight"
    assert float(np.abs(after[name] - before[name]).max()) > 1e-4
    used = load_encoder(replace(settings, encoder=str(tmp_path / "made")))
    texts = ["What is gout?", "A painful toe. " * 9]
    from medgraph.training.base import Base

    again = Base(tmp_path / "made", 0.0, 1)
    again.model.eval()
    theirs = again.encode(texts, 256, half=False).detach().numpy()
    assert BertEncoder(tmp_path / "made", "f32").encode(texts) == pytest.approx(theirs, abs=1e-4)
    assert used.name.startswith("made-")
    assert (used.encode(texts) * theirs).sum(axis=1) == pytest.approx(1, abs=0.02)


@pytest.mark.usefixtures("_torch")
def test_an_interrupted_training_makes_exactly_what_it_would_have_made(material, base, tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.training.both_sides.measure", lambda *_: {})
    monkeypatch.setattr("medgraph.training.steps.SAVE_AFTER", 0.0)
    train(base, material, tmp_path / "whole", FEW)
    own = Steps.take

    def interrupted(steps):
        if steps.taken == 2:
            raise KeyboardInterrupt
        own(steps)

    with monkeypatch.context() as patch:
        patch.setattr(Steps, "take", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(base, material, tmp_path / "parts", FEW)
    assert not (tmp_path / "parts" / "model.safetensors").exists()
    train(base, material, tmp_path / "parts", FEW)
    whole, parts = (read_weights(tmp_path / name / "model.safetensors") for name in ("whole", "parts"))
    assert all(np.array_equal(whole[name], parts[name]) for name in whole)


def test_questions_that_a_model_makes_are_added_where_they_pass(material, encoder, tmp_path, monkeypatch):
    class Asks:
        name = "tiny-t5"

        def __init__(self, _folder):
            pass

        def ask(self, _text, _count, _seed):
            return ["What symptoms of Vandersnoot syndrome do I have?", "how is it treated?"]

    from medgraph.training.generated import Wanted

    monkeypatch.setattr("medgraph.training.both_sides.Generator", Asks)
    more = with_generated(material, tmp_path, Wanted(9, 2), encoder, tmp_path / "made")
    kept = sorted(one.asked[0] for one in more.others["generated"])
    assert kept == ["What symptoms of Vandersnoot syndrome do I have?"] * 2 + ["how is it treated?"] * 2
    assert more.generated["generator"] == "tiny-t5"
    assert (more.generated["questions"]["tried"], more.generated["questions"]["kept"]) == (8, 4)
    assert more.sources[-1] == "questions that tiny-t5 made"
