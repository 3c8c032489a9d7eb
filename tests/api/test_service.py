"""The service when the graph is busy, slow, away or not ready."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from medgraph.answers.understanding import UNREACHED
from medgraph.api import problems
from medgraph.api.app import create_app
from medgraph.api.service import Service
from medgraph.errors import QueryTimeoutError
from medgraph.graph import catalogue
from medgraph.graph.database import Database
from tests.support.linking import names_of
from tests.support.proxies import Proxy
from tests.support.service import ASK, JSON, problem, service_over


def test_too_many_at_once_are_told_to_come_back(sample_graph, encoder):
    begun, go_on = threading.Event(), threading.Event()

    def load():
        begun.set()
        assert go_on.wait(60)
        return encoder

    client = create_app(
        service_over(sample_graph, load, names_of(sample_graph), at_once=1, patience=0.05)
    ).test_client()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.application.test_client().post, "/v1/answers", json={"question": "What is gout?"})
        assert begun.wait(60)
        response = client.post("/v1/answers", json={"question": "What is gout?"})
        assert "too many questions at once" in problem(response, 503)
        assert response.headers["Retry-After"] == str(problems.RETRY_AFTER)
        assert client.get("/ask", query_string={"q": "What is gout?"}).status_code == 503
        assert client.get("/healthz").status_code == 200
        assert not first.done()
        go_on.set()
        assert first.result(60).status_code == 200
    assert client.post("/v1/answers", json={"question": "What is gout?"}).status_code == 200


def test_a_database_that_goes_away_and_comes_back(sample_graph, server, settings, encoder):
    proxy = Proxy(settings.bolt_port)
    try:
        with Database(f"bolt://127.0.0.1:{proxy.port}", "neo4j", server.password(), retry_time=0.2) as distant:
            client = create_app(service_over(distant, lambda: encoder, names_of(distant))).test_client()
            ask = {"question": "How is gout treated?"}
            assert client.post("/v1/answers", json=ask).status_code == 200
            proxy.cut()
            response = client.post("/v1/answers", json=ask)
            assert "not ready: no answer from the database" in problem(response, 503)
            assert problem(client.get("/readyz"), 503)
            assert problem(client.get("/v1/sources"), 503)
            assert client.get("/ask?q=How+is+gout+treated").status_code == 503
            urgent = client.post(
                "/v1/answers", json={"question": "my husband collapsed and is not breathing"}
            ).get_json()
            assert (urgent["urgent"][0]["kind"], urgent["remark"]) == ("unconscious", UNREACHED)
            assert "Nothing was looked up" in client.get("/ask?q=he+collapsed+and+is+not+breathing").text
            assert client.get("/healthz").status_code == 200
            proxy.mend()
            assert client.get("/readyz").status_code == 200
            assert client.post("/v1/answers", json=ask).status_code == 200
    finally:
        proxy.close()


def test_a_statement_that_takes_too_long_is_ended(server, sample_graph, monkeypatch):
    with Database(server.bolt_uri, "neo4j", server.password(), time_limit=0.3) as hasty:
        slow = "UNWIND range(1, 1000000000) AS n WITH n WHERE n % 7 = 8 RETURN count(n) AS n"
        query = catalogue.Query("slow", "", {}, (), slow, Path("slow.cypher"))
        with pytest.raises(QueryTimeoutError, match="query slow: it took longer than it may"):
            hasty.read(query)

        def stuck(self):
            return hasty.read(query)

        monkeypatch.setattr(Service, "sources", stuck)
        response = create_app(service_over(hasty, lambda: None, names_of(hasty))).test_client().get("/v1/sources")
        assert "took too long" in problem(response, 503)
        assert response.headers["Retry-After"]


def test_a_service_that_warms_up_answers_and_says_that_it_is_not_ready(sample_graph, encoder):
    begun, go_on = threading.Event(), threading.Event()

    def load():
        begun.set()
        assert go_on.wait(20)
        return encoder

    service = service_over(sample_graph, load, names_of(sample_graph))
    client = create_app(service).test_client()
    warming = threading.Thread(target=service.warm_up)
    warming.start()
    assert begun.wait(20)
    response = client.get("/readyz")
    assert "has just started" in problem(response, 503)
    assert response.headers["Retry-After"]
    go_on.set()
    warming.join(20)
    assert client.get("/readyz").status_code == 200
    assert client.post("/v1/answers", data=ASK, headers=JSON).status_code == 200
