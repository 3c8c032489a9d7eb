"""Entities, sections, sources, paths, subgraphs and what is similar, by the service."""

import re

import pytest
from flask import url_for

from medgraph.queries import paths
from tests.support.descriptions import holds
from tests.support.graphs import run
from tests.support.kge import with_vectors, without_vectors
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
    assert "there is no entity with the id 'C9999999'" in problem(client.get("/v1/entities/C9999999"), 404)


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


def test_pages_of_entities_follow_each_other(client, sample_graph):
    whole = client.get("/v1/entities?q=disease&limit=100").get_json()
    found, offset = [], 0
    while offset is not None:
        page = client.get(f"/v1/entities?q=disease&limit=1&offset={offset}").get_json()
        found, offset = found + page["entities"], page["next"]
    assert whole["next"] is None
    assert found == whole["entities"]
    assert len(found) > 1


@pytest.mark.parametrize(
    "name", ["nope", "../../etc/passwd", "%2e%2e/%2e%2e", "a%0d%0aX-Evil:1", "%00", "%ED%A0%80", "'})"]
)
def test_sections_and_entities_that_are_not_there(client, name):
    for path in ("/v1/sections/", "/v1/entities/"):
        response = client.get(path + name)
        assert problem(response, 404)
        assert "X-Evil" not in response.headers
    for path in ("/sections/", "/entities/"):
        response = client.get(path + name)
        assert response.status_code == 404
        assert "X-Evil" not in response.headers


def test_ids_may_be_any_text(client, database):
    for name in ("/docs/faq#1", "a//b", "https://e.example/x/#1", "a/", "a?b&c=d", "%2F", "a\nb"):
        run(
            database,
            "CREATE (:Source {id: $id, licence: 'CC0'})<-[:FROM]-(d:Document {id: $id, title: 'T', url: ''}) "
            "CREATE (d)-[:HAS_SECTION]->(:Section {id: $id, type: '', heading: '', question: '', text: 'x'})",
            id=name,
        )
        with client.application.test_request_context():
            address = url_for("pages.page_section", name=name)
        shown = client.get(address)
        assert shown.status_code == 200, name
        assert client.get(f"/v1{address}").get_json()["section"] == name


def test_sources(client):
    (source,) = client.get("/v1/sources").get_json()["sources"]
    assert (source["source"], source["documents"], source["licence"]) == ("sample", 60, "Apache-2.0")


PAIR = "name=Atrial+fibrillation&name=Heart+failure"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Waits for a server that has just started to plan the statement."""
    monkeypatch.setattr(paths, "TIME_LIMIT", 60.0)


def test_paths_are_given_as_they_are_described(client):
    found = client.get(f"/v1/paths?{PAIR}&limit=5").get_json()
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    holds(found, {"$ref": "/FoundPaths"}, schemas)
    (pair,) = found["pairs"]
    assert (pair["first"]["name"], pair["second"]["name"], pair["hops"], pair["complete"]) == (
        "Atrial fibrillation",
        "Heart failure",
        3,
        True,
    )
    assert pair["first"]["entity"] == "sample:atrial-fibrillation"
    assert len(pair["paths"]) == 3
    assert [path["score"] for path in pair["paths"]] == sorted((p["score"] for p in pair["paths"]), reverse=True)
    first, *_ = pair["paths"]
    said = r"(←|\u2013) [A-Z_, ]+ (→|\u2013)"
    assert re.fullmatch(f"Atrial fibrillation {said} Coronary artery disease {said} Heart failure", first["text"])
    assert first["hops"][0]["said"][0]["licences"] == ["Apache-2.0"]


def test_a_question_keeps_what_comes_nearest(client):
    given = client.get(f"/v1/paths?{PAIR}&question=Is+coronary+artery+disease+behind+it%3F&limit=2").get_json()[
        "pairs"
    ][0]["paths"]
    likeness = [path["similarity"] for path in given]
    assert len(given) == 2
    assert likeness == sorted(likeness, reverse=True)
    assert "Coronary artery disease" in " ".join(path["text"] for path in given)


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("", 400, 'the parameter "name" is missing'),
        ("name=gout", 400, 'the parameter "name" is a list of 1; it takes a list; from 2 to 5 times a text'),
        ("name=gout&name=Podagra", 400, "are the same thing, C0018099"),
        ("name=gout&name=zzzzqqqq", 404, "nothing is called 'zzzzqqqq'"),
        ("name=gout&name=%27%7D%29+DETACH+DELETE+n", 404, "nothing is called"),
        ("name=gout&name=asthma&hops=0", 400, "\"hops\" is '0'; it takes a whole number from 1 to 3"),
        ("name=gout&name=asthma&limit=51", 400, "\"limit\" is '51'"),
        ("&".join(["name=gout"] * 6), 400, "a list of 6"),
    ],
)
def test_what_cannot_be_asked(client, query, status, message):
    assert message in problem(client.get(f"/v1/paths?{query}"), status)


def test_the_page_shows_paths_with_a_picture_and_who_says_so(client):
    page = client.get(f"/paths?{PAIR}")
    assert page.status_code == 200
    assert '<svg class="picture"' in page.text or "<svg" in page.text
    assert "has risk factor told: sample (Apache-2.0)" in page.text
    assert 'href="/entities/sample:heart-failure"' in page.text
    assert re.findall(r'name="name" type="text"[^>]*value="([^"]*)"', page.text) == [
        "Atrial fibrillation",
        "Heart failure",
    ]
    empty = client.get("/paths")
    assert (empty.status_code, "<svg" in empty.text) == (200, False)
    assert 'href="/paths"' in client.get("/").text


def test_a_subgraph_is_given_as_it_is_described(client):
    asked = "name=Stroke&type=complications&relation=HAS_COMPLICATION"
    found = client.get(f"/v1/subgraph?{asked}").get_json()
    holds(found, {"$ref": "/Subgraph"}, client.get("/openapi.json").get_json()["components"]["schemas"])
    sample = "medgraph's built-in sample of common conditions"
    assert (
        found["sentences"][0]["text"]
        == f"According to texts of {sample} alone, complications of stroke include pneumonia."
    )
    assert (found["sentences"][0]["standing"], found["sentences"][0]["who"]) == ("single", "")
    assert found["relations"][0]["backing"] == {
        "stated": [],
        "told": ["sample"],
        "predicted": [],
        "sections": 1,
        "corroborated": False,
        "uncurated": False,
        "who": sample,
        "text": f"told in 1 section ({sample})",
    }
    assert found["sentences"][0]["licences"] == ["Apache-2.0"]
    assert [found["relations"][place]["tail"]["name"] for place in found["sentences"][0]["relations"]] == ["Pneumonia"]


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("", 400, 'the parameter "name" is missing'),
        ("name=zzzzqqqq", 404, "nothing is called 'zzzzqqqq'"),
        ("name=gout&type=nope", 404, "no relation tells 'nope'"),
        ("name=gout&relation=%27%7D%29", 404, "there is no relation"),
        ("name=gout&limit=0", 400, "\"limit\" is '0'; it takes a whole number from 1 to 200"),
        ("name=gout&name=asthma", 400, "name"),
    ],
)
def test_what_cannot_be_asked_of_subgraph(client, query, status, message):
    assert message in problem(client.get(f"/v1/subgraph?{query}"), status)


def test_the_page_tells_what_goes_with_a_condition(client):
    empty = client.get("/subgraph")
    assert (empty.status_code, "<svg" in empty.text) == (200, False)
    assert 'href="/subgraph"' in client.get("/").text
    page = client.get("/subgraph?name=Stroke&type=complications").text
    assert '<h2 id="found">Stroke</h2>' in page
    assert re.findall(r"<h3>([^<]+)</h3>", page) == ["Complications"]
    assert "alone, complications of stroke include pneumonia." in page
    assert "(Apache-2.0)" in page
    assert "<option selected>complications</option>" in page
    assert "<svg" in page
    assert 'href="/entities/sample:stroke">all that is known of it</a>' in page
    assert '<input name="name" type="hidden" value="sample:stroke">' in page
    read = re.search(r'read in <a href="(/sections/[^"]+)"', client.get("/subgraph?name=sample:gout").text)[1]
    assert client.get(read).status_code == 200


@pytest.fixture
def learned(client, sample_graph):
    """The service on the sample, whose concepts have vectors made by hand."""
    with_vectors(sample_graph)
    yield client
    without_vectors(sample_graph)


def test_what_is_similar_is_given_as_it_is_described(learned):
    found = learned.get("/v1/entities/sample:gout/similar?limit=3").get_json()
    schemas = learned.get("/openapi.json").get_json()["components"]["schemas"]
    holds(found, {"$ref": "/SimilarConcepts"}, schemas)
    assert (found["concept"], found["name"], found["model"], len(found["similar"])) == ("C0018099", "Gout", "TransE", 3)
    assert found == learned.get("/v1/entities/UMLS:C0018099/similar?limit=3").get_json()
    drugs = learned.get("/v1/entities/sample:gout/similar?label=Drug").get_json()["similar"]
    assert {one["label"] for one in drugs} <= {"Drug"}


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("sample:gout/similar?limit=0", 400, "\"limit\" is '0'; it takes a whole number from 1 to 50"),
        ("sample:gout/similar?label=Ill", 404, "there is no category 'Ill'"),
        ("zzzz/similar", 404, "there is no entity with the id 'zzzz'"),
        ("%C3%A9%20%27%7D%29/similar", 404, "there is no entity with the id"),
    ],
)
def test_what_cannot_be_asked_of_similar(learned, path, status, message):
    assert message in problem(learned.get(f"/v1/entities/{path}"), status)


def test_without_vectors_it_is_said_what_makes_them(client, sample_graph):
    run(sample_graph, "MATCH (e:Encoder {id: 'kge'}) DELETE e")
    assert problem(client.get("/v1/entities/sample:gout/similar"), 404) == "the graph has no vectors of relations"
    page = client.get("/entities/sample:gout")
    assert page.status_code == 200
    assert "imilar" not in page.text


def test_what_things_have_in_common(client, sample_graph):
    names = ["C0002871", "stroke", "zzzzqqqq"]
    found = client.post("/v1/enrich", json={"names": names, "limit": 3}).get_json()
    holds(found, {"$ref": "/Enrichment"}, client.get("/openapi.json").get_json()["components"]["schemas"])
    assert [one["given"] for one in found["concepts"]] == names[:2]
    assert [(one["given"], one["reason"]) for one in found["left_out"]] == [("zzzzqqqq", "unknown")]
    assert [test["given"] for test in found["tested"]] == [2] * len(found["tested"])
    assert "none of the 1 names" in problem(client.post("/v1/enrich", json={"names": ["zzzzqqqq"]}), 404)
    assert '"names"' in problem(client.post("/v1/enrich", json={"names": []}), 400)
