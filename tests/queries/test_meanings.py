"""What an entity stands for: names, definitions and relations of all entities that mean the same, by who says so."""

import pytest

from medgraph.queries.meanings import BOUND, Voice, meaning_of
from medgraph.queries.voices import Backing
from medgraph.schema.concept_relations import fold_all
from tests.support.entities import write_entities
from tests.support.graphs import run
from tests.support.joined import joined


@pytest.fixture
def graph_of_three(graph, settings, tmp_path):
    """Three sources, joined and linked."""
    return joined(graph, settings, tmp_path)


def test_a_relation_has_the_voices_of_sources_and_of_texts(graph_of_three):
    relations = {(row.relation, row.concept): row for row in meaning_of(graph_of_three, "pages:gout").relations}
    treated = relations["TREATED_BY", "MESH:3"]
    assert (treated.name, treated.label, treated.entity, treated.direction) == ("allopurinol", "Drug", "MESH:3", "out")
    assert treated.voices == (
        Voice(["mesh"], "stated", "", None, ["PMID:2"], 0),
        Voice(["pages"], "section", "", 0.969, ["p1#2"], 1),
    )
    assert treated.text() == "stated by mesh; PMID:2 | told in 1 section (pages); p1#2"
    assert treated.backing == Backing(
        ("mesh",), ("pages",), 1, True, False, "Mesh, Pages", "stated by Mesh; told in 1 section (Pages)"
    )
    fever = relations["HAS_SYMPTOM", "C0015967"]
    assert [(voice.sources, voice.score) for voice in fever.voices] == [(["doid"], 0.5), (["pages"], 0.9)]
    assert ("HAS_SYMPTOM", "C0010200") in relations  # the texts alone say so
    kinds = [(kind.relation, kind.count) for kind in meaning_of(graph_of_three, "MESH:1").kinds]
    assert kinds == [("HAS_SYMPTOM", 3), ("TREATED_BY", 1)]


def test_what_more_sources_say_comes_first(graph_of_three):
    rows = [row.concept for row in meaning_of(graph_of_three, "DOID:1").relations if row.relation == "HAS_SYMPTOM"]
    assert rows[0] == "C0015967"
    (back,) = [row for row in meaning_of(graph_of_three, "SYMP:1").relations if row.concept == "C0018099"]
    assert (back.direction, back.relation, len(back.voices)) == ("in", "HAS_SYMPTOM", 2)


def test_relations_are_bounded_in_turns_and_all_counted(database):
    write_entities(database, {"id": "a:1"})
    run(
        database,
        "MATCH (e:Entity {id: 'a:1'}) CREATE (e)-[:MEANS]->(:Concept {cui: 'a:1', name: 'A'}) "
        "CREATE (e)-[:TREATED_BY {source: 's'}]->(:Entity:Stub {id: 'x:1'}) WITH e UNWIND range(1, 80) AS i "
        "CREATE (e)-[:HAS_SYMPTOM {source: 's'}]->(:Entity:Symptom {id: 'y:' + i, name: 'Y'})"
        "-[:MEANS]->(:Concept:Symptom {cui: 'y:' + i, name: 'Y' + i})",
    )
    fold_all(database)
    meaning = meaning_of(database, "a:1")
    assert [(kind.relation, kind.count) for kind in meaning.kinds] == [("HAS_SYMPTOM", 80), ("TREATED_BY", 1)]
    assert len(meaning.relations) == BOUND
    (stub,) = [row for row in meaning.relations if row.relation == "TREATED_BY"]
    assert (stub.concept, stub.name, stub.label, stub.entity) == ("x:1", "x:1", "Stub", "x:1")
