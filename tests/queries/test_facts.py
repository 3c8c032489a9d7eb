"""Questions over the graph alone: what stands in a relation to something."""

import pytest

from medgraph.graph import catalogue
from medgraph.linking.names import load_linker
from medgraph.queries.facts import ANY, Fact, find_facts
from medgraph.queries.voices import Backing
from tests.support.joined import joined


@pytest.fixture
def facts(graph, settings, tmp_path):
    """Finds facts in a small graph of three sources."""
    database = joined(graph, settings, tmp_path)
    linker = load_linker(settings, database)

    def find(*asked, **options):
        return find_facts(database, linker, *asked, **options)

    return find


def triples(found):
    return [(fact.head, fact.relation, fact.tail, fact.method) for fact in found]


def test_what_a_thing_has_is_stated_by_sources_and_told_by_texts(facts):
    found = facts("gout", "HAS_SYMPTOM", ANY)
    assert triples(found) == [
        ("C0018099", "HAS_SYMPTOM", "MESH:4", "stated"),
        ("C0018099", "HAS_SYMPTOM", "C0010200", "section"),
        ("C0018099", "HAS_SYMPTOM", "C0015967", "section"),
        ("C0018099", "HAS_SYMPTOM", "C0015967", "stated"),
    ]
    both = Backing(("doid",), ("pages",), 1, True, False, "Doid, Pages", "stated by Doid; told in 1 section (Pages)")
    assert found[3] == Fact(
        "C0018099", "gout", "HAS_SYMPTOM", "C0015967", "fever", ["doid"], "stated", 0.5, ["PMID:1"], both
    )
    assert (found[2].backing, found[1].standing) == (both, "single")
    assert (found[1].sources, found[1].score, found[1].evidence) == (["pages"], 0.949, ["p1#1"])
    for gout in ("Podagra", "MESH:1", "C0018099", " UMLS:C0018099"):
        assert facts(gout, "has symptom", ANY) == found
    assert facts("gout", "HAS_SYMPTOM", ANY, limit=1) == found[:1]


def test_what_has_something_and_what_is_between_two(facts):
    assert triples(facts(ANY, "HAS_SYMPTOM", "cough")) == [
        ("DOID:2", "HAS_SYMPTOM", "C0010200", "stated"),
        ("C0018099", "HAS_SYMPTOM", "C0010200", "section"),
        ("DOID:2", "HAS_SYMPTOM", "C0010200", "section"),
    ]
    assert {triple[1:3] for triple in triples(facts("gout", ANY, "allopurinol"))} == {("TREATED_BY", "MESH:3")}
    assert {fact.relation for fact in facts("gout", ANY, ANY)} == {"HAS_SYMPTOM", "TREATED_BY"}
    assert {fact.head for fact in facts(ANY, ANY, "allopurinol")} == {"C0018099"}
    assert facts("allopurinol", ANY, "gout") == facts("chilblain", ANY, ANY) == facts("gout", "BINDS", ANY) == []


def test_the_surroundings_of_a_condition_for_all_relations_or_some(facts, graph):
    query, given = catalogue.get("disease_subgraph"), {"limit": 100, "kinds": 1}
    rows = graph.read(query, concept="C0018099", types=[], **given)
    assert {(row["relation"], row["direction"], row["concept"]) for row in rows} == {
        ("HAS_SYMPTOM", "out", "C0010200"),
        ("HAS_SYMPTOM", "out", "C0015967"),
        ("HAS_SYMPTOM", "out", "MESH:4"),
        ("TREATED_BY", "out", "MESH:3"),
    }
    some = graph.read(query, concept="C0018099", types=["TREATED_BY"], **given)
    assert some == [row for row in rows if row["relation"] == "TREATED_BY"]
    assert {row["direction"] for row in graph.read(query, concept="C0010200", types=[], **given)} == {"in"}
