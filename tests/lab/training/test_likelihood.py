"""How likely results answer is fitted to grades, and measured."""

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.logistic import INTERCEPT
from medgraph.queries import fusion
from medgraph.queries.fusion import FEATURES
from medgraph.queries.retriever import Retriever
from medgraph_lab.training import likelihood
from medgraph_lab.training.questions import GradedQuestion
from tests.support.linking import names_of

GRADED = [
    GradedQuestion(("What are the symptoms of asthma?", ""), {"sample:asthma#2": 4, "sample:asthma#1": 1}),
    GradedQuestion(("How is gout treated?", ""), {"sample:gout#6": 4, "sample:gout#2": 2, "sample:gout#1": 1}),
]


def test_weights_are_fitted_to_what_was_graded_and_written(sample_graph, encoder, tmp_path):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    found = likelihood.describe(retriever, GRADED)
    assert sorted(int((one.grades > 0).sum()) for one in found) == [2, 3]
    weights = likelihood.fit(found)
    assert weights.keys() == {*FEATURES, INTERCEPT}
    for one in found:
        logits = fusion.logits(one.described, weights)
        assert logits[one.grades == 4].min() > logits[(one.grades > 0) & (one.grades < 3)].max()
    told = likelihood.figures(found, weights)
    assert (told["questions"], told["passages"], told["auc"]) == (2, 5, 1.0)
    likelihood.write(weights, tmp_path / "made.tsv", found, len(GRADED))
    assert "from 5 sections of 2 questions" in (tmp_path / "made.tsv").read_text()


def test_without_a_graded_section_in_the_graph_nothing_is_fitted():
    with pytest.raises(InputError, match="no section that has a grade was found"):
        likelihood.fit([])
    assert np.isfinite(list(fusion.likelihood_weights().values())).all()
