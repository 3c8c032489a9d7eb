"""Subgraphs by the service."""

import pytest

from tests.support.descriptions import holds
from tests.support.service import problem


def test_a_subgraph_is_given_as_it_is_described(client):
    found = client.get("/v1/subgraph?name=Gout&type=complications").get_json()
    holds(found, {"$ref": "/Subgraph"}, client.get("/openapi.json").get_json()["components"]["schemas"])
    assert found["sentences"][0]["text"] == "Complications of gout include kidney stones."
    assert found["sentences"][0]["licences"] == ["Apache-2.0"]
    assert [found["relations"][place]["tail"]["name"] for place in found["sentences"][0]["relations"]] == [
        "Kidney stones"
    ]


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
