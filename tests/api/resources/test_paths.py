"""Paths by the service, for programs and on the page."""

import re

import pytest

from medgraph.queries import paths
from tests.support.descriptions import holds
from tests.support.service import problem

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
        ("name=gout&name=asthma&hops=9", 400, "\"hops\" is '9'"),
        ("name=gout&name=asthma&limit=51", 400, "\"limit\" is '51'"),
        ("name=gout&name=asthma&k=3", 400, "there is no parameter 'k'"),
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
