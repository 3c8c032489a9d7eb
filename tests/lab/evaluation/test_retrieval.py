"""The harness of search: measures of worked examples, the floor, ways, and comparisons."""

import math
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.queries.retriever import Retriever
from medgraph_lab.evaluation.retrieval import (
    ALL,
    FLOOR,
    WEIGHTS,
    Bench,
    Blend,
    Case,
    SearchResult,
    compared,
    measure,
    measures,
)
from medgraph_lab.evaluation.statistics import Mean, compare, holm
from tests.support.linking import names_of

TEN = [f"x{i}" for i in range(10)]
EXAMPLES = [
    ("ndcg@10", ["a", "b", "c"], "a", 1),
    ("ndcg@10", ["b", "a", "c"], "a", 1 / math.log2(3)),
    ("ndcg@10", ["a", "x", "b"], "ab", 1.5 / (1 + 1 / math.log2(3))),
    ("ndcg@10", [*TEN, "a"], "a", 0),
    ("ndcg@10", [], "a", 0),
    ("recall@10", ["a", "x", "b"], "abcd", 0.5),
    ("recall@10", ["a", "a"], "a", 1),
    ("recall@10", [*TEN, "a"], "a", 0),
    ("mrr", ["x", "y", "a", "b"], "ab", 1 / 3),
    ("mrr", [*TEN, "a"], "a", 1 / 11),
    ("mrr", ["x"], "a", 0),
]


@pytest.mark.parametrize(("name", "ranking", "relevant", "expected"), EXAMPLES)
def test_measures_of_worked_examples(name, ranking, relevant, expected):
    assert measures({"q": ranking}, {"q": dict.fromkeys(relevant, 1)})[name][0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("ir_measures", lambda: measures({"q": ["a"]}, {"q": {"a": 1}})),
        ("bm25s", lambda: Blend({"a": "gout"}, ["a"], np.ones((1, 2)), None)),
    ],
)
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, name, call):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=re.escape("pip install 'medgraph[evaluate]'")):
        call()


def test_ways_are_measured_beside_the_floor(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    bench = Bench(medquad_graph, retriever, encoder, None, "held", 9, None)
    found = bench.floor.results("What is Quimbly fever treated with?", 1)
    assert list(found) == list(WEIGHTS)
    (best,) = {place.section for place in found[0.5]}
    cases = [Case(name, "What is Quimbly fever treated with?", frozenset({name})) for name in (best, "none")]
    rows = measure(bench, "test", cases, [way for way in ALL if way.name in {"lexical", "learned"}], "mrr")
    assert list(rows) == [FLOOR, "lexical", "learned"]
    assert rows[FLOOR]["mrr"].tolist() == [1, 0]
    assert rows["learned"]["recall@10"].tolist() == [1, 0]


def result(way, beside, *values, **also):
    return SearchResult("medquad", "source", way, beside, "mrr", Mean(np.array(values, dtype=float)), also)


def test_each_way_is_compared_with_the_one_beside_it():
    floor, learned, less = [0.1, 0.3, 0.2, 0.5], [0.9, 0.4, 0.6, 0.9], [0.8, 0.5, 0.6, 0.1]
    rows = compared(
        [
            result("floor", "", *floor),
            result("learned", "floor", *learned, recall=0.75),
            result("less", "learned", *less),
            replace(result("floor", "", *less), style="everyday"),
            replace(result("learned", "floor", *learned), style="everyday"),
        ]
    )
    assert [row["value"] for row in rows] == pytest.approx([0.275, 0.7, 0.5, 0.5, 0.7])
    assert [row["more"] for row in rows] == [None, *map(pytest.approx, (0.425, -0.2)), None, pytest.approx(0.2)]
    one, other = (compare(Mean(np.array(a)), Mean(np.array(b))) for a, b in ((learned, floor), (less, learned)))
    assert [row["p"] for row in rows[1:3]] == holm([one.p, other.p])
    assert rows[4]["p"] == other.p  # alone among its own
    assert (rows[1]["low"], rows[1]["high"], rows[1]["also"]) == (one.low, one.high, {"recall": 0.75})
