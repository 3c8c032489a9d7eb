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
    assert len(merged([[page], [replace(page, document="other")]])) == 2


def test_what_is_shown_of_a_section_is_what_the_first_search_found():
    first, later = replace(A, text="Ice helps."), replace(A, text="It hurts.")
    assert [hit.text for hit in merged([[B, first], [later]])] == ["Ice helps.", ""]
