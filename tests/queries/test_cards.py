"""Cards hold everything under stable keys."""

import json

from medgraph.queries.cards import BOUND, entity_card
from tests.support.entities import HEART
from tests.support.graphs import run


def plain(database, name):
    """Give a card as JSON has it."""
    return json.loads(json.dumps(entity_card(database, name).as_dict()))


def alone(source, name):
    """What a relation is backed by that one source states."""
    return {
        "stated": [source], "told": [], "sections": 0, "corroborated": False, "uncurated": False, "who": name,
        "text": f"stated by {name}",
    }  # fmt: skip


def test_a_card_holds_all_that_is_said(names):
    graph = names(HEART | {"inchikey": "X", "weight": 1.5, "slims": ["a", "b"]}, {"id": "HP:1", "label": "Phenotype"})
    run(
        graph,
        "MATCH (a:Entity {id: 'DOID:114'}), (b:Entity {id: 'HP:1'}) CREATE (a)-[:HAS_SYMPTOM {source: 's', load: 'l', "
        "hash: 1, predicate: 'RO:1', method: 'ECO:1', evidence: ['PMID:1'], score: 0.5, frequency: 'often'}]->(b)",
    )
    card = plain(graph, "DOID:114")
    for key in ("narrow_synonyms", "broad_synonyms", "related_synonyms", "xrefs", "alternative_ids"):
        assert card[key] == HEART[key]
    assert card["properties"] == {"inchikey": "X", "slims": ["a", "b"], "weight": 1.5}
    assert card["relations"] == [
        {
            "relation": "HAS_SYMPTOM", "direction": "out", "id": "HP:1", "label": "Phenotype", "name": "HP:1",
            "source": "s", "predicate": "RO:1", "method": "ECO:1", "evidence": ["PMID:1"], "score": 0.5,
            "properties": {"frequency": "often"}, "backing": alone("s", "s"),
        }
    ]  # fmt: skip
    assert entity_card(graph, "DOID:114").relations[0].details() == [
        "s",
        "RO:1",
        "ECO:1",
        "score 0.5",
        "PMID:1",
        "frequency: often",
    ]


def test_a_frequent_relation_does_not_hide_the_others(names):
    graph = names({"id": "a:0"}, *({"id": f"b:{i}"} for i in range(60)))
    run(
        graph,
        "MATCH (a:Entity {id: 'a:0'}), (b:Entity) WHERE b.id STARTS WITH 'b:' "
        "CREATE (a)-[:ASSOCIATED_WITH {source: 's'}]->(b) WITH a, b LIMIT 2 "
        "CREATE (a)-[:TREATS {source: 's'}]->(b) CREATE (a)-[:IS_A {source: 's'}]->(b)",
    )
    card = plain(graph, "a:0")
    assert [row["relation"] for row in card["relations"]] == ["IS_A"] * 2 + ["ASSOCIATED_WITH"] * 21 + ["TREATS"] * 2
    assert {row["relation"]: row["count"] for row in card["kinds"]} == {"ASSOCIATED_WITH": 60, "IS_A": 2, "TREATS": 2}
    assert (card["counts"]["relations"], card["counts"]["relations_out"], card["counts"]["relations_in"]) == (64, 64, 0)


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
    card = plain(graph, "a:0")
    assert [row["direction"] for row in card["relations"]] == ["out"] * BOUND + ["in"] * BOUND
    assert len(card["documents"]) == len(card["same_concept"]) == len(card["concepts"]) == BOUND
    assert card["counts"] == {
        "relations": 3 * many, "relations_out": 2 * many, "relations_in": many, "documents": many, "sections": 0,
        "concepts": many + 1, "same_concept": many,
    }  # fmt: skip
