"""Answers ranked by a language model: who says nothing stands last, and marks that are none are passed over."""

import re
from types import SimpleNamespace

import pytest

from medgraph_lab.evaluation.papers.illama import Order, ranked

FOUND = {
    "best": {"How is gout treated?": {"text": "colchicine", "label": "By colchicine."}},
    "worse": {"How is gout treated?": {"text": "bananas", "label": "By colchicine."}},
    "silent": {"How is gout treated?": {"text": " ", "label": "By colchicine."}},
}


class Model:
    """Ranks what names colchicine first, and adds marks that nobody asked about."""

    def complete(self, request):
        said = re.findall(r"<(A\d)>(\w+)<", request.messages[-1].content)
        best_first = sorted(said, key=lambda one: one[1] != "colchicine")
        return SimpleNamespace(value=Order(["A9", *(mark for mark, _ in best_first)]))


def bench_of(model):
    def each(_name, items, work):
        return {key: work(item) for key, item in items.items()}

    return SimpleNamespace(load_model=model, model=model and model(), model_name="m", each=each)


def test_ranks_are_shares_of_the_way_from_last_to_first():
    rows = {row.row: row for row in ranked(bench_of(Model), "t", FOUND)}
    assert {name: row.ours for name, row in rows.items()} == pytest.approx({"best": 1, "worse": 0.5, "silent": 0})


def test_without_a_model_the_row_says_so():
    (row,) = ranked(bench_of(None), "t", FOUND)
    assert "model" in row.note
