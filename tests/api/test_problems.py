"""Requests and problems: what does not fit is refused by name; what is counted, written down and described."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta

from medgraph.api import resources
from medgraph.api.access import Options
from medgraph.api.app import create_app
from medgraph.api.logs import JsonFormatter
from medgraph.api.problems import BY_NAME, BusyError, status_of
from medgraph.api.request import Day, Names, Question, Request, from_address, from_body
from medgraph.api.routes import ROUTES
from medgraph.api.service import Service
from medgraph.errors import InputError, SchemaMissingError, SettingsError
from tests.support.descriptions import holds
from tests.support.recorded import Recorded
from tests.support.service import ASK, JSON, KEY, fetch, problem, running


def test_what_was_not_foreseen_is_a_problem_without_details(client, monkeypatch):
    def fail(self, question, filters):
        raise RuntimeError("secret")

    monkeypatch.setattr(Recorded, "answer", fail)
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


class Wanted(Request, frozen=True):
    """A request of these tests."""

    id: Annotated[str, Meta(min_length=1)]
    question: Question
    sources: Names = ()
    since: Day = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    mode: Literal["near", "far"] = "near"
    exact: bool = False


SOUND = {"id": "a", "question": "What is gout?"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"question": 5}, 'the field "question" is 5; it takes a text of at most 10,000 characters'),
        ({"question": "a" * 10_001}, 'the field "question" is a text of 10,001 characters; it takes a text'),
        ({"sources": "x"}, "the field \"sources\" is 'x'; it takes a list; at most 20 times a text of at most 200"),
        ({"sources": ["x"] * 21}, 'the field "sources" is a list of 21; it takes a list; at most 20 times'),
        ({"sources": ["x" * 201]}, 'the field "sources" is a list of 1; it takes a list; at most 20 times'),
        ({"since": None}, 'the field "since" is null; it takes a text'),
        ({"limit": 0}, 'the field "limit" is 0; it takes a whole number from 1 to 100'),
        ({"limit": "5"}, "the field \"limit\" is '5'; it takes a whole number from 1 to 100"),
        ({"mode": "up"}, "the field \"mode\" is 'up'; it takes one of far, near"),
        ({"exact": {"a": 1}}, 'the field "exact" is an object; it takes true or false'),
        ({"id": ""}, "the field \"id\" is ''; it takes a text"),
        ({"x": 1, "b": 2}, "there is no field 'b'; known are exact, id, limit, mode, question, since, sources"),
    ],
)
def test_a_field_that_does_not_fit_is_named(more, message):
    with pytest.raises(InputError) as caught:
        from_body(SOUND | more, Wanted)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, 'the parameter "question" is missing'),
        ({"question": ["a", "b"]}, 'the parameter "question" is given 2 times; give it once'),
        ({"question": ["a"], "limit": ["²"]}, "the parameter \"limit\" is '²'; it takes a whole number from 1 to 100"),
        ({"question": ["a"], "exact": ["maybe"]}, "the parameter \"exact\" is 'maybe'; it takes true or false"),
        ({"question": ["a"], "nope": ["1", "2"]}, "there is no parameter 'nope'; known are"),
    ],
)
def test_a_parameter_that_does_not_fit_is_named(query, message):
    with pytest.raises(InputError) as caught:
        from_address({"id": "a"}, query, Wanted)
    assert str(caught.value).startswith(message)


def test_requests_are_counted_by_route_and_never_by_what_they_say(service):
    client = create_app(service).test_client()
    client.post("/v1/answers", data=ASK, headers=JSON)
    client.post("/v1/answers", json={"question": "best pizza in town"})
    client.get("/v1/sections/podagra")
    client.get("/no/such/podagra")
    client.open("/healthz", method="PODAGRA")
    response = client.get("/metrics")
    assert response.content_type.startswith("text/plain")
    lines = response.text.splitlines()
    assert "podagra" not in response.text.lower()
    for line in (
        'medgraph_requests_total{method="POST",route="/v1/answers",status="200"} 2.0',
        'medgraph_requests_total{method="GET",route="/v1/sections/<id:name>",status="404"} 1.0',
        'medgraph_requests_total{method="GET",route="none",status="404"} 1.0',
        'medgraph_request_seconds_count{route="/v1/answers"} 2.0',
        'medgraph_answers_total{status="answered"} 1.0',
        'medgraph_answers_total{status="not_enough_evidence"} 1.0',
        "medgraph_requests_in_progress 1.0",
        'medgraph_tokens_total{kind="prompt"} 0.0',
        'medgraph_stage_seconds_count{route="/v1/answers",stage="understand"} 2.0',
    ):
        assert line in lines
    assert re.search(r'^medgraph_verdicts_total\{verdict="supported"\} [1-9]', response.text, re.MULTILINE)
    assert any('method="other"' in line for line in lines)
    assert re.search(r"^process_resident_memory_bytes [\d.e+]+$", response.text, re.MULTILINE)


def test_the_log_has_a_line_a_request_and_no_question(client, sample_graph, caplog):
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
    assert lines[0]["answer"] == "answered"
    assert lines[0]["tokens"] == {"prompt": 0, "reply": 0}
    assert lines[0]["verdicts"]["supported"] > 0
    assert {"understand", "retrieve", "verify"} <= lines[0]["stages_ms"].keys()
    assert {"find", "rank"} <= lines[1]["stages_ms"].keys()
    assert "gout" not in caplog.text


def test_an_answer_that_is_streamed_is_counted_and_written_down_once_it_is_whole(client, caplog):
    with caplog.at_level(logging.INFO, logger="medgraph.access"):
        events = {"Accept": "text/event-stream"}
        client.post("/v1/answers", json={"question": "How is gout treated?"}, headers=events).close()
    (line,) = [record.fields for record in caplog.records if record.name == "medgraph.access"]
    assert (line["answer"], line["verdicts"]["supported"] > 0) == ("answered", True)
    assert 'medgraph_answers_total{status="answered"} 1.0' in client.get("/metrics").text


def test_the_log_is_lines_of_json_and_tells_questions_only_when_asked(service, sample_graph, caplog):
    formatter = JsonFormatter()
    for wanted in (False, True):
        caplog.clear()
        client = create_app(service, Options(log_questions=wanted)).test_client()
        with caplog.at_level(logging.INFO, logger="medgraph.access"):
            response = client.post("/v1/answers", json={"question": "What is göut?\nX"})
            client.get("/v1/search?q=podagra")
            client.get("/ask", query_string={"q": "gout and what it costs"})
            client.post("/v1/answers", json={})
        lines = [formatter.format(record) for record in caplog.records if record.name == "medgraph.access"]
        assert all("\n" not in line for line in lines)
        said = [json.loads(line).get("question") for line in lines]
        assert said == (["What is göut?\nX", "podagra", "gout and what it costs", None] if wanted else [None] * 4)
        assert json.loads(lines[0])["request"] == response.headers["X-Request-ID"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", json.loads(lines[0])["time"])


FILES = {path.stem for path in Path(resources.__file__).parent.glob("*.py")} - {"__init__"}


def test_every_resource_has_a_route_and_no_two_are_one():
    assert {route.answer.__module__.rpartition(".")[2] for route in ROUTES} == FILES
    assert len({(route.method, route.path) for route in ROUTES}) == len(ROUTES)


def test_only_health_and_readiness_are_open_to_whom_has_no_key():
    assert {route.path for route in ROUTES if route.watched} == {"/healthz", "/readyz"}


WARNINGS = "missing_auth,validation_mismatch,missing_deserializer,unsupported_regex,method_not_allowed"


def test_the_description_names_every_route(client):
    document = client.get("/openapi.json").get_json()
    rules = {
        (re.sub(r"<id:name>", "{id}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.endpoint.startswith("medgraph.") and rule.rule != "/openapi.json"
    }
    assert {(path, method) for path, methods in document["paths"].items() for method in methods} == rules


def test_answers_hold_what_the_description_says(client, sample_graph):
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
    check("Hit", "/v1/search?q=gout", "results")
    check("Section", "/v1/sections/sample:gout%236")
    check("Source", "/v1/sources", "sources")
    check("Problem", "/nope")
    for entity in check("FoundEntity", "/v1/entities?q=diabetes", "entities"):
        check("Entity", f"/v1/entities/{entity['id']}")


@pytest.mark.thorough
@pytest.mark.parametrize("examples", [10, pytest.param(50, marks=pytest.mark.thorough)])
def test_schemathesis_finds_nothing(service, sample_graph, tmp_path, examples):
    tool = Path(sys.executable).with_name("schemathesis")
    with running(service) as server:
        command = [tool, "run", f"http://127.0.0.1:{server.port}/openapi.json", "--max-examples", str(examples)]
        # Of learned vectors, which the sample has none of, every id is told to be unknown: that is not warned of.
        command += ["--seed", "1", "--no-color", "--warnings", WARNINGS]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
        assert fetch(server.port, "/readyz")[0].status == 200
    assert done.returncode == 0, done.stdout[-8000:]
    assert "No issues found" in done.stdout


def test_the_description_is_one_that_validators_take(client):
    validator = pytest.importorskip("openapi_spec_validator")
    described = client.get("/openapi.json").get_json()
    validator.validate(described)
    described["paths"]["/v1/search"]["get"]["responses"] = []
    with pytest.raises(validator.validation.exceptions.OpenAPIValidationError):
        validator.validate(described)
