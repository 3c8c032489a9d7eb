"""Groups weighed against each other: what more speaks for elsewhere goes there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.forest import ACCEPTED, EntityPair
from medgraph.linking.weighing import Weighing

TERMS = {"a:1": "a", "a:2": "a", "b:1": "b", "b:2": "b", "x:1": "", "x:2": ""}
SOLE = [[key] for key in TERMS]


def pair(one, other, evidence="x", score=0.93, method="synonym"):
    return EntityPair(-score, *sorted((one, other)), method, evidence, score)


def settled(groups, pairs, apart=(), keys=tuple(TERMS)):
    numbers = Weighing(groups, TERMS, pairs, apart).settle(keys)
    found = {}
    for key, number in numbers.items():
        found.setdefault(number, set()).add(key)
    return sorted(map(sorted, found.values()))


def test_a_term_takes_the_place_of_another_that_has_less_in_common_with_the_rest():
    groups = [["a:1", "b:1", "x:1"], ["a:2"], ["b:2"], ["x:2"]]
    pairs = [pair("a:1", "b:1", "p"), pair("a:2", "b:1", "q"), pair("a:2", "x:1", "r"), pair("b:1", "x:1", "s")]
    assert settled(groups, pairs) == [["a:1"], ["a:2", "b:1", "x:1"], ["b:2"], ["x:2"]]


def test_the_same_evidence_counts_once_but_names_count_one_by_one():
    groups = [["a:1", "b:1", "x:1"], ["a:2"], ["b:2"], ["x:2"]]
    held = pair("a:1", "b:1", "p", 0.96)
    rest = [held, pair("b:1", "x:1", "s")]
    once = [pair("a:2", "b:1", "q"), pair("a:2", "x:1", "q")]
    assert settled(groups, [*rest, *once]) == sorted(groups)
    named = [pair("a:2", "b:1", "q", method="name"), pair("a:2", "x:1", "q", method="name")]
    assert ["a:2", "b:1", "x:1"] in settled(groups, [*rest, *named])


def test_what_is_called_the_same_stays_together():
    groups = [["a:1", "x:1"], ["a:2", "b:2"], ["b:1"], ["x:2"]]
    pairs = [pair("a:1", "x:1", "p", method="name"), pair("x:1", "a:2", "q", 0.999), pair("a:2", "b:2", "r", 0.999)]
    assert settled(groups, pairs) == sorted(groups)


@pytest.mark.parametrize("apart", [("a:2", "x:1"), ("x:1", "a:2")])
def test_what_a_curator_said_outweighs_all(apart):
    groups = [["a:1", "b:1", "x:1"], ["a:2"], ["b:2"], ["x:2"]]
    pairs = [pair("a:1", "b:1", "p"), pair("a:2", "b:1", "q", 0.95), pair("b:1", "x:1", "s")]
    assert settled(groups, pairs) != sorted(groups)
    assert settled(groups, pairs, [apart]) == sorted(groups)
    accepted = [pair("a:1", "b:1", "p", 1.0, ACCEPTED), *pairs[1:]]
    assert settled(groups, accepted) == sorted(groups)


def test_nothing_to_weigh():
    assert settled(SOLE, []) == sorted(SOLE)
    assert settled(SOLE, [pair("a:1", "b:1")], keys=()) == sorted(SOLE)


LINKS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(list(TERMS)), min_size=2, max_size=2, unique=True),
        st.sampled_from("pqr"),
        st.sampled_from([0.91, 0.95, 0.999]),
        st.sampled_from(["name", "synonym"]),
    ),
    max_size=12,
)


@given(LINKS, LINKS)
def test_there_is_an_end_and_no_two_terms_of_a_vocabulary_meet(links, apart):
    pairs = [pair(*ids, evidence, score, method) for ids, evidence, score, method in links]
    kept_apart = [tuple(ids) for ids, *_ in apart[:2]]
    for group in settled(SOLE, pairs, kept_apart):
        known = [TERMS[key] for key in group if TERMS[key]]
        assert len(known) == len(set(known))
        assert not any(set(ids) <= set(group) for ids in kept_apart)
