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


def test_a_name_written_as_one_word_is_the_same():
    one, other = Member("DOID:1", "Disease", "conjunctivitis", ("pink eye",)), Member("pages:1", "Disease", "Pinkeye")
    assert found(one, other) == {("DOID:1", "pages:1"): ("synonym", 0.93)}


def test_a_title_of_two_names_of_the_same_is_that():
    term = Member("DOID:1", "Disease", "acne", ("pimples",))
    assert found(term, Member("pages:1", "Symptom", "Acne or pimples"))["DOID:1", "pages:1"][0] == "title"
    others = found(Member("DOID:1", "Disease", "mass"), Member("pages:1", "Symptom", "Arm lump or mass"))
    assert others == {("DOID:1", "pages:1"): ("ambiguous name", 0.6)}


def test_a_kind_of_what_a_title_names_is_not_that():
    kind = Member("pages:1", "Disease", "Guttate psoriasis", cuis=("C1",))
    assert found(kind, Member("pages:2", "Disease", "Psoriasis", ("guttate psoriasis",), cuis=("C1",))) == {
        ("pages:1", "pages:2"): ("ambiguous name", 0.6)
    }
