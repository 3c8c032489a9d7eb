"""Retrieval: the measures against worked examples, and every mode and style on a small graph."""

import math
import re
import sys

import pytest

from medgraph.errors import InputError
from medgraph.evaluation.retrieval import evaluate, mean_measures
from medgraph.evaluation.retrieval import measures as measures_of
from medgraph.evaluation.sets.medquad import STYLES
from medgraph.queries.modes import MODES
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of


def measures(ranked, relevant):
    return mean_measures({"q": ranked}, {"q": relevant})


def test_ndcg_of_worked_examples():
    def ndcg(ranked, relevant):
        return measures(ranked, relevant)["ndcg@10"]

    assert ndcg(["a", "b", "c"], {"a"}) == 1
    assert ndcg(["b", "a", "c"], {"a"}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))
    assert ndcg([f"x{i}" for i in range(10)] + ["a"], {"a"}) == 0
    assert ndcg([f"r{i}" for i in range(10)], {f"r{i}" for i in range(40)}) == pytest.approx(1)
    assert ndcg([], {"a"}) == 0


def test_recall_and_reciprocal_rank_of_worked_examples():
    assert measures(["a", "x", "b"], {"a", "b", "c", "d"})["recall@10"] == 0.5
    assert measures([f"x{i}" for i in range(10)] + ["a"], {"a"})["recall@10"] == 0
    assert measures(["a", "a"], {"a"})["recall@10"] == 1
    assert measures(["x", "y", "a", "b"], {"a", "b"})["mrr"] == pytest.approx(1 / 3)
    assert measures([f"x{i}" for i in range(19)] + ["a"], {"a"})["mrr"] == pytest.approx(1 / 20)
    assert measures(["x"], {"a"})["mrr"] == 0


def test_measures_are_means_over_questions_those_without_results_too():
    relevant = {"q": {"a"}, "r": {"b"}, "s": {"c"}, "t": {"d"}}
    found = mean_measures({"q": ["a"], "r": ["x", "b"], "s": [], "t": ["x"]}, relevant)
    assert found["mrr"] == pytest.approx((1 + 1 / 2) / 4)
    assert found["recall@10"] == pytest.approx(2 / 4)
    assert mean_measures({}, {}) == {"ndcg@10": 0, "recall@10": 0, "mrr": 0}


def test_measures_of_questions_keep_their_order_and_count_what_found_nothing():
    found = measures_of({"r": ["x", "b"], "q": ["a"]}, {"q": {"a"}, "s": {"c"}, "r": {"b"}})
    assert found["mrr"].tolist() == [1, 0, 0.5]
    assert found["recall@10"].tolist() == [1, 0, 1]


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(InputError, match=re.escape("pip install 'medgraph[evaluate]'")):
        measures(["a"], {"a"})


def test_retrieval_is_measured_for_every_mode_and_style(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    rows = evaluate(medquad_graph, retriever, "held", 2)
    assert {row["style"] for row in rows} == set(STYLES)
    assert {row["mode"].split()[0] for row in rows} == set(MODES)
    assert {row["questions"] for row in rows} == {2}
    assert all(0 <= row[name] <= 1 for row in rows for name in ("ndcg@10", "recall@10", "mrr"))
    found = {(row["mode"], row["style"]): row for row in rows}
    assert found["linked 0.6/0.4", "source"]["mrr"] == 1
    assert found["hybrid 0.6/0.4", "source"]["ndcg@10"] == pytest.approx(1)


def test_without_medquad_there_is_nothing_to_measure(sample_graph, encoder):
    with pytest.raises(InputError, match="which the graph lacks; run: medgraph load medquad PATH"):
        evaluate(sample_graph, Retriever(sample_graph, lambda: encoder, names_of(sample_graph)), "dev", 10)
