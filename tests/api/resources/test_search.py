"""Searches, and every wrong parameter refused by name."""

import pytest

from medgraph.api.app import create_app
from medgraph.logistic import Calibration
from tests.support.linking import names_of
from tests.support.rerankers import WordReader
from tests.support.service import problem, service_over


def test_search_takes_every_option(client, sample_graph):
    plain = client.get("/v1/search?q=How+is+gout+treated").get_json()["results"]
    assert len(plain) == 10
    assert plain[0]["section"] == "sample:gout#6"
    for option in ("mode=lexical", "mode=semantic", "mode=hybrid", "preset=literature"):
        found = client.get(f"/v1/search?q=How+is+gout+treated&{option}").get_json()["results"]
        assert found
        assert [hit["score"] for hit in found] != [hit["score"] for hit in plain]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", 'the parameter "q" is missing'),
        ("q=", "the question has no word in it"),
        ("q=gout&q=asthma", 'the parameter "q" is given 2 times'),
        ("q=gout&limit=5", "there is no parameter 'limit'; known are as_typed, authors, concepts"),
        ("q=gout&top_k=0", "\"top_k\" is '0'; it takes a whole number from 1 to 1000"),
        ("q=gout&top_k=-1", "\"top_k\" is '-1'; it takes a whole number from 1 to 1000"),
        ("q=gout&top_k=1001", "\"top_k\" is '1001'"),
        ("q=gout&top_k=99999999999999999999", "\"top_k\" is '99999999999999999999'"),
        ("q=gout&top_k=%C2%B2", "\"top_k\" is '²'"),
        (
            "q=gout&mode=psychic",
            "\"mode\" is 'psychic'; it takes one of hybrid, learned, lexical, semantic",
        ),
        ("q=gout&preset=best", "\"preset\" is 'best'; it takes one of default, literature"),
        ("q=gout&as_typed=maybe", "\"as_typed\" is 'maybe'; it takes true or false"),
        ("q=gout&since=soon", "since is 'soon'"),
    ],
)
def test_parameters_that_cannot_be_used(client, sample_graph, query, message):
    assert message in problem(client.get(f"/v1/search?{query}"), 400)


def test_filters_by_what_documents_are(client, sample_graph):
    found = client.get("/v1/search?q=pain&concepts=gout&concepts=asthma&top_k=50").get_json()
    assert {"sample:gout", "sample:asthma"} <= {hit["document"] for hit in found["results"]}
    assert found["within"] == "concept gout or asthma"
    nothing = client.get("/v1/search?q=pain&concepts=gout&since=2024").get_json()
    assert (nothing["results"], nothing["within"]) == ([], "concept gout, since 2024")
    for query, message in {
        "journals=Nature": "no document is from a journal called 'Nature'",
        "authors=J": "the author 'J' is given by initials alone",
        "journals=": "the journal '' has no word in it",
        "authors=Smith": "no document is by an author called 'Smith'",
        "mesh=Fever": "no document stands under a MeSH heading called 'Fever'",
        "concepts=qqq": "nothing is called 'qqq'",
        "concepts=goutt": "nothing is called 'goutt'; did you mean Gout?",
    }.items():
        assert message in problem(client.get(f"/v1/search?q=pain&{query}"), 404)
    assert problem(client.get("/v1/search?q=pain&concepts=gxxt"), 404) == "nothing is called 'gxxt'"


def test_results_say_how_likely_they_answer_where_something_reads_them(sample_graph, encoder, client):
    asked = "/v1/search?q=How+is+gout+treated&top_k=2"
    assert client.get(asked).get_json()["none_of_these"] is False
    reading = WordReader(encoder, "nothing has it", Calibration(1.0, 0.0, 0.5))
    app = create_app(service_over(sample_graph, lambda: reading, names_of(sample_graph)))
    found = app.test_client().get(asked).get_json()
    assert found["none_of_these"] is True
    assert [(hit["probability"], hit["accepted"]) for hit in found["results"]] == [
        (pytest.approx(0.119, abs=1e-3), False)
    ] * 2
    page = app.test_client().get("/search?q=How+is+gout+treated").text
    assert "None of these seems to answer the question." in page
    assert page.count("answers with a probability of 0.12, too low") == 10
    assert "None of these" not in client.get("/search?q=How+is+gout+treated").text


def test_evidence_is_read_where_it_is_wanted(client, sample_graph):
    plain = client.get("/v1/search?q=How+is+gout+treated&top_k=1").get_json()
    assert plain["concepts"] == plain["facts"] == plain["paths"] == []
    assert plain["timing_ms"].keys() == {"understand", "find", "rank", "read", "total"}
    found = client.get("/v1/search?q=How+is+gout+treated&top_k=1&evidence=true").get_json()
    assert found["results"][0]["section"] == plain["results"][0]["section"]
    assert [one["name"].lower() for one in found["concepts"]] == ["gout"]
    assert found["facts"][0]["head_name"].lower() == "gout"


@pytest.mark.parametrize("query", ["q=gout", "q=gout&mode=hybrid", "q=gout&mode=lexical", "q=gout&mode=semantic"])
def test_pages_neither_overlap_nor_leave_a_result_out(client, sample_graph, query):
    first = client.get(f"/v1/search?{query}&top_k=3").get_json()["results"]
    pages, offset = [], 0
    while offset is not None:
        found = client.get(f"/v1/search?{query}&top_k=3&offset={offset}").get_json()
        pages.append([hit["section"] for hit in found["results"]])
        offset = found["next"]
    named = [name for page in pages for name in page]
    assert pages[0] == [hit["section"] for hit in first]
    assert len(set(named)) == len(named) > 6
    assert [len(page) for page in pages[:-1]] == [3] * (len(pages) - 1)
    assert 0 < len(pages[-1]) <= 3
