"""The service: answers and searches over a real graph, and every wrong request refused by name."""

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import url_for
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from medgraph.api import problems
from medgraph.api import service as service_module
from medgraph.api.app import MAX_BODY, create_app
from medgraph.api.options import Options
from medgraph.api.service import Service
from medgraph.errors import EncoderError
from medgraph.graph.database import Database
from tests.support.graphs import run, state_of
from tests.support.paths import ROOT
from tests.support.proxies import Proxy
from tests.support.service import JSON, problem


@pytest.fixture
def client(sample_graph, encoder):
    return create_app(Service(sample_graph, lambda: encoder)).test_client()


# What is asked rightly.


def test_an_answer(client):
    response = client.post("/v1/answers", json={"question": "How is gout treated?"})
    assert response.status_code == 200
    data = response.get_json()
    assert data["status"] == "answered"
    for sentence in data["sentences"]:
        (citation,) = sentence["citations"]
        section = client.get(f"/v1/sections/{citation['section'].replace('#', '%23')}").get_json()
        assert section["text"][citation["start"] : citation["end"]] == citation["quote"]
        assert section["licence"]
    assert "not medical advice" in data["notice"]
    nothing = client.post("/v1/answers", json={"question": "best pizza in town"}).get_json()
    assert (nothing["status"], nothing["sentences"]) == ("not_enough_evidence", [])


def test_filters_reach_the_answer_and_the_search(client):
    body = {"question": "gout", "sources": ["sample"], "types": ["treatment"]}
    cited = client.post("/v1/answers", json=body).get_json()["sentences"]
    assert {c["section"] for s in cited for c in s["citations"]} == {"sample:gout#6"}
    found = client.get("/v1/search?q=gout&type=diagnosis&type=treatment&source=sample&top_k=50").get_json()["results"]
    assert {hit["type"] for hit in found} == {"exams and tests", "treatment"}
    assert client.get("/v1/search?q=gout&since=1900").get_json() == {"results": []}


def test_licences_reach_the_answer_and_the_search_and_are_named(client, sample_graph):
    body = {"question": "How is gout treated?", "licences": ["apache-2.0"]}
    answer = client.post("/v1/answers", json=body).get_json()
    assert {c["licence"] for s in answer["sentences"] for c in s["citations"]} == {"Apache-2.0"}
    assert {found["licence"] for found in answer["evidence"]} == {"Apache-2.0"}
    found = client.get("/v1/search?q=gout&licence=Apache+2.0&source=sample").get_json()["results"]
    assert {hit["licence"] for hit in found} == {"Apache-2.0"}
    assert "(sample, Apache-2.0)" in client.post("/", data={"question": "How is gout treated?"}).text
    run(sample_graph, "CREATE (:Source {id: 'elsewhere', licence: 'CC0-1.0'})")
    try:
        other = client.post("/v1/answers", json=body | {"licences": ["CC0-1.0"]}).get_json()
        assert (other["status"], other["evidence"]) == ("not_enough_evidence", [])
        assert client.get("/v1/search?q=gout&licence=CC0-1.0&source=sample").get_json() == {"results": []}
        both = client.get("/v1/search?q=gout&licence=CC0-1.0&licence=Apache-2.0").get_json()["results"]
        assert both == client.get("/v1/search?q=gout").get_json()["results"]
    finally:
        run(sample_graph, "MATCH (s:Source {id: 'elsewhere'}) DELETE s")


def test_licences_that_are_not_there_or_no_list(client):
    for response in (
        client.post("/v1/answers", json={"question": "gout", "licences": ["MIT"]}),
        client.get("/v1/search?q=gout&licence=MIT"),
    ):
        assert "has the licence 'MIT'; known are Apache-2.0" in problem(response, 404)
    assert 'the field "licences" is not a list' in problem(
        client.post("/v1/answers", json={"question": "gout", "licences": "MIT"}), 400
    )
    many = "&".join(["licence=Apache-2.0"] * 21)
    assert 'the field "licence" takes 20 texts' in problem(client.get(f"/v1/search?q=gout&{many}"), 400)


def test_search_takes_every_option(client):
    plain = client.get("/v1/search?q=How+is+gout+treated").get_json()["results"]
    assert len(plain) == 10
    assert plain[0]["section"] == "sample:gout#6"
    for option in ("mode=lexical", "mode=semantic", "mode=questions", "preset=literature", "by_rank=true"):
        found = client.get(f"/v1/search?q=How+is+gout+treated&{option}").get_json()["results"]
        assert found
        assert [hit["score"] for hit in found] != [hit["score"] for hit in plain]


def test_sources_health_and_readiness(client):
    (source,) = client.get("/v1/sources").get_json()["sources"]
    assert (source["source"], source["documents"], source["licence"]) == ("sample", 60, "Apache-2.0")
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {"status": "ready"}


def test_entities_are_found_and_have_a_card(client):
    first, *_ = client.get("/v1/entities?q=podagra+gout&limit=3").get_json()["entities"]
    assert (first["id"], first["name"], first["label"]) == ("sample:gout", "Gout", "Disease")
    assert len(client.get("/v1/entities?q=diabetes&limit=1").get_json()["entities"]) == 1
    card = client.get("/v1/entities/sample:gout").get_json()
    assert card["sources"] == [{"source": "sample", "licence": "Apache-2.0", "version": "1", "name": "Gout"}]
    assert [document["id"] for document in card["documents"]] == ["sample:gout"]
    assert client.get("/v1/entities?q=zzzzqqqq").get_json() == {"entities": []}


def test_a_card_tells_all_that_sources_say_as_text(client, database):
    run(
        database,
        "CREATE (e:Entity:Disease {id: 'x', name: 'X', broad_synonyms: ['<b>wide</b>'], xrefs: ['MESH:1'], "
        "obsolete: true, replaced_by: ['y', 'z'], inchikey: '<i>'}) "
        "CREATE (e)-[:FROM {name: 'Ex'}]->(:Source {id: 's', licence: 'CC0-1.0'}) "
        "CREATE (:Entity:Drug {id: 'y', name: 'Y'})-[:TREATS {source: 's', predicate: '<u>', evidence: ['PMID:1'], "
        "score: 0.25, dose: 'low'}]->(e)",
    )
    card = client.get("/v1/entities/x").get_json()
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    holds(card, {"$ref": "/Entity"}, schemas)
    assert card["sources"] == [{"source": "s", "licence": "CC0-1.0", "version": "", "name": "Ex"}]
    assert card["relations"][0]["properties"] == {"dose": "low"}
    page = " ".join(client.get("/entities/x").text.split())
    for said in (
        'use <a href="/entities/y">Y</a> (y); z',
        "&lt;b&gt;wide&lt;/b&gt;",
        "MESH:1",
        "inchikey: &lt;i&gt;",
        "s, CC0-1.0 (“Ex”)",
        "… TREATS this",
        "(s; &lt;u&gt;; score 0.25; PMID:1; dose: low)",
    ):
        assert said in page, said
    (found,) = client.get("/v1/entities?q=MESH:1").get_json()["entities"]
    assert (found["id"], found["matched_by"], found["obsolete"]) == ("x", "xref", True)


# The description.


def test_the_description_names_every_route(client):
    document = client.get("/openapi.json").get_json()
    rules = {
        (re.sub(r"<id:name>", "{id}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/v1/", "/metrics")) or rule.rule.endswith("z")
    }
    assert {(path, method) for path, methods in document["paths"].items() for method in methods} == rules


TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": type(None),
}


def holds(value, schema, schemas):
    """Check a value against its description; unlike JSON Schema, no property may be left undescribed."""
    schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    assert "enum" not in schema or value in schema["enum"]
    if kinds := schema.get("type"):
        assert any(isinstance(value, TYPES[kind]) for kind in ([kinds] if isinstance(kinds, str) else kinds)), value
    if "properties" in schema:
        assert value.keys() == schema["properties"].keys()
        for name, part in schema["properties"].items():
            holds(value[name], part, schemas)
    if isinstance(value, list):
        for item in value:
            holds(item, schema["items"], schemas)


def test_answers_hold_what_the_description_says(client):
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]

    def check(name, path, key=None, **body):
        response = client.post(path, json=body) if body else client.get(path)
        given = response.get_json()[key] if key else [response.get_json()]
        assert given
        for value in given:
            holds(value, {"$ref": f"/{name}"}, schemas)
        return given

    check("Answer", "/v1/answers", question="How is gout treated?")
    check("Answer", "/v1/answers", question="best pizza in town")
    check("Result", "/v1/search?q=gout", "results")
    check("Section", "/v1/sections/sample:gout%236")
    check("Source", "/v1/sources", "sources")
    check("Problem", "/nope")
    for entity in check("FoundEntity", "/v1/entities?q=diabetes", "entities"):
        check("Entity", f"/v1/entities/{entity['id']}")


# What is asked wrongly.


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "the body is not a JSON object"),
        ("What is gout?", "the body is not a JSON object"),
        (None, "the body is not a JSON object"),
        ({}, 'the field "question" is missing'),
        ({"question": None}, 'the field "question" is not a text'),
        ({"question": 5}, 'the field "question" is not a text'),
        ({"question": ""}, "the question has no word in it"),
        ({"question": "?!"}, "the question has no word in it"),
        ({"question": "a" * 10_001}, "the question has 10,001 characters"),
        (
            {"question": "gout", "top_k": 5},
            "there is no field 'top_k'; known are licences, question, since, sources, types, until",
        ),
        ({"question": "gout", "sources": "sample"}, 'the field "sources" is not a list of texts'),
        ({"question": "gout", "sources": [1]}, 'the field "sources" is not a list of texts'),
        ({"question": "gout", "sources": ["x"] * 21}, 'the field "sources" takes 20 texts'),
        ({"question": "gout", "sources": ["x" * 201]}, 'the field "sources" takes 20 texts of 200 characters at most'),
        ({"question": "gout", "since": "soon"}, "since is 'soon'"),
        ({"question": "gout", "until": 2020}, 'the field "until" is not a text'),
    ],
)
def test_bodies_that_cannot_be_used(client, body, message):
    assert message in problem(client.post("/v1/answers", data=json.dumps(body), headers=JSON), 400)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", 'the parameter "q", what is asked for, is missing'),
        ("q=", "the question has no word in it"),
        ("q=gout&q=asthma", 'the parameter "q" is given 2 times'),
        ("q=gout&limit=5", "there is no field 'limit'"),
        ("q=gout&top_k=0", "top_k is '0'; set it from 1 to 1000"),
        ("q=gout&top_k=-1", "top_k is '-1'; set it from 1 to 1000"),
        ("q=gout&top_k=1001", "top_k is '1001'"),
        ("q=gout&top_k=99999999999999999999", "top_k is '99999999999999999999'"),
        ("q=gout&top_k=%C2%B2", "top_k is '²'"),
        ("q=gout&mode=psychic", "there is no mode 'psychic'"),
        ("q=gout&preset=best", "there is no preset 'best'"),
        ("q=gout&by_rank=maybe", "by_rank is 'maybe'; write true or false"),
        ("q=gout&since=soon", "since is 'soon'"),
    ],
)
def test_parameters_that_cannot_be_used(client, query, message):
    assert message in problem(client.get(f"/v1/search?{query}"), 400)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", 'the parameter "q", what is asked for, is missing'),
        ("q=+", "nothing to look up"),
        ("q=gout&q=gout", 'the parameter "q" is given 2 times'),
        ("q=gout&top_k=5", "there is no field 'top_k'; known are limit, q"),
        ("q=gout&limit=0", "limit is '0'; set it from 1 to 100"),
        ("q=gout&limit=-3", "limit is '-3'"),
        ("q=gout&limit=1000", "limit is '1000'"),
        ("q=" + "a" * 10_001, "the name has 10,001 characters"),
    ],
)
def test_look_ups_that_cannot_be_used(client, query, message):
    assert message in problem(client.get(f"/v1/entities?{query}"), 400)


def test_sources_and_types_that_are_not_there(client):
    for body in ({"sources": ["nope"]}, {"types": ["smell"]}):
        detail = problem(client.post("/v1/answers", json={"question": "gout"} | body), 404)
        assert re.match(r"there is no (source 'nope' in the graph|section type 'smell'); known are ", detail)
    assert "there is no source 'nope'" in problem(client.get("/v1/search?q=gout&source=nope"), 404)


def test_requests_that_are_no_requests(client):
    assert problem(client.post("/v1/answers", data="{", headers=JSON), 400)
    assert problem(client.post("/v1/answers", data=b'{"question": "\xff"}', headers=JSON), 400)
    assert problem(client.post("/v1/answers", data="question=gout"), 415)
    assert problem(client.post("/v1/answers", json={"question": "a" * MAX_BODY}), 413)
    assert client.post("/", data={"question": "a" * 2 * MAX_BODY}).status_code == 413
    assert client.post("/", data={"question": "\u75c5" * 9_000}).status_code == 200
    assert "nested too deeply" in problem(client.post("/v1/answers", data="[" * 60_000, headers=JSON), 400)
    refused = client.get("/v1/answers")
    assert problem(refused, 405)
    assert "POST" in refused.headers["Allow"]
    assert problem(client.delete("/v1/search?q=gout"), 405)
    assert problem(client.get("/nope"), 404)


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


@examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
    | st.fixed_dictionaries({"question": st.text()}, optional={"sources": st.lists(st.text()), "since": st.text()})
)
def test_any_json_gets_an_answer_or_a_problem(client, body):
    response = client.post("/v1/answers", data=json.dumps(body), headers=JSON)
    assert response.status_code in {200, 400, 404}
    assert response.is_json or response.content_type == "application/problem+json"


def test_half_a_pair_in_a_question_does_no_harm(client):
    body = '{"question": "What is gout \\ud800 about?"}'
    assert client.post("/v1/answers", data=body, headers=JSON).get_json()["status"] == "answered"
    assert client.get("/v1/search?q=gout+%ED%A0%80&mode=lexical").status_code == 200


# The page.


def test_the_page_answers_with_numbered_citations_that_open_the_span(client):
    assert "<form" in client.get("/").text
    page = client.post("/", data={"question": "How is gout treated?"})
    assert page.status_code == 200
    links = re.findall(r'href="(/sections/[^"]+)#cited"', page.text)
    assert links
    assert "[1]" in page.text
    for link in links:
        shown = client.get(link.replace("&amp;", "&")).text
        quote = re.search(r'<mark id="cited">(.+?)</mark>', shown, re.DOTALL)[1]
        assert " ".join(quote.split()) in " ".join(page.text.split())
    assert page.text.count("not medical advice") == 1
    nothing = client.post("/", data={"question": "best pizza in town"}).text
    assert "Not enough evidence" in nothing


def test_what_users_and_sources_write_is_text_on_the_page(client, database, encoder):
    hostile = "<script>alert(1)</script> gout\"'><img src=x onerror=alert(1)>"
    for page in (client.post("/", data={"question": hostile}), client.post("/", data={"question": "<b>!</b>" * 2000})):
        assert "<script" not in page.text
        assert "<img" not in page.text
        assert "<b>!" not in page.text
    run(
        database,
        "CREATE (:Source {id: 'x', licence: '<i>'})"
        "<-[:FROM]-(d:Document {id: 'x', title: $t, url: 'javascript:alert(1)'}) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'x#1', type: '', heading: '', question: $t, text: $t})",
        t=hostile,
    )
    shown = client.get("/sections/x%231?start=0&end=8").text
    assert '<mark id="cited">&lt;script&gt;</mark>' in shown
    for forbidden in ("<script", "<img", "<i>", "javascript:"):
        assert forbidden not in shown


@pytest.mark.parametrize("span", ["start=5&end=2", "start=-5&end=-1", "start=a&end=b", "start=999999&end=9999999", ""])
def test_a_span_that_is_none_marks_nothing(client, span):
    shown = client.get(f"/sections/sample:gout%236?{span}")
    assert shown.status_code == 200
    assert "<mark" not in shown.text


def test_a_question_that_cannot_be_used_is_told_on_the_page(client):
    page = client.post("/", data={"question": "?!"})
    assert page.status_code == 400
    assert "the question has no word in it" in page.text


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


@pytest.mark.parametrize(
    ("path", "caching"),
    [
        ("/", "private, no-cache"),
        ("/sections/sample:gout%236", "private, no-cache"),
        ("/v1/sources", "no-store"),
        ("/nope", "no-store"),
        ("/picture.css", "private, max-age=3600"),
    ],
)
def test_what_may_be_kept(client, path, caching):
    assert client.get(path).headers["Cache-Control"] == caching


def test_every_response_is_guarded(client):
    for path in ("/", "/nope", "/healthz", "/static/page.css"):
        with client.get(path) as response:
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
    page = client.get("/").text
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)


def test_the_page_keeps_lists_apart_and_links_into_browser(sample_graph, encoder, database):
    run(
        database,
        "CREATE (s:Source {id: 'x', licence: 'CC0'}) CREATE (s)<-[:FROM]-(d:Document {id: 'x&y', title: 'Gout'}) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'x#1+2', type: '', heading: '', question: '', text: 'x'})",
    )
    client = create_app(
        Service(sample_graph, lambda: encoder), Options(browser="http://b/?dbms=bolt://c")
    ).test_client()
    quote = "Such are:\n    - one  <b>thing</b>\n\n    - another, 100% sure."
    citation = dict.fromkeys("section document title url source".split(), "x") | {"start": 0, "end": 9, "quote": quote}
    cypher = "MATCH (s:Section {id: 'x#1+2'}) RETURN s"
    sentence = {"text": " ".join(quote.split()), "citations": [citation | {"cypher": cypher}], "verdict": "supported"}
    plain = {"text": "Plain.", "citations": [citation | {"quote": "Plain.", "cypher": cypher}], "verdict": "supported"}

    class Canned(Service):
        def answer(self, request):
            return {"sentences": [plain, plain, sentence, plain], "entities": [], "evidence": [], "status": "answered"}

    client.application.extensions["medgraph"] = Canned(sample_graph, lambda: encoder)
    page = client.post("/", data={"question": "gout"}).text
    flat = " ".join(page.split())
    assert "<li>one &lt;b&gt;thing&lt;/b&gt;</li> <li>another, 100% sure.<a" in flat
    assert flat.count("Plain.") == 3
    assert flat.count("<p> Plain.") == 2
    (link,) = set(re.findall(r'href="(http://b/[^"]+)"', page))
    query = parse_qs(urlsplit(link.replace("&amp;", "&")).query)
    assert (query["dbms"], query["cmd"]) == (["bolt://c"], ["edit"])
    (statement,) = query["arg"]
    assert not set("#&+%?") & set(statement)
    assert run(database, statement)[0]["s"]["id"] == "x#1+2"


# Operation.


def test_the_log_has_a_line_a_request_and_no_question(client, caplog):
    with caplog.at_level(logging.INFO, logger="medgraph.access"):
        client.post("/v1/answers", json={"question": "How is gout treated?"})
        client.get("/v1/search?q=gout")
        client.get("/nope/gout")
    lines = [record.fields for record in caplog.records if record.name == "medgraph.access"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/v1/answers", 200),
        ("GET", "/v1/search", 200),
        ("GET", None, 404),
    ]
    assert "gout" not in caplog.text


def test_nothing_is_written_and_nothing_can_be(client, sample_graph):
    before = state_of(sample_graph)
    for question in ("gout') CREATE (n:Evil) RETURN n //", "'}) DETACH DELETE n //", "}] SET n.x = 1"):
        client.post("/v1/answers", json={"question": question})
        client.get("/v1/search", query_string={"q": question})
        client.get(f"/v1/sections/{question}")
    assert state_of(sample_graph) == before
    for path in (ROOT / "api").glob("*.py"):
        assert not re.search(r"database\.(write|write_all|run)\(", path.read_text()), f"{path} could write"


def test_many_at_once_get_the_same_right_answers(client):
    app = client.application

    def ask(number):
        question = ["How is gout treated?", "What causes asthma?"][number % 2]
        return app.test_client().post("/v1/answers", json={"question": question}).get_json()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(24)))
    for kind in (0, 1):
        assert len({json.dumps(answer["sentences"]) for answer in answers[kind::2]}) == 1
    assert answers[0]["sentences"] != answers[1]["sentences"]


def test_too_many_at_once_are_told_to_come_back(sample_graph, encoder, monkeypatch):
    monkeypatch.setattr(service_module, "PATIENCE", 0.05)
    service = Service(sample_graph, lambda: encoder, at_once=1)
    client = create_app(service).test_client()
    with service._turn():
        response = client.post("/v1/answers", json={"question": "What is gout?"})
        assert "too many questions at once" in problem(response, 503)
        assert response.headers["Retry-After"] == str(problems.RETRY_AFTER)
        assert client.post("/", data={"question": "What is gout?"}).status_code == 503
        assert client.get("/healthz").status_code == 200
    assert client.post("/v1/answers", json={"question": "What is gout?"}).status_code == 200


def test_a_database_that_goes_away_and_comes_back(sample_graph, server, settings, encoder):
    proxy = Proxy(settings.bolt_port)
    try:
        with Database(f"bolt://127.0.0.1:{proxy.port}", "neo4j", server.password(), retry_time=0.2) as distant:
            client = create_app(Service(distant, lambda: encoder)).test_client()
            ask = {"question": "How is gout treated?"}
            assert client.post("/v1/answers", json=ask).status_code == 200
            proxy.cut()
            response = client.post("/v1/answers", json=ask)
            assert "not ready: no answer from the database" in problem(response, 503)
            assert problem(client.get("/readyz"), 503)
            assert problem(client.get("/v1/sources"), 503)
            assert client.post("/", data=ask).status_code == 503
            assert client.get("/healthz").status_code == 200
            proxy.mend()
            assert client.get("/readyz").status_code == 200
            assert client.post("/v1/answers", json=ask).status_code == 200
    finally:
        proxy.close()


def test_a_graph_that_is_not_ready(sample_graph, encoder):
    run(sample_graph, "MATCH (e:Encoder) SET e.name = 'other'")
    try:
        client = create_app(Service(sample_graph, lambda: encoder)).test_client()
        assert "from other" in problem(client.post("/v1/answers", json={"question": "gout"}), 503)
        assert "from other" in problem(client.get("/readyz"), 503)
    finally:
        run(sample_graph, "MATCH (e:Encoder) SET e.name = 'all-MiniLM-L6-v2'")
    assert client.get("/readyz").status_code == 200


def test_trouble_on_the_page_is_logged_too(sample_graph, encoder, caplog):
    def refuse():
        raise EncoderError("no encoder today")

    page = create_app(Service(sample_graph, refuse)).test_client().post("/", data={"question": "What is gout?"})
    assert page.status_code == 503
    assert page.headers["Retry-After"] == str(problems.RETRY_AFTER)
    assert "no encoder today" in page.text
    assert "EncoderError: no encoder today" in caplog.text


def test_a_section_that_was_taken_out_meanwhile_moves_no_number(client, monkeypatch):
    real = Service.evidence
    monkeypatch.setattr(Service, "evidence", lambda self, sections: real(self, sections)[1:])
    page = client.post("/", data={"question": "gout and asthma symptoms and treatment"}).text
    drawn = re.findall(r">\[(\d+)\] [a-z ]+</text>", page)
    assert len(re.findall(r"<li>[^<]* \(", page)) == len(drawn) + 1
    assert "1" not in drawn


def test_what_was_not_foreseen_is_a_problem_without_details(client, monkeypatch):
    def fail(self, request):
        raise RuntimeError("secret")

    monkeypatch.setattr(Service, "answer", fail)
    detail = problem(client.post("/v1/answers", json={"question": "gout"}), 500)
    assert "secret" not in detail


def test_the_command_serves_and_ends_when_told(environment, sample_graph):
    command = [sys.executable, "-m", "medgraph", "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment | {"PYTHONUNBUFFERED": "1"}, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line for line in process.stderr if line.startswith("serving at ")).split()[-1]
        request = urllib.request.Request(f"{address}/v1/answers", b'{"question": "How is gout treated?"}', JSON)
        with urllib.request.urlopen(request, timeout=60) as response:
            assert json.load(response)["status"] == "answered"
            assert "Server" not in response.headers
        line = json.loads(process.stderr.readline())
        assert (line["route"], line["status"]) == ("/v1/answers", 200)
        port = int(address.rpartition(":")[2])
        taken = subprocess.run([*command[:-1], str(port)], env=environment, capture_output=True, text=True, check=False)
        assert taken.returncode == 1
        assert taken.stderr.startswith(f"Error: 127.0.0.1:{port} cannot be served at: ")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            pass
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
