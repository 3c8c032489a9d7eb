"""The fit of what weighs the branches of search."""

import numpy as np
import pytest

from medgraph.queries.fusion import FEATURES, read
from medgraph.queries.retriever import Retriever
from medgraph_lab.training.fusion import fit, fit_file, maximise
from tests.support.linking import names_of

pytestmark = pytest.mark.thorough


def test_the_likeliest_weights_are_found():
    # Two candidates a question; the first is right three times of four where the feature is 1 for it alone.
    right, wrong = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    groups = [(right, np.array([1.0, 0.0]), 300.0), (wrong, np.array([1.0, 0.0]), 100.0)]
    assert maximise(groups)[0] == pytest.approx(np.log(3), abs=0.02)


def test_weights_are_fitted_to_what_other_collections_answer(medquad_graph, encoder, tmp_path):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    model, questions = fit(medquad_graph, retriever, 100)
    assert questions >= 2
    assert model.weights.keys() == set(FEATURES)
    assert model.weights["about it"] + model.weights["about the same"] + model.weights["question in title"] > 0
    assert model.sections == 16
    assert model.holding["green"] == 8
    fit_file(medquad_graph, retriever, 100, tmp_path / "one.tsv", encoder.name)
    fit_file(medquad_graph, retriever, 100, tmp_path / "two.tsv", encoder.name)
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    assert read(tmp_path / "one.tsv").weights == pytest.approx(model.weights, abs=1e-3)
