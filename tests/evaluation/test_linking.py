"""Figures of linking: the corpus is read whole, and each measure is right on a worked example."""

import random

from rapidfuzz.distance import OSA

from medgraph.evaluation.corpora import GoldMention, GoldText
from medgraph.evaluation.linking import chemicals, foci, misspelt, names, slip, spans
from medgraph.linking.member import Member
from tests.support.linking import entity, linker_of


def test_substances_that_are_found_and_not_marked_count_against_them():
    linker = linker_of(entity("DRUGBANK:1", "aspirin", label="Drug"), entity("DRUGBANK:2", "tea tree", label="Drug"))
    marked = (
        GoldMention(0, 7, "Aspirin", frozenset(), "Chemical"),
        GoldMention(9, 16, "unknown", frozenset(), "Chemical"),
    )
    row = chemicals([GoldText("1", "Aspirin, unknown, tea tree.", marked)], {"aspirin", "tea tree"}, linker)
    assert (row["n"], row["precision"], row["recall"]) == (1, 0.5, 1.0)


TEXTS = [
    GoldText(
        "1",
        "Gout, not fever; asthma and lupus.",
        (
            GoldMention(0, 4, "Gout", frozenset({"MESH:1"})),
            GoldMention(17, 23, "asthma", frozenset({"MESH:2"})),
            GoldMention(28, 33, "lupus", frozenset({"MESH:9"})),
        ),
    )
]
KNOWN = {"MESH:1", "MESH:2", "MESH:3"}


def linker():
    return linker_of(
        entity("a:1", "gout", ids=["a:1", "MESH:1"]),
        entity("a:3", "fever", ids=["a:3", "MESH:3"]),
        entity("a:4", "lupus", ids=["a:4", "MESH:9"]),
        entity("a:5", "asthmatic", "asthma", ids=["a:5", "MESH:7"]),
    )


def test_spans_count_what_is_found_with_a_right_id_to_the_character():
    row = spans(TEXTS, KNOWN, linker())
    # gout is right; fever is wrong; asthma has no id that counts, and is missed; lupus counts neither way
    assert (row["n"], row["precision"], row["recall"], row["f1"]) == (2, 0.5, 0.5, 0.5)


def test_names_count_mentions_whose_ids_the_graph_has():
    row = names(TEXTS, KNOWN, "t", lambda name: {"MESH:1"} if name == "Gout" else set())
    assert (row["n"], row["recall"]) == (2, 0.5)


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


def test_slips_are_few_and_seeded():
    for seed in range(50):
        for slips in (1, 2):
            wrong = slip("rheumatoid arthritis", slips, random.Random(seed))
            assert wrong == slip("rheumatoid arthritis", slips, random.Random(seed))
            assert OSA.distance("rheumatoid arthritis", wrong) <= slips
    assert slip("x", 2, random.Random(0)) == "x"


def test_misspelt_names_are_those_of_diseases():
    members = [Member("a:1", "Disease", "gouty arthritis"), Member("a:2", "Drug", "allopurinol")]
    linker = linker_of(entity("a:1", "gouty arthritis"), entity("a:2", "allopurinol", label="Drug"))
    row = misspelt(members, linker)
    assert (row["n"], row["recall"]) == (1, 1.0)
