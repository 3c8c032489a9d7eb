"""Sections by any id."""

import pytest
from flask import url_for

from tests.support.graphs import run
from tests.support.service import problem


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
