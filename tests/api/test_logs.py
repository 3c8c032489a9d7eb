"""What is written down: a line of JSON a request, and what was asked only where that is wanted."""

import json
import logging
import re

from medgraph.api.app import create_app
from medgraph.api.logs import JsonFormatter
from medgraph.api.options import Options


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


def test_the_log_is_lines_of_json_and_tells_questions_only_when_asked(service, caplog):
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
