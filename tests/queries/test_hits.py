"""What several searches found, merged."""

from dataclasses import replace

import pytest

from medgraph.queries.hits import Hit, merged

A, B, C = (Hit(name, "page", "Gout", "", "one", "", "treatment", "", "", 0, 0, 1.0) for name in "abc")


def test_merging_is_by_rank():
    hits = merged([[A, B], [C, B]])
    assert [hit.section for hit in hits] == ["b", "a", "c"]
    assert [hit.score for hit in hits] == pytest.approx([2 / 62, 1 / 61, 1 / 61])
    page = replace(A, section=None)
    assert len(merged([[page], [replace(page, question="Another?")], [page]])) == 2
