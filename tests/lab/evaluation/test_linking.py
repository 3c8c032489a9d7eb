"""Figures of linking: each measure is right on a worked example."""

from medgraph.linking.pairing import Member
from medgraph_lab.evaluation.linking import chemicals, foci
from medgraph_lab.evaluation.sets.pubtator import GoldMention, GoldText
from tests.support.linking import entity, linker_of


def test_substances_that_are_found_and_not_marked_count_against_them():
    linker = linker_of(entity("DRUGBANK:1", "aspirin", label="Drug"), entity("DRUGBANK:2", "tea tree", label="Drug"))
    marked = (
        GoldMention(0, 7, "Aspirin", frozenset(), "Chemical"),
        GoldMention(9, 16, "unknown", frozenset(), "Chemical"),
    )
    row = chemicals([GoldText("1", "Aspirin, unknown, tea tree.", marked)], {"aspirin", "tea tree"}, linker)
    assert (row["n"], row["precision"], row["recall"]) == (1, 0.5, 1.0)


def test_foci_are_looked_up_without_their_own_names():
    members = [
        Member("medquad:gout", "Disease", "Gout", cuis=("C0018099",)),
        Member("medquad:podagra", "Disease", "Podagra", cuis=("C0018099",)),
        Member("medquad:cold", "Disease", "Cold", cuis=("C0000001",)),
        Member("DOID:1", "Disease", "gout", cuis=("C0018099",)),
        Member("DOID:2", "Disease", "cold", cuis=("C0000002",)),
    ]
    row = foci(members)
    assert (row["n"], row["recall"]) == (2, 0.5)
    assert row["task"].endswith("0.667 covered")
