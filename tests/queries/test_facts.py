"""Questions over the graph alone: what stands in a relation to something."""

from dataclasses import replace

import pytest

from medgraph.graph import catalogue
from medgraph.linking.concepts import index_concepts
from medgraph.linking.names import load_linker
from medgraph.queries.cards import entity_card
from medgraph.queries.concepts import ANY, Fact, find_facts
from medgraph.queries.meanings import meaning_of
from medgraph.queries.voices import Backing
from medgraph.schema.records import Entity, Relation
from tests.support.joined import joined
from tests.support.loads import Loading


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


def test_what_a_source_predicts_says_so(facts, graph, tmp_path):
    predicted = Relation("MESH:1", "TREATED_BY", "CHEBI:1", properties=(("knowledge_level", "prediction"),))
    told = replace(predicted, object="MESH:3")
    Loading(tmp_path, graph)([Entity("CHEBI:1", "Drug", "colchicine"), predicted, told], "model")
    index_concepts(graph)
    found = {fact.tail_name: fact for fact in facts("gout", "TREATED_BY", ANY)[::-1]}
    assert (found["colchicine"].method, found["colchicine"].sources) == ("predicted", ["model"])
    assert found["colchicine"].backing == Backing(who="Model", text="predicted by Model", predicted=("model",))
    assert found["allopurinol"].backing.text.startswith("stated by Mesh; predicted by Model; told in 1 section")
    assert (found["allopurinol"].backing.stated, found["allopurinol"].method) == (("mesh",), "stated")
    query = catalogue.get("disease_subgraph")
    rows = graph.read(query, concept="C0018099", types=["TREATED_BY"], limit=100, kinds=1)
    assert {row["name"]: [voice["method"] for voice in row["said"]] for row in rows}["colchicine"] == ["predicted"]
    limits = {"hops": 1, "scan": 5000, "fan_out": 200, "hub": 1000, "limit": 50}
    (path,) = graph.read(catalogue.get("paths"), first="C0018099", second="CHEBI:1", **limits)
    assert [voice["method"] for voice in path["hops"][0]["said"]] == ["predicted"]
    asked = graph.read(
        catalogue.get("asked_facts"),
        entities=["MESH:1"],
        others=[],
        out=["TREATED_BY"],
        back=["TREATS"],
        labels=["Drug"],
        terms=True,
        named="",
        limit=40,
    )
    assert [row["object_name"] for row in asked] == ["allopurinol"]
    (relation,) = (one for one in entity_card(graph, "CHEBI:1").relations if one.id == "MESH:1")
    assert relation.backing.text == "predicted by Model"
    (relation,) = (one for one in meaning_of(graph, "CHEBI:1").relations if one.concept == "C0018099")
    assert [voice.text() for voice in relation.voices] == ["predicted by model"]


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
