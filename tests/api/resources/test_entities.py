"""Entities by id and name, and their cards."""

import pytest

from tests.support.descriptions import holds
from tests.support.graphs import run
from tests.support.service import problem


def test_entities_are_found_and_have_a_card(client):
    first, *_ = client.get("/v1/entities?q=podagra+gout&limit=3").get_json()["entities"]
    assert (first["id"], first["name"], first["label"]) == ("sample:gout", "Gout", "Disease")
    assert len(client.get("/v1/entities?q=diabetes&limit=1").get_json()["entities"]) == 1
    card = client.get("/v1/entities/sample:gout").get_json()
    (source,) = card["sources"]
    assert (source["source"], source["licence"], source["version"]) == ("sample", "Apache-2.0", "1")
    assert (source["name"], source["synonyms"]) == ("Gout", card["synonyms"])
    assert [document["id"] for document in card["documents"]] == ["sample:gout"]
    assert client.get("/v1/entities?q=zzzzqqqq").get_json() == {"entities": [], "next": None}


def test_a_cui_has_the_card_of_the_entity_that_fits_its_concept_best(client):
    for name in ("C0018099", "UMLS:C0018099"):
        assert client.get(f"/v1/entities/{name}").get_json() == client.get("/v1/entities/sample:gout").get_json()
    assert "there is no entity with this id" in problem(client.get("/v1/entities/C9999999"), 404)


def test_a_card_tells_all_that_sources_say_as_text(client, database):
    run(
        database,
        "CREATE (e:Entity:Disease {id: 'x', name: 'X', broad_synonyms: ['<b>wide</b>'], xrefs: ['MESH:1'], "
        "obsolete: true, replaced_by: ['y', 'z'], inchikey: '<i>'}) "
        "CREATE (e)-[:FROM {label: 'Disease', name: 'Ex'}]->(:Source {id: 's', licence: 'CC0-1.0'}) "
        "CREATE (:Entity:Drug {id: 'y', name: 'Y'})-[:TREATS {source: 's', predicate: '<u>', evidence: ['PMID:1'], "
        "score: 0.25, dose: 'low'}]->(e)",
    )
    card = client.get("/v1/entities/x").get_json()
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    holds(card, {"$ref": "/Entity"}, schemas)
    assert card["sources"] == [
        {"source": "s", "licence": "CC0-1.0", "version": "", "name": "Ex", "synonyms": [], "definition": ""}
        | {"xrefs": [], "translations": [], "obsolete": False}
    ]
    assert card["relations"][0]["properties"] == {"dose": "low"}
    page = " ".join(client.get("/entities/x").text.split())
    for said in (
        'use <a href="/entities/y">Y</a>; z',
        "&lt;b&gt;wide&lt;/b&gt;",
        "MESH:1",
        "inchikey: &lt;i&gt;",
        "s, CC0-1.0 (“Ex”)",
        "According to one source alone, treatments for it include …",
        "(s; &lt;u&gt;; score 0.25; PMID:1; dose: low)",
    ):
        assert said in page, said
    (found,) = client.get("/v1/entities?q=MESH:1").get_json()["entities"]
    assert (found["id"], found["matched_by"], found["obsolete"]) == ("x", "xref", True)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", 'the parameter "q" is missing'),
        ("q=+", "nothing to look up"),
        ("q=gout&q=gout", 'the parameter "q" is given 2 times'),
        ("q=gout&top_k=5", "there is no parameter 'top_k'; known are limit, offset, q"),
        ("q=gout&limit=0", "\"limit\" is '0'; it takes a whole number from 1 to 100"),
        ("q=gout&limit=-3", "\"limit\" is '-3'"),
        ("q=gout&limit=1000", "\"limit\" is '1000'"),
        ("q=" + "a" * 10_001, '"q" is a text of 10,001 characters; it takes a text of at most 10,000'),
    ],
)
def test_look_ups_that_cannot_be_used(client, query, message):
    assert message in problem(client.get(f"/v1/entities?{query}"), 400)


def test_pages_of_entities_follow_each_other(client):
    whole = client.get("/v1/entities?q=disease&limit=100").get_json()
    found, offset = [], 0
    while offset is not None:
        page = client.get(f"/v1/entities?q=disease&limit=1&offset={offset}").get_json()
        found, offset = found + page["entities"], page["next"]
    assert whole["next"] is None
    assert found == whole["entities"]
    assert len(found) > 1
