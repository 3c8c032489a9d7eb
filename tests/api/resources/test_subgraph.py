"""Subgraphs by the service."""

import re

import pytest

from tests.support.descriptions import holds
from tests.support.service import problem


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
def test_what_cannot_be_asked(client, query, status, message):
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
