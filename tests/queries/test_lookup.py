"""Entities looked up by id, by any name and as questions name them; cards that hold everything under stable keys."""

import json

import pytest

from medgraph.errors import InputError
from medgraph.queries.lookup import BOUND, MAX_FOUND, MAX_TEXT, entity_card, find_entities, relation_details, resolve
from tests.support.graphs import run

FOUND = ["id", "label", "name", "synonyms", "matched", "matched_by", "documents", "concepts", "obsolete", "score"]
CARD = [
    "id", "label", "name", "synonyms", "narrow_synonyms", "broad_synonyms", "related_synonyms", "definition",
    "obsolete", "replaced_by", "alternative_ids", "xrefs", "properties", "sources", "concepts", "relations", "kinds",
    "documents", "same_concept", "counts",
]  # fmt: skip
HOSTILE = [
    "'", '"', "\\", "?!", "a:b", "name:*", "*", "~", "AND", "gout AND NOT gout", "/gout/", "[a TO b]", "(((", "gout^99",
    "喘息", "\u202egout", "💊", "\x00", "a" * MAX_TEXT, "gout " * 1999, "<b>gout</b>", "x' OR 1=1 //", "\ud800",
]  # fmt: skip


def first(database, text):
    return find_entities(database, text)[0]


@pytest.fixture
def names(database):
    """Writes entities into an otherwise empty graph, and waits until they can be found."""

    def write(*rows):
        run(
            database,
            "UNWIND $rows AS row CREATE (e:Entity) SET e:$(row.label), e += row.properties "
            "FOREACH (cui IN row.concepts | MERGE (c:Concept {cui: cui}) MERGE (e)-[:HAS_CUI {source: 's'}]->(c))",
            rows=[
                {
                    "label": row.pop("label", "Disease"),
                    "concepts": row.pop("concepts", []),
                    "properties": {"name": row["id"], "synonyms": [], "sources": ["s"]} | row,
                }
                for row in rows
            ],
        )
        run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
        return database

    return write


@pytest.mark.parametrize(
    "text", ["sample:gout", " sample:gout ", "Gout", "gOUT", "gouty\t arthritis", "GOUTY ARTHRITIS"]
)
def test_ids_names_and_synonyms_are_exact_in_any_case(sample_graph, text):
    row = first(sample_graph, text)
    assert list(row) == FOUND
    assert (row["id"], row["label"], row["name"], row["score"]) == ("sample:gout", "Disease", "Gout", 1)
    assert row["matched"].lower() == " ".join(text.lower().split())
    assert (row["documents"], row["concepts"]) == (1, ["C0018099"])
    assert resolve(sample_graph, text).entity == "sample:gout"
    assert resolve(sample_graph, text).notes == ()


@pytest.mark.parametrize(("text", "entity"), [("astma", "asthma"), ("What are the signs of gout?", "gout")])
def test_what_a_question_names_is_found_with_a_note(sample_graph, text, entity):
    row = first(sample_graph, text)
    assert list(row) == FOUND
    assert row["id"] == f"sample:{entity}"
    assert row["score"] < 1
    chosen = resolve(sample_graph, text)
    assert chosen.entity == row["id"]
    assert chosen.notes == (f"{text!r} is understood as {row['name']}",)


def test_an_exact_name_is_not_a_longer_one(sample_graph):
    found = find_entities(sample_graph, "type 2 diabetes")
    assert found[0]["id"] == "sample:type-2-diabetes"
    assert [row["score"] for row in found] == sorted([row["score"] for row in found], reverse=True)
    assert all(row["score"] < 1 for row in found[1:])


def test_the_beginning_of_a_name_finds_and_is_not_chosen(sample_graph):
    found = {row["id"] for row in find_entities(sample_graph, "diabet", 50)}
    assert {"sample:type-1-diabetes", "sample:type-2-diabetes"} <= found
    with pytest.raises(InputError, match=r"no entity has the id or name 'kidney st'; did you mean Kidney stones \("):
        resolve(sample_graph, "kidney st")
    with pytest.raises(InputError, match=r"no entity has the id or name 'zzzz'$"):
        resolve(sample_graph, "zzzz")


def test_two_things_at_once_are_not_one(sample_graph):
    with pytest.raises(InputError, match=r"names 2 entities; did you mean \w+ \(sample:(asthma|gout)\), \w+ \(sample:"):
        resolve(sample_graph, "asthma and gout")


def test_names_go_before_synonyms_and_one_concept_is_one_thing(names):
    graph = names(
        {"id": "a:1", "name": "Flu", "concepts": ["C0000001"]},
        {"id": "b:1", "name": "flu", "concepts": ["C0000001"]},
        {"id": "b:2", "name": "Grippe", "synonyms": ["FLU"], "concepts": ["C0000002"]},
    )
    run(graph, "MATCH (e:Entity {id: 'b:1'}) CREATE (e)<-[:ABOUT {source: 's'}]-(:Document {id: 'd', title: 'T'})")
    assert [row["id"] for row in find_entities(graph, "FLU")] == ["b:1", "a:1", "b:2"]
    chosen = resolve(graph, "flu")
    assert chosen.entity == "b:1"
    assert chosen.notes == ("b:1 is shown; of the same concept: a:1",)
    assert resolve(graph, "a:1").notes == ()


def test_one_name_of_different_things_must_be_told_apart(names):
    graph = names({"id": "a:1", "name": "Cold"}, {"id": "a:2", "name": "Cold", "label": "Topic"})
    with pytest.raises(InputError, match=r"'cold' names 2 entities; did you mean Cold \(a:1\), Cold \(a:2\)\?"):
        resolve(graph, "cold")


HEART = {
    "id": "DOID:114", "name": "heart disease", "synonyms": ["cardiac disease"], "narrow_synonyms": ["Pump failure"],
    "broad_synonyms": ["thoracic trouble"], "related_synonyms": ["chest complaint"], "xrefs": ["MESH:D006331"],
    "alternative_ids": ["DOID:10"], "concepts": ["C0018799"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "by", "note"),
    [
        ("DOID:114", "id", ""),
        ("doid:114", "id", ""),
        ("http://purl.obolibrary.org/obo/DOID_114", "id", ""),
        ("DOID:10", "alternative_id", "'DOID:10' is an id that its source gave up for heart disease"),
        ("Cardiac Disease", "synonym", ""),
        ("MESH:D006331", "xref", "'MESH:D006331' is an id elsewhere of heart disease"),
        ("mesh:d006331", "xref", "'mesh:d006331' is an id elsewhere of heart disease"),
        ("C0018799", "concept", "'C0018799' is a concept of heart disease"),
        ("UMLS:C0018799", "concept", "'UMLS:C0018799' is a concept of heart disease"),
        ("pump failure", "narrow_synonym", "'pump failure' is a narrower word for heart disease"),
        ("THORACIC trouble", "broad_synonym", "'THORACIC trouble' is a broader word for heart disease"),
        ("chest complaint", "related_synonym", "'chest complaint' is a related word for heart disease"),
    ],
)
def test_whatever_sources_call_it_finds_it_and_says_how(names, text, by, note):
    graph = names(dict(HEART), {"id": "DOID:1140", "name": "other disease", "xrefs": ["MESH:D0063311"]})
    row = first(graph, text)
    assert list(row) == FOUND
    assert (row["id"], row["matched_by"]) == ("DOID:114", by)
    assert (row["score"] == 1) is (by in {"id", "alternative_id", "synonym"})
    assert resolve(graph, text).entity == "DOID:114"
    assert resolve(graph, text).notes == ((note,) if note else ())


def test_words_of_other_names_find_and_are_not_chosen(names):
    graph = names(dict(HEART), {"id": "DOID:5", "name": "thoracic aneurysm"})
    found = find_entities(graph, "thoracic")
    assert [(row["id"], row["matched"], row["matched_by"]) for row in found] == [
        ("DOID:5", "thoracic aneurysm", "name"),
        ("DOID:114", "thoracic trouble", "broad_synonym"),
    ]
    assert all(row["score"] < 1 for row in found)
    with pytest.raises(InputError, match="no entity has the id or name 'thoracic'; did you mean"):
        resolve(graph, "thoracic")


def test_a_name_goes_before_what_is_only_related(names):
    graph = names(dict(HEART), {"id": "DOID:5", "name": "Thoracic trouble"}, {"id": "DOID:6", "name": "MESH:D006331"})
    assert [row["id"] for row in find_entities(graph, "thoracic trouble")] == ["DOID:5", "DOID:114"]
    assert resolve(graph, "thoracic trouble").notes == ()
    assert [row["id"] for row in find_entities(graph, "MESH:D006331")] == ["DOID:6", "DOID:114"]


def test_an_id_elsewhere_of_different_things_must_be_told_apart(names):
    graph = names({"id": "a:1", "xrefs": ["OMIM:1"]}, {"id": "a:2", "xrefs": ["OMIM:1"]})
    with pytest.raises(InputError, match=r"'OMIM:1' names 2 entities; did you mean a:1 \(a:1\), a:2 \(a:2\)\?"):
        resolve(graph, "OMIM:1")


def test_what_is_obsolete_gives_way_and_says_what_to_use(names):
    old = {"id": "a:1", "name": "Flu", "obsolete": True, "replaced_by": ["a:2", "a:3"]}
    graph = names(old, {"id": "a:2", "name": "flu"}, {"id": "a:9", "name": "Grippe", "obsolete": True})
    assert [(row["id"], row["obsolete"]) for row in find_entities(graph, "flu")] == [("a:2", False), ("a:1", True)]
    assert resolve(graph, "FLU").entity == "a:2"
    assert resolve(graph, "a:1").entity == "a:1"
    assert resolve(graph, "grippe").entity == "a:9"
    card = entity_card(graph, "a:1")
    assert (card["obsolete"], card["replaced_by"]) == (True, [{"id": "a:2", "name": "flu"}, {"id": "a:3", "name": ""}])


def test_a_card_holds_all_that_is_said(names):
    graph = names({**HEART, "inchikey": "X", "weight": 1.5, "slims": ["a", "b"]}, {"id": "HP:1", "label": "Phenotype"})
    run(
        graph,
        "MATCH (a:Entity {id: 'DOID:114'}), (b:Entity {id: 'HP:1'}) CREATE (a)-[:HAS_SYMPTOM {source: 's', load: 'l', "
        "hash: 1, predicate: 'RO:1', method: 'ECO:1', evidence: ['PMID:1'], score: 0.5, frequency: 'often'}]->(b)",
    )
    card = entity_card(graph, "DOID:114")
    for key in ("narrow_synonyms", "broad_synonyms", "related_synonyms", "xrefs", "alternative_ids"):
        assert card[key] == HEART[key]
    assert card["properties"] == {"inchikey": "X", "slims": ["a", "b"], "weight": 1.5}
    assert card["relations"] == [
        {
            "relation": "HAS_SYMPTOM", "direction": "out", "id": "HP:1", "label": "Phenotype", "name": "HP:1",
            "source": "s", "predicate": "RO:1", "method": "ECO:1", "evidence": ["PMID:1"], "score": 0.5,
            "properties": {"frequency": "often"},
        }
    ]  # fmt: skip
    assert relation_details(card["relations"][0]) == ["s", "RO:1", "ECO:1", "score 0.5", "PMID:1", "frequency: often"]


def test_a_frequent_relation_does_not_hide_the_others(names):
    graph = names({"id": "a:0"}, *({"id": f"b:{i}"} for i in range(60)))
    run(
        graph,
        "MATCH (a:Entity {id: 'a:0'}), (b:Entity) WHERE b.id STARTS WITH 'b:' "
        "CREATE (a)-[:ASSOCIATED_WITH {source: 's'}]->(b) WITH a, b LIMIT 2 "
        "CREATE (a)-[:TREATS {source: 's'}]->(b) CREATE (a)-[:IS_A {source: 's'}]->(b)",
    )
    card = entity_card(graph, "a:0")
    assert [row["relation"] for row in card["relations"]] == ["IS_A"] * 2 + ["ASSOCIATED_WITH"] * 21 + ["TREATS"] * 2
    assert {row["relation"]: row["count"] for row in card["kinds"]} == {"ASSOCIATED_WITH": 60, "IS_A": 2, "TREATS": 2}
    assert (card["counts"]["relations"], card["counts"]["relations_out"], card["counts"]["relations_in"]) == (64, 64, 0)


def test_an_id_may_hold_anything_that_is_no_word(names):
    graph = names({"id": "x: ?!(*)", "name": "?!"}, {"id": "y:β", "name": "β-Thalassaemia", "synonyms": ["Größe 喘息"]})
    assert first(graph, "x: ?!(*)")["id"] == "x: ?!(*)"
    assert first(graph, "β-THALASSAEMIA".upper())["id"] == first(graph, "größe 喘息")["id"] == "y:β"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:10]))
def test_any_text_is_safe(sample_graph, text):
    rows = find_entities(sample_graph, text)
    json.dumps(rows)
    assert all(list(row) == FOUND and None not in row.values() for row in rows)
    assert entity_card(sample_graph, text) is None


@pytest.mark.parametrize(
    ("text", "limit", "message"),
    [("", 10, "nothing to look up"), (" \n", 10, "nothing to look up"), ("x" * (MAX_TEXT + 1), 10, "10,001 characters")]
    + [("gout", limit, f"the limit is {limit}; set it from 1 to {MAX_FOUND}") for limit in (0, -1, MAX_FOUND + 1)],
)
def test_what_cannot_be_looked_up_is_said(sample_graph, text, limit, message):
    with pytest.raises(InputError, match=message):
        find_entities(sample_graph, text, limit)


def test_the_limit_holds(sample_graph):
    assert len(find_entities(sample_graph, "disease", 3)) == 3


def test_a_card_says_what_the_sample_says(sample_graph):
    card = entity_card(sample_graph, "sample:type-2-diabetes")
    assert list(card) == CARD
    assert (card["label"], card["name"], card["definition"]) == ("Disease", "Type 2 diabetes", "")
    assert card["sources"] == [{"source": "sample", "licence": "Apache-2.0", "version": "1", "name": card["name"]}]
    assert card["concepts"][0].keys() == {"cui", "name", "semantic_types"}
    assert card["relations"] == [
        {
            "relation": "IS_A", "direction": "out", "id": "sample:diabetes-mellitus", "label": "Disease",
            "name": "diabetes mellitus", "source": "sample", "predicate": "", "method": "stated", "evidence": [],
            "score": None, "properties": {},
        }
    ]  # fmt: skip
    assert card["kinds"] == [{"relation": "IS_A", "direction": "out", "count": 1}]
    assert (card["properties"], card["obsolete"], card["xrefs"]) == ({}, False, [])
    (document,) = card["documents"]
    assert document.keys() == {"id", "title", "url", "source", "collection", "sections"}
    assert [section["id"] for section in document["sections"]] == [f"sample:type-2-diabetes#{i}" for i in range(1, 9)]
    assert card["counts"] == {
        "relations": 1, "relations_out": 1, "relations_in": 0, "documents": 1, "sections": 8, "concepts": 1,
        "same_concept": 0,
    }  # fmt: skip
    json.dumps(card)


def test_kinds_below_point_in(sample_graph):
    card = entity_card(sample_graph, "sample:diabetes-mellitus")
    below = {row["name"] for row in card["relations"] if row["direction"] == "in"}
    assert below == {"Type 1 diabetes", "Type 2 diabetes"}
    assert [row["direction"] for row in card["relations"]] == ["out", "out", "in", "in"]


def test_an_entity_with_nothing_around_it_has_every_key(names):
    graph = names({"id": "a:1"})
    card = entity_card(graph, "a:1")
    assert list(card) == CARD
    assert None not in card.values()
    assert (card["obsolete"], card["properties"], card["kinds"]) == (False, {}, [])
    assert card["relations"] == card["documents"] == card["concepts"] == card["sources"] == card["same_concept"] == []
    assert set(card["counts"].values()) == {0}
    assert entity_card(graph, "a:2") is None


def test_a_card_is_bounded_and_counts_everything(names):
    many = BOUND + 10
    graph = names({"id": "a:0", "concepts": ["C0000001"]})
    run(
        graph,
        "MATCH (e:Entity {id: 'a:0'}), (c:Concept) UNWIND range(1, $many) AS i "
        "CREATE (:Entity:Disease {id: 'b:' + i, name: 'B'})-[:IS_A {source: 's'}]->(e) "
        "CREATE (e)-[:IS_A {source: 's'}]->(:Entity:Disease {id: 'c:' + i, name: 'C'})-[:HAS_CUI {source: 's'}]->(c) "
        "CREATE (e)-[:HAS_CUI {source: 's'}]->(:Concept {cui: 'X' + i}) "
        "CREATE (d:Document {id: 'd' + i, title: 'D', source: 's'})-[:ABOUT {source: 's'}]->(e) "
        "CREATE (d)-[:ABOUT {source: 't'}]->(e) CREATE (e)-[:IS_A {source: 't'}]->(e)",
        many=many,
    )
    card = entity_card(graph, "a:0")
    assert [row["direction"] for row in card["relations"]] == ["out"] * BOUND + ["in"] * BOUND
    assert len(card["documents"]) == len(card["same_concept"]) == len(card["concepts"]) == BOUND
    assert card["counts"] == {
        "relations": 3 * many, "relations_out": 2 * many, "relations_in": many, "documents": many, "sections": 0,
        "concepts": many + 1, "same_concept": many,
    }  # fmt: skip
