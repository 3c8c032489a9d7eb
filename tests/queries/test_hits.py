"""What several searches found, merged."""

from dataclasses import replace

import pytest

from medgraph.queries.hits import Hit, merged, none_of_these

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


def test_what_answers_one_of_several_questions_is_as_likely_as_that_makes_it():
    no, yes = replace(A, probability=0.2, accepted=False), replace(A, probability=0.9, accepted=True)
    for found in ([[no], [yes]], [[yes], [no]], [[A], [yes]], [[yes], [A]]):
        (hit,) = merged(found)
        assert (hit.probability, hit.accepted) == (0.9, True)
    assert merged([[A], [B]])[0].probability is None


def test_none_of_these_is_said_where_all_that_were_read_are_unlikely():
    no, yes = replace(A, probability=0.2, accepted=False), replace(B, probability=0.9, accepted=True)
    assert none_of_these([no, C]) is True
    assert none_of_these([no, yes, C]) is False
    assert none_of_these([C]) is none_of_these([]) is None
