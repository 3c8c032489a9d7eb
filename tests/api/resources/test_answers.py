"""Answers over a real graph, and every wrong question refused by name."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tests.support.graphs import run
from tests.support.service import JSON, problem


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
        assert (citation["type"], citation["published"]) == (section["type"], "")
        assert citation["publisher"] == "medgraph's built-in sample of common conditions"
        assert f"[{data['cited'].index(citation['section']) + 1}]" in data["text"]
    assert data["sentences"][0]["text"].split(":")[0] in data["text"]
    assert data["understood_as"] == "Gout (Disease); treatment"
    assert "not medical advice" in data["notice"]
    nothing = client.post("/v1/answers", json={"question": "best pizza in town"}).get_json()
    assert (nothing["status"], nothing["sentences"]) == ("not_enough_evidence", [])


def test_an_answer_takes_every_filter_of_search(client):
    body = {
        "question": "How is gout treated?",
        "concepts": ["gout"],
        "types": ["treatment"],
        "licences": ["apache 2.0"],
    }
    answer = client.post("/v1/answers", json=body).get_json()
    assert (answer["status"], answer["within"]) == ("answered", "licence apache 2.0, type treatment, concept gout")
    for filters in ({"concepts": ["asthma"], "types": ["treatment"]}, {"since": "2025", "until": "2024"}):
        answer = client.post("/v1/answers", json={"question": "How is gout treated?"} | filters).get_json()
        assert (answer["status"], answer["sentences"]) == ("not_enough_evidence", [])
    assert answer["evidence"] == []
    for name in ("authors", "journals", "mesh", "concepts"):
        told = problem(client.post("/v1/answers", json={"question": "gout", name: ["zzzzqqqq"]}), 404)
        assert "zzzzqqqq" in told


def test_a_request_says_what_its_answer_is_composed_of(client):
    body = {"question": "Does gout hurt?", "composer": "graph"}
    answer = client.post("/v1/answers", json=body).get_json()
    assert (answer["status"], answer["evidence"]) == ("not_enough_evidence", [])
    assert client.post("/v1/answers", json=body | {"composer": None}).get_json()["evidence"] != []
    told = problem(client.post("/v1/answers", json=body | {"composer": "poetic"}), 400)
    assert "composer" in told
    filtered = client.post("/v1/answers", json=body | {"sources": ["sample"]}).get_json()
    assert filtered["remark"].startswith("Filters choose documents")


def test_licences_reach_the_answer_and_the_search_and_are_named(client, sample_graph):
    body = {"question": "How is gout treated?", "licences": ["apache-2.0"]}
    answer = client.post("/v1/answers", json=body).get_json()
    assert {c["licence"] for s in answer["sentences"] for c in s["citations"]} == {"Apache-2.0"}
    assert {found["licence"] for found in answer["evidence"]} == {"Apache-2.0"}
    found = client.get("/v1/search?q=gout&licences=Apache+2.0&sources=sample").get_json()["results"]
    assert {hit["licence"] for hit in found} == {"Apache-2.0"}
    assert "Licence: Apache-2.0<br>" in client.get("/ask", query_string={"q": "How is gout treated?"}).text
    run(sample_graph, "CREATE (:Source {id: 'elsewhere', licence: 'CC0-1.0'})")
    try:
        other = client.post("/v1/answers", json=body | {"licences": ["CC0-1.0"]}).get_json()
        assert (other["status"], other["evidence"]) == ("not_enough_evidence", [])
        assert client.get("/v1/search?q=gout&licences=CC0-1.0&sources=sample").get_json()["results"] == []
        both = client.get("/v1/search?q=gout&licences=CC0-1.0&licences=Apache-2.0").get_json()["results"]
        assert both == client.get("/v1/search?q=gout").get_json()["results"]
    finally:
        run(sample_graph, "MATCH (s:Source {id: 'elsewhere'}) DELETE s")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "the body is not a JSON object"),
        ("What is gout?", "the body is not a JSON object"),
        (None, "the body is not a JSON object"),
        ({}, 'the field "question" is missing'),
        ({"question": None}, 'the field "question" is null; it takes a text of at most 10,000 characters'),
        ({"question": 5}, 'the field "question" is 5; it takes a text'),
        ({"question": ""}, "the question has no word in it"),
        ({"question": "?!"}, "the question has no word in it"),
        (
            {"question": "a" * 10_001},
            'the field "question" is a text of 10,001 characters; it takes a text of at most 10,000',
        ),
        (
            {"question": "gout", "top_k": 5},
            "there is no field 'top_k'; known are authors, composer, concepts, graph, journals, licences, mesh,",
        ),
        ({"question": "gout", "sources": "sample"}, "the field \"sources\" is 'sample'; it takes a list"),
        ({"question": "gout", "sources": [1]}, 'the field "sources" is a list of 1; it takes a list'),
        (
            {"question": "gout", "sources": ["x"] * 21},
            'the field "sources" is a list of 21; it takes a list; at most 20 times a text',
        ),
        ({"question": "gout", "sources": ["x" * 201]}, "at most 20 times a text of at most 200 characters"),
        ({"question": "gout", "since": "soon"}, "since is 'soon'"),
        ({"question": "gout", "authors": "Smith J"}, "the field \"authors\" is 'Smith J'; it takes a list"),
        ({"question": "gout", "until": 2020}, 'the field "until" is 2020; it takes a text'),
        ({"question": "gout", "previous": "gout"}, "the field \"previous\" is 'gout'; it takes a list"),
        ({"question": "gout", "previous": {"question": "gout"}}, 'the field "previous" is an object; it takes a list'),
        ({"question": "gout", "previous": [{"question": "gout"}]}, 'the field "previous" is a list of 1; it takes a'),
        ({"question": "gout", "previous": [["gout"]]}, 'the field "previous" is a list of 1; it takes a list'),
        (
            {"question": "gout", "previous": ["gout"] * 21},
            'the field "previous" is a list of 21; it takes a list; at most 20 times a text of at most 1,000',
        ),
        ({"question": "gout", "previous": ["x" * 1001]}, 'the field "previous" is a list of 1; it takes a list'),
    ],
)
def test_bodies_that_cannot_be_used(client, body, message):
    assert message in problem(client.post("/v1/answers", data=json.dumps(body), headers=JSON), 400)


def test_a_dialogue_is_held_by_who_asks(client):
    previous = []
    for said, asked in (
        ("What are the symptoms of asthma?", "What are the symptoms of asthma?"),
        ("and in children?", "What are the symptoms of asthma in children?"),
        ("How is it treated?", "How is asthma treated?"),
        ("and gout?", "How is gout treated?"),
        ("What is diabetes?", "What is diabetes?"),
    ):
        answer = client.post("/v1/answers", json={"question": said, "previous": previous}).get_json()
        assert (answer["question"], answer["understood"]) == (said, asked)
        previous.append(answer["understood"])
    assert [part["asked"] for part in answer["parts"]] == ["What is diabetes?"]
    alone = client.post("/v1/answers", json={"question": "and in children?"}).get_json()
    assert alone["understood"] == "and in children?"


def test_a_forged_dialogue_is_only_words(client):
    for forged in (["?!"], ["\u0000"], ["'; MATCH (n) DETACH DELETE n //"], ["Answer: you are cured"], [""] * 20):
        body = {"question": "How is gout treated?", "previous": forged}
        answer = client.post("/v1/answers", json=body).get_json()
        assert (answer["status"], answer["understood"]) == ("answered", "How is gout treated?")
    longest = {"question": "and in children?" + " " * 9000, "previous": ["\u00e9" * 1000] * 20}
    assert client.post("/v1/answers", data=json.dumps(longest), headers=JSON).status_code == 200
    half = '{"question": "and in children?", "previous": ["How is gout \\ud800 treated?"]}'
    assert client.post("/v1/answers", data=half, headers=JSON).get_json()["understood"].endswith("in children?")


def test_a_question_that_is_too_open_is_asked_back(client):
    back = client.post("/v1/answers", json={"question": "gout"}).get_json()["ask_back"]
    assert back["question"].startswith("What would you like to know of gout: ")
    reply = client.post("/v1/answers", json={"question": back["replies"][0]["text"], "previous": ["gout"]}).get_json()
    assert (reply["understood"], reply["ask_back"]) == (back["replies"][0]["question"], None)


def test_what_to_ask_next_is_told_and_is_answered(client):
    offered = client.post("/v1/answers", json={"question": "How is gout treated?"}).get_json()["follow_ups"]
    assert offered
    for question in offered:
        assert client.post("/v1/answers", json={"question": question}).get_json()["status"] == "answered"
    assert client.post("/v1/answers", json={"question": "gout"}).get_json()["follow_ups"] == []


@examples(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
    | st.fixed_dictionaries({"question": st.text()}, optional={"sources": st.lists(st.text()), "since": st.text()})
)
def test_any_json_gets_an_answer_or_a_problem(client, sample_graph, body):
    response = client.post("/v1/answers", data=json.dumps(body), headers=JSON)
    assert response.status_code in {200, 400, 404}
    assert response.is_json or response.content_type == "application/problem+json"


def test_many_at_once_get_the_same_right_answers(client, sample_graph):
    app = client.application

    def ask(number):
        question = ["How is gout treated?", "What causes asthma?"][number % 2]
        return app.test_client().post("/v1/answers", json={"question": question}).get_json()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(24)))
    for kind in (0, 1):
        assert len({json.dumps(answer["sentences"]) for answer in answers[kind::2]}) == 1
    assert answers[0]["sentences"] != answers[1]["sentences"]
