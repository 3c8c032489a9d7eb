"""What goes wrong is told as a problem, without what is nobody else's business."""

import pytest

from medgraph.api.access import Options
from medgraph.api.app import create_app
from medgraph.api.problems import BY_NAME, BusyError, status_of
from medgraph.api.service import Service
from medgraph.errors import InputError, SchemaMissingError, SettingsError
from tests.support.service import KEY, problem


def test_what_was_not_foreseen_is_a_problem_without_details(client, monkeypatch):
    def fail(self, question, filters):
        raise RuntimeError("secret")

    monkeypatch.setattr(Service, "answer", fail)
    detail = problem(client.post("/v1/answers", json={"question": "gout"}), 500)
    assert "secret" not in detail


def test_the_type_of_each_problem_is_a_page_that_needs_no_key():
    client = create_app(Service.__new__(Service), Options(keys=(KEY,))).test_client()
    kind = client.get("/v1/sources").get_json()["type"]
    assert "Authorization: Bearer KEY" in client.get(kind).text
    for one in BY_NAME.values():
        assert one.remedy.split("`")[0] in client.get(one.type).text
    assert problem(client.get("/problems/nope"), 404)
    schema = client.get("/openapi.json", headers={"X-API-Key": KEY}).get_json()
    statuses = {
        int(status) for path in schema["paths"].values() for one in path.values() for status in one["responses"]
    }
    assert {one.status for one in BY_NAME.values()} == statuses - {200}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InputError("nothing is called 'x'; look it up with: medgraph entity NAME"), "nothing is called 'x'"),
        (SchemaMissingError("the graph lacks V3; run: medgraph schema apply"), "not ready: the graph lacks V3"),
        (SettingsError("no model is set; set MEDGRAPH_LLM"), "this service is not set up for that: no model is set"),
        (InputError("stop it, and run: medgraph index"), "stop it"),
        (BusyError("too many; try again later"), "too many; try again later"),
    ],
)
def test_callers_are_told_of_no_commands(error, told):
    assert status_of(error)[1] == told
