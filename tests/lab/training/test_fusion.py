"""Fits of small models: what weighs branches, likelihood, roles, and what supports a sentence."""

import numpy as np
import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.logistic import INTERCEPT
from medgraph.queries import fusion
from medgraph.queries.fusion import FEATURES, load
from medgraph.queries.retriever import Retriever
from medgraph_lab.training import likelihood, roles
from medgraph_lab.training.fusion import maximise, train, train_file
from medgraph_lab.training.questions import GradedQuestion
from tests.support.linking import names_of


@pytest.mark.thorough
def test_the_likeliest_weights_are_found():
    # Two candidates a question; the first is right three times of four where the feature is 1 for it alone.
    right, wrong = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    groups = [(right, np.array([1.0, 0.0]), 300.0), (wrong, np.array([1.0, 0.0]), 100.0)]
    assert maximise(groups, np.zeros((0, 1)), np.zeros(0))[0] == pytest.approx(np.log(3), abs=0.02)
    # Of graded sections three of four answer where the feature is 1, and one of four where it is 0.
    graded, answers = np.repeat([[1.0], [0.0]], 400, axis=0), np.repeat([1.0, 0.0, 1.0, 0.0], [300, 100, 100, 300])
    for made in ([], [(right, np.array([0.9, 0.1]), 300.0)]):
        assert maximise(made, graded, answers)[0] == pytest.approx(np.log(9), abs=0.1)


@pytest.mark.thorough
def test_weights_are_fitted_to_what_other_collections_answer(medquad_graph, encoder, tmp_path):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    model, questions = train(medquad_graph, retriever, 100)
    assert questions >= 2
    assert model.weights.keys() == set(FEATURES)
    assert model.weights["about it"] + model.weights["about the same"] + model.weights["question in title"] > 0
    assert model.sections == 16
    assert model.holding["green"] == 8
    train_file(medquad_graph, retriever, 100, tmp_path / "one.tsv", encoder.name)
    train_file(medquad_graph, retriever, 100, tmp_path / "two.tsv", encoder.name)
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    assert load(tmp_path / "one.tsv").weights == pytest.approx(model.weights, abs=1e-3)


GRADED = [
    GradedQuestion(("What are the symptoms of asthma?", ""), {"sample:asthma#2": 4, "sample:asthma#1": 1}),
    GradedQuestion(("How is gout treated?", ""), {"sample:gout#6": 4, "sample:gout#2": 2, "sample:gout#1": 1}),
]


def test_weights_are_fitted_to_what_was_graded_and_written(sample_graph, encoder, tmp_path):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    found = likelihood.describe(retriever, GRADED)
    assert sorted(int((one.grades > 0).sum()) for one in found) == [2, 3]
    weights = likelihood.train_weights(found)
    assert weights.keys() == {*FEATURES, INTERCEPT}
    for one in found:
        logits = fusion.logits(one.described, weights)
        assert logits[one.grades == 4].min() > logits[(one.grades > 0) & (one.grades < 3)].max()
    told = likelihood.figures(found, weights)
    assert (told["questions"], told["passages"], told["auc"]) == (2, 5, 1.0)
    likelihood.write(weights, tmp_path / "made.tsv", found, len(GRADED))
    assert "from 5 sections of 2 questions" in (tmp_path / "made.tsv").read_text()


def test_what_nobody_graded_moves_weights_and_leaves_the_share_that_answers():
    grades = np.repeat([4, 1, 0], [30, 30, 200])
    described = np.zeros((260, len(FEATURES)))
    described[:30, FEATURES.index("meaning")] = described[60:, FEATURES.index("question in title")] = 1
    weights = likelihood.train_weights([likelihood.DescribedQuestion(described, grades)])
    told = fusion.logits(described[grades > 0], weights)
    assert weights["question in title"] + weights["title alone"] < 0 < weights["meaning"]
    assert (1 / (1 + np.exp(-told))).mean() == pytest.approx(0.5, abs=0.02)


def test_without_a_graded_section_in_the_graph_nothing_is_fitted():
    with pytest.raises(InputError, match="no section that has a grade was found"):
        likelihood.train_weights([])
    assert np.isfinite(list(fusion.likelihood_weights().values())).all()


HEAD = "\t".join(roles.COLUMNS) + "\n"
LINES = {
    "treats": "It is treated with [[@d aspirin]].",
    "avoided": "You must avoid [[@d aspirin]].",
}


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.tsv"
    rows = [
        (part, f"a:{number}#1", "0", "treatment", "Drug", role, "", "", sentence)
        for part in ("train", "dev")
        for number in range(6)
        for role, sentence in LINES.items()
    ]
    path.write_text(HEAD + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_model_learns_roles_and_is_measured_on_the_set_dev(labelled):
    examples = roles.read_labelled(labelled)
    model, figures = roles.train(examples, [])
    told = model.predict([(one.label, one.features) for one in examples])
    assert [{role} for role, _ in told] == [one.roles for one in examples]
    assert (figures["treats"]["labelled"], figures["treats"]["right"]) == (6, 6)
    assert "24 labelled mentions" in roles.card(figures, examples, [])


@pytest.mark.parametrize(
    "cells",
    [
        ("dev", "a#1"),
        ("dev", "a#1", "0", "treatment", "Drug", "cures", "", "", "[[@d aspirin]]"),
        ("dev", "a#1", "0", "treatment", "Drug", "treats", "", "", "aspirin"),
    ],
)
def test_what_is_no_labelled_mention_is_named_with_its_line(tmp_path, cells):
    path = tmp_path / "labelled.tsv"
    path.write_text(HEAD + "\t".join(cells), encoding="utf-8")
    with pytest.raises(SourceFileError, match=r"labelled.tsv:2: is no labelled mention"):
        roles.read_labelled(path)
