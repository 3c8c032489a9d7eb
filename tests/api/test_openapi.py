"""The description: it names every route, and answers hold what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.descriptions import holds
from tests.support.service import fetch, running

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
    check("Hit", "/v1/search?q=gout", "results")
    check("Section", "/v1/sections/sample:gout%236")
    check("Source", "/v1/sources", "sources")
    check("Problem", "/nope")
    for entity in check("FoundEntity", "/v1/entities?q=diabetes", "entities"):
        check("Entity", f"/v1/entities/{entity['id']}")


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("examples", [10, pytest.param(50, marks=pytest.mark.thorough)])
def test_schemathesis_finds_nothing(service, tmp_path, examples):
    tool = Path(sys.executable).with_name("schemathesis")
    with running(service) as server:
        command = [tool, "run", f"http://127.0.0.1:{server.port}/openapi.json", "--max-examples", str(examples)]
        # Of learned vectors, which the sample has none of, every id is told to be unknown: that is not warned of.
        command += ["--seed", "1", "--no-color", "--warnings", WARNINGS]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
        assert fetch(server.port, "/readyz")[0].status == 200
    assert done.returncode == 0, done.stdout[-8000:]
    assert "No issues found" in done.stdout
