"""Pairs of entities that may mean the same, each once and with how sure it is."""

from medgraph.linking.member import Member
from medgraph.linking.pairing import pairs_of


def found(*members):
    return {(pair.one, pair.other): (pair.method, pair.score) for pair in pairs_of({m.id: m for m in members})}


def test_each_two_are_given_once_with_the_surest_way_and_all_that_speaks_for_it():
    one = Member("DOID:1", "Disease", "gout", xrefs=("MESH:1",))
    other = Member("MESH:1", "Disease", "Gout")
    assert found(one, other) == {("DOID:1", "MESH:1"): ("name", round(1 - 0.02 * 0.03, 4))}


def test_doubtful_ways_do_not_add_up():
    page = Member("pages:1", "Disease", "Childhood gout", cuis=("C1", "C2"))
    term = Member("DOID:1", "Disease", "gout", ("childhood gout",), cuis=("C1",))
    ((method, score),) = found(page, term).values()
    assert (method, score) == ("extended name", 0.5)


def test_what_has_nothing_in_common_is_no_pair():
    assert found(Member("DOID:1", "Disease", "gout"), Member("DOID:2", "Disease", "asthma")) == {}
    assert found() == {}
