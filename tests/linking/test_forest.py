"""Groups that grow pair by pair, and keep apart what is known to differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.forest import ACCEPTED, EntityPair, Forest

IDS = [f"{prefix}:{n}" for prefix in "abc" for n in range(4)]


def pair(one, other, method="name"):
    return EntityPair(-0.98, *sorted((one, other)), method, "x", 0.98)


PAIRS = st.lists(
    st.lists(st.sampled_from(IDS), min_size=2, max_size=2, unique=True).map(lambda ids: pair(*ids)), max_size=20
)


@pytest.fixture
def forest():
    """Two vocabularies, a and b, of which a's second term is given up, and a list, x."""
    terms = {"a:1": "a", "a:2": "", "a:3": "a", "b:1": "b", "b:2": "b", "x:1": "", "x:2": ""}
    return Forest(terms, [("b:1", "x:2"), ("b:1", "gone:1")])


def test_groups_grow_and_say_why(forest):
    first, second = pair("a:1", "b:1"), pair("a:1", "x:1")
    for step in (first, second, first):
        forest.join(step)
    assert forest.groups() == [["a:1", "b:1", "x:1"], ["a:2"], ["a:3"], ["b:2"], ["x:2"]]
    assert forest.root("a:1") == forest.root("x:1") != forest.root("a:3")
    assert forest.same(pair("b:1", "x:1"))
    assert not forest.same(pair("b:1", "b:2"))
    assert forest.reasons() == {"b:1": first, "x:1": second}


def test_two_terms_of_one_vocabulary_do_not_meet(forest):
    forest.join(pair("a:1", "x:1"))
    assert forest.clash(pair("a:3", "x:1")) == ("a:3", "a:1")
    assert forest.clash(pair("a:3", "x:2")) is None
    assert forest.clash(pair("x:1", "x:2")) is None
    assert forest.clash(pair("a:1", "x:1")) is None


def test_what_its_vocabulary_gave_up_stands_beside_another_but_hides_none(forest):
    forest.join(pair("a:2", "x:1"))
    forest.join(pair("a:1", "x:1"))
    assert forest.clash(pair("a:3", "x:1")) == ("a:3", "a:1")
    assert forest.clash(pair("a:2", "a:3")) == ("a:1", "a:3")


def test_a_curators_word_goes_before_a_vocabularys(forest):
    assert forest.clash(pair("a:1", "a:3")) == ("a:1", "a:3")
    assert forest.clash(pair("a:1", "a:3", ACCEPTED)) is None
    forest.join(pair("b:1", "x:1"))
    assert forest.clash(pair("x:1", "x:2")) == ("b:1", "x:2")
    assert forest.clash(pair("x:1", "x:2", ACCEPTED)) == ("b:1", "x:2")


def test_a_chain_leads_from_one_end_to_the_other(forest):
    steps = [pair("a:1", "b:1"), pair("b:1", "x:1"), pair("a:3", "b:2")]
    for step in steps:
        forest.join(step)
    last = pair("b:2", "x:1")
    assert forest.clash(last) == ("a:3", "a:1")
    assert list(forest.chain("a:3", "a:1", last)) == [steps[2], last, steps[1], steps[0]]


@given(PAIRS)
def test_groups_are_what_pairs_connect(pairs):
    forest = Forest(dict.fromkeys(IDS, ""))
    reached = {key: {key} for key in IDS}
    for step in pairs:
        forest.join(step)
        both = reached[step.one] | reached[step.other]
        reached |= dict.fromkeys(both, both)
    assert forest.groups() == sorted(sorted(group) for group in {frozenset(g) for g in reached.values()})
    reasons = forest.reasons()
    assert reasons.keys() == {key for group in forest.groups() for key in group[1:]}
    assert all(key in (reason.one, reason.other) and forest.same(reason) for key, reason in reasons.items())
