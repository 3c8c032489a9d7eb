"""The training of the reranker. What needs torch runs where the extra `train` is installed."""

import json
import random
import sys

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.embeddings.rerankers.cross import CrossEncoder, passage_of
from medgraph.errors import InputError
from medgraph.evaluation.sets.meqsum import Message
from medgraph.training.corpus import passages
from medgraph.training.graded import graded_of
from medgraph.training.questions import examples
from medgraph.training.reranker import Material, Options, train

MESSAGES = [Message("1", "Hello. I cough. Is it Quimbly fever?", "symptoms of Quimbly fever"), Message("2", "a", "b")]
FEW = Options(steps=4, questions=2, passages=3, rate=1e-3, real=0.5)


@pytest.fixture
def material(medquad_graph):
    found = passages(medquad_graph)
    grades = {found.sections[0]: 4, found.sections[1]: 1, "gone": 3}
    return Material(examples(medquad_graph), found, graded_of(MESSAGES, {"1": grades}))


def test_without_torch_what_to_install_is_said(material, base, encoder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, encoder, material, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


@pytest.fixture
def trainer(_torch, material, base, encoder):
    from medgraph.training.reranker import _Trainer

    return _Trainer(base, encoder, material, FEW)


def test_a_made_question_has_one_answer_first_and_wrong_ones_behind(trainer, material):
    for text, rows, wanted in trainer._made(random.Random(1)):
        assert text
        sections = [material.passages.sections[row] for row in rows]
        assert len(set(sections)) == len(sections) <= FEW.passages
        assert wanted == [1.0] + [0.0] * (len(rows) - 1)
        example = next(one for one in material.examples if sections[0] in one.answers)
        assert not example.answers & set(sections[1:])


def test_a_graded_question_has_what_answers_best_among_its_passages(trainer, material):
    for text, rows, wanted in trainer._graded(random.Random(1)):
        assert text in material.graded[0].texts
        assert {material.passages.sections[row] for row in rows} == set(material.passages.sections[:2])
        assert sorted(wanted) == [0.0, 1.0]


def test_what_is_learned_runs_without_torch_as_with_it(trainer, material, base, encoder, tmp_path):
    card = train(base, encoder, material, tmp_path, FEW)
    assert card == json.loads((tmp_path / layers.CARD).read_text())
    assert card["graded questions"] == 1
    assert [source.split()[0] for source in card["trained on"]] == ["MedQuAD", "MeQSum"]
    weights = read_weights(base / "model.safetensors")
    learned = layers.read(tmp_path, weights)
    kept = {name for name in weights if name.startswith(("encoder.layer.0.", "encoder.layer.1."))}
    assert kept
    rounded = {name: weights[name].astype(np.float16).astype(np.float32) for name in learned.keys() & weights.keys()}
    assert all(np.array_equal(learned[name], rounded[name]) for name in kept)
    assert max(float(np.abs(learned[name] - rounded[name]).max()) for name in rounded.keys() - kept) > 1e-4
    trainer.steps().run(tmp_path / "torch")
    trainer._base.model.eval()
    texts = [passage_of(*pair) for pair in zip(material.passages.titles, material.passages.texts, strict=True)][:5]
    theirs = (trainer._scores([("What is gout?", text) for text in texts])).detach().numpy()
    ours = CrossEncoder(BertEncoder(base, "test", precision="f32", layers=tmp_path), tmp_path).scores(
        "What is gout?", texts
    )
    assert ours == pytest.approx(theirs, abs=0.15)
