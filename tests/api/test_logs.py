"""What is written down: a line of JSON a request, and what was asked only where that is wanted."""

import json
import logging
import re

from medgraph.api.access import Options
from medgraph.api.app import create_app
from medgraph.api.logs import JsonFormatter


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
