"""What names belong to: entities by number, and the concepts that they stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.holdings import LABELS, Holding, Holdings
from medgraph.schema.vocabulary import ENTITY_LABELS, STUB

GOUT = Holding("DOID:13189", "Disease", "C0018099", "gout", "DOID:13189|UMLS:C0018099", members=2, documents=3)
PAGE = Holding("medquad:gout", "Disease", "C0018099", "gout", "DOID:13189|UMLS:C0018099", "DOID:13189", 2)
GENE = Holding("NCBIGene:1", "Gene", "NCBIGene:1", "GOUT1", "NCBIGene:1", near="nowhere:1")
ODD = Holding("x:\u75db\u98a8", "Unheard", "x:\u75db\u98a8", "\U0001f9ec \ud800", "")


@pytest.fixture(params=["built", "saved"])
def stored(request, tmp_path):
    """Gives entities as they were packed, or as they are after they were saved and loaded."""

    def give(*entities):
        holdings = Holdings.build(entities)
        if request.param == "built":
            return holdings
        holdings.save(tmp_path)
        return Holdings.load(tmp_path)

    return give


def test_entities_are_given_by_number(stored):
    held = stored(GOUT, PAGE, GENE, ODD)
    assert len(held) == 4
    assert [held.id(n) for n in range(4)] == ["DOID:13189", "medquad:gout", "NCBIGene:1", "x:\u75db\u98a8"]
    assert [held.label(n) for n in range(4)] == ["Disease", "Disease", "Gene", ""]
    assert [held.concept(n) for n in range(4)] == [0, 0, 1, 2]
    assert [held.concept_id(n) for n in range(4)] == ["C0018099", "C0018099", "NCBIGene:1", "x:\u75db\u98a8"]
    assert [held.concept_name(n) for n in range(4)] == ["gout", "gout", "GOUT1", "\U0001f9ec ?"]
    assert [held.ids(n) for n in (0, 1, 3)] == [GOUT.ids, GOUT.ids, ""]
    assert [held.near(n) for n in range(4)] == [None, 0, None, None]
    assert [held.is_condition(n) for n in range(4)] == [True, True, False, False]
    assert [held.is_gene(n) for n in range(4)] == [False, False, True, False]


def test_there_may_be_none(stored):
    assert len(stored()) == 0


def test_every_category_has_its_place():
    assert set(LABELS) == ENTITY_LABELS.keys() | {STUB}
    held = Holdings.build(Holding(f"x:{label}", label, "c", "", "") for label in LABELS)
    assert [held.label(n) for n in range(len(held))] == list(LABELS)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (GOUT, GENE),
        (GOUT, Holding("medquad:b", "Disease", "b", "", "", members=2, documents=3)),
        (Holding("DOID:2", "Disease", "c", "", "", members=3), GOUT),
        (Holding("DOID:2", "Disease", "c", "", "", members=2, documents=4), GOUT),
        (
            Holding("DOID:2", "Disease", "c", "", "", members=2, documents=900),
            Holding("DOID:3", "Disease", "d", "", ""),
        ),
        (Holding("DOID:1", "Disease", "c", "", ""), Holding("DOID:2", "Disease", "d", "", "")),
        (Holding("x:1", "Disease", "c", "", ""), Holding("MESH:1", "Drug", "d", "", "", members=500, documents=50)),
        (Holding("x:1", "Stub", "c", "", ""), ODD),
    ],
)
def test_what_is_likelier_meant_goes_first(first, second):
    for entities in ((first, second), (second, first)):
        held = Holdings.build(entities)
        assert held.id(min(range(2), key=held.order)) == first.id


@given(st.lists(st.integers(0, 300), max_size=12), st.randoms())
def test_the_order_does_not_depend_on_the_numbers(members, chance):
    entities = [Holding(f"DOID:{n}", LABELS[m % 21], f"c{n}", "", "", members=m) for n, m in enumerate(members)]
    shuffled = chance.sample(entities, len(entities))
    orders = []
    for given_ones in (entities, shuffled):
        held = Holdings.build(given_ones)
        orders.append([held.id(n) for n in sorted(range(len(held)), key=held.order)])
    assert orders[0] == orders[1]
