"""The training of the reranker. What needs torch runs where the extra `train` is installed."""

import json
import sys

import pytest

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers.cross import CrossEncoder, passage_of
from medgraph.errors import InputError
from medgraph_lab.evaluation.sets.meqsum import Message
from medgraph_lab.training.library import CHECKPOINTS
from medgraph_lab.training.questions import examples, graded_of, passages
from medgraph_lab.training.reranker import Material, Options, drawn, train

MESSAGES = [Message("1", "Hello. I cough. Is it Quimbly fever?", "symptoms of Quimbly fever"), Message("2", "a", "b")]
FEW = Options(steps=4, questions=2, passages=3, rate=1e-3, real=0.5)


@pytest.fixture
def material(medquad_graph):
    found = passages(medquad_graph)
    grades = {found.sections[0]: 4, found.sections[1]: 1, "gone": 3}
    return Material(examples(medquad_graph), found, graded_of(MESSAGES, {"1": grades, "3": {"a": 1}}))


def test_without_torch_what_to_install_is_said(material, base, encoder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, encoder, material, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


@pytest.mark.thorough
def test_each_question_has_what_answers_and_what_only_seems_to(material, encoder):
    rows = drawn(material, encoder, FEW)
    assert drawn(material, encoder, FEW) == rows
    texts = material.passages
    told = {passage_of(*two): one for one, *two in zip(texts.sections, texts.titles, texts.texts, strict=True)}
    graded = [row for row in rows if "Quimbly" in row[0] and told[row[1]] in texts.sections[:2] and row[2] in {0, 1}]
    assert {label for _, _, label in rows} == {0.0, 1.0}
    assert len(graded) >= 4 * 2
    assert len(rows) <= FEW.steps * FEW.questions * FEW.passages
    for text in {row[0] for row in rows}:
        mine = {told[passage]: label for question, passage, label in rows if question == text}
        assert max(mine.values()) == 1.0


@pytest.mark.extra
def test_what_is_learned_runs_without_torch_as_with_it(material, base, encoder, tmp_path):
    from sentence_transformers.cross_encoder import CrossEncoder as Theirs
    from torch.nn import Identity

    folder = tmp_path / "made"
    card = train(base, encoder, material, folder, FEW)
    assert card == json.loads((folder / CARD).read_text())
    assert (card["graded questions"], [one.split()[0] for one in card["trained on"]]) == (1, ["MedQuAD", "MeQSum"])
    assert not (folder / CHECKPOINTS).exists()
    texts = [passage_of(*pair) for pair in zip(material.passages.titles, material.passages.texts, strict=True)][:5]
    theirs = Theirs(str(folder), device="cpu").predict(
        [("What is gout?", one) for one in texts], activation_fn=Identity()
    )
    assert CrossEncoder(folder).scores("What is gout?", texts) == pytest.approx(theirs, abs=0.02)
