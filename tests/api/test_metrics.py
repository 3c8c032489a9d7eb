"""What is counted."""

import re

from medgraph.api.app import create_app
from tests.support.service import ASK, JSON


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
