"""Entities and concepts: named in questions, resolved, with meanings and descriptions."""

import pytest

from medgraph.errors import InputError
from medgraph.queries import entities
from medgraph.queries.find import find_entities, resolve
from medgraph.queries.meanings import BOUND, Description, Voice, description_of, meaning_of
from medgraph.queries.voices import Backing
from medgraph.schema.concept_relations import fold_all
from tests.support.entities import write_entities
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import names_of


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


SAID = "Marsh ague is a fever. It comes from water."


@pytest.fixture
def ague(database):
    """A disease that two sources name and none defines, with an overview that says what it is."""
    run(
        database,
        "CREATE (s:Source {id: 'made', standing: '1', licence: 'CC0-1.0'}) "
        "CREATE (c:Concept:Disease {cui: 'C1', name: 'marsh ague', ids: [], semantic_types: []}) "
        "CREATE (:Entity:Disease {id: 'x:1', name: 'marsh ague', sources: ['made']})-[:MEANS]->(c) "
        "CREATE (:Entity:Disease {id: 'x:2', name: 'ague', sources: ['made']})-[:MEANS]->(c) "
        "CREATE (p:Section {id: 'p#1', source: 'made', text: $said}) "
        "CREATE (c)-[:DESCRIBED_IN {start: 0, end: 22, method: 'overview'}]->(p) "
        "WITH s MATCH (e:Entity) CREATE (e)-[:FROM]->(s)",
        said=SAID,
    )
    return database


def test_an_overview_describes_what_nobody_defines(ague):
    assert description_of(ague, "x:1") == Description("Marsh ague is a fever.", "made", "", "p#1")
    assert description_of(ague, "nope") is None
    run(ague, "MATCH (s:Section) DETACH DELETE s")
    assert description_of(ague, "x:1") is None


def test_a_definition_of_the_same_goes_before_an_overview(ague):
    run(ague, "MATCH (e:Entity {id: 'x:2'}) SET e.definition = 'A fever of marshes.'")
    assert description_of(ague, "x:1") == Description("A fever of marshes.", "made", "x:2", "")
    assert description_of(ague, "x:2") is None


def test_the_beginning_of_a_name_finds_and_is_not_chosen(sample_graph):
    found = {row.id for row in find_entities(sample_graph, names_of(sample_graph), "diabet", 50)}
    assert {"sample:type-1-diabetes", "sample:type-2-diabetes"} <= found
    with pytest.raises(InputError, match=r"no entity has the id or name 'kidney st'; did you mean Kidney stones \("):
        resolve(sample_graph, names_of(sample_graph), "kidney st")
    with pytest.raises(InputError, match=r"no entity has the id or name 'zzzz'$"):
        resolve(sample_graph, names_of(sample_graph), "zzzz")


COLD = {"name": "Cold"}


@pytest.mark.parametrize(
    ("plain", "better"),
    [
        ({"label": "Topic", "definition": "Being cold.", "sources": ["s", "t"]}, {"label": "Symptom"}),
        ({"obsolete": True, "definition": "Being cold."}, {}),
        ({}, {"definition": "Being cold."}),
        ({}, {"sources": ["s", "t"]}),
    ],
    ids=["more than a topic", "not obsolete", "with a definition", "of more sources"],
)
def test_of_several_of_one_name_the_best_described_is_chosen(names, plain, better):
    graph = names({"id": "a:1"} | COLD | plain, {"id": "a:2"} | COLD | better)
    chosen = resolve(graph, names_of(graph), "cold")
    assert chosen.entity == "a:2"
    assert [(other.id, other.name) for other in chosen.others] == [("a:1", "Cold")]


def test_only_different_meanings_are_asked_about(names):
    rows = [("a:1", "Flu", []), ("b:1", "flu", []), ("c:1", "Chill", ["flu"]), ("d:1", "Rigor", ["flu"])]
    graph = names(*({"id": key, "name": name, "synonyms": synonyms} for key, name, synonyms in rows))
    run(
        graph,
        "UNWIND [['a:1', 'F'], ['b:1', 'F'], ['c:1', 'R'], ['d:1', 'R']] AS row MATCH (e:Entity {id: row[0]}) "
        "MERGE (c:Concept {cui: row[1]}) CREATE (e)-[:MEANS]->(c)",
    )
    chosen = resolve(graph, names_of(graph), "flu")
    assert (chosen.entity, [other.id for other in chosen.others]) == ("a:1", ["c:1"])
    assert resolve(graph, names_of(graph), "chill and rigor").entity == "c:1"  # two names of one concept
    with pytest.raises(InputError, match=r"names \d entities; did you mean \w+ \(\w:1\), \w+ \(\w:1\)\?$"):
        resolve(graph, names_of(graph), "flu and chill")


def find_mentions(database, text):
    return entities.find_mentions(database, names_of(database)(), text)


def named(database, question):
    return [mention.entity.removeprefix("sample:") for mention in find_mentions(database, question)]


@pytest.mark.parametrize(("question", "entity"), examples("names_of_sample"))
def test_any_name_will_do(sample_graph, question, entity):
    assert named(sample_graph, question)[:1] == [entity]


@pytest.mark.parametrize(("question", "entity"), examples("slips_forgiven"))
def test_slips_are_forgiven(sample_graph, question, entity):
    mentions = find_mentions(sample_graph, question)
    assert mentions[0].entity == f"sample:{entity}"
    assert 0.8 < mentions[0].similarity <= 1
    assert mentions[0].surface in question


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("symptoms of type 1 diabetes", "type-1-diabetes"),
        ("symptoms of type 2 diabetes", "type-2-diabetes"),
        ("type 1 diabetes, not type 2", "type-1-diabetes"),
        ("diabetes type 2", "type-2-diabetes"),
        ("diabetes type 1", "type-1-diabetes"),
        ("type II diabetes", "type-2-diabetes"),
        ("type I diabetes", "type-1-diabetes"),
        ("hepatitis B", "hepatitis-b"),
    ],
)
def test_numbers_and_letters_tell_diseases_apart(sample_graph, question, entity):
    assert named(sample_graph, question) == [entity]


@pytest.mark.parametrize("question", examples("nothing_named"))
def test_nothing_is_named(sample_graph, question):
    assert [e for e in named(sample_graph, question) if e != "disease"] == []


def test_several_diseases_are_all_named_up_to_a_bound(sample_graph, monkeypatch):
    assert set(named(sample_graph, "Can asthma and gout come with psoriasis?")) == {"asthma", "gout", "psoriasis"}
    assert len(named(sample_graph, "asthma, gout, psoriasis, acne, stroke, hypertension and influenza")) == 7
    monkeypatch.setattr(entities, "MAX_MENTIONS", 2)
    assert named(sample_graph, "asthma, gout and psoriasis") == ["psoriasis", "asthma"]


def test_only_names_of_what_is_in_use_are_linked(database):
    run(
        database,
        "CREATE (:Entity:Disease {id: 'a', name: 'Zorblatt fever', broad_synonyms: ['Quixotic fever'], "
        "narrow_synonyms: ['Zorblatt flush'], related_synonyms: ['Grumbling'], xrefs: ['MESH:1']}) "
        "CREATE (:Entity:Disease {id: 'b', name: 'Blarney pox', obsolete: true}) "
        "CREATE (:Entity:Disease {id: 'c', name: 'Cobble pox', obsolete: true})<-[:ABOUT]-(:Document {id: 'd'})",
    )
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    assert [m.entity for m in find_mentions(database, "What causes Zorblatt fever?")] == ["a"]
    assert [m.entity for m in find_mentions(database, "What causes Cobble pox?")] == ["c"]
    for question in ("Quixotic fever", "What is grumbling?", "MESH:1", "Blarney pox", "zorblatt flush"):
        assert find_mentions(database, question) == [], question
