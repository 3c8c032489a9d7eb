"""Health is told whatever else happens, and readiness looks each time."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from medgraph.api.app import create_app
from medgraph.api.service import AT_ONCE
from tests.support.graphs import run
from tests.support.linking import linker_of, names_of
from tests.support.paths import ROOT
from tests.support.service import ASK, JSON, fetch, problem, running, service_over


def test_health_and_readiness(client):
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {"status": "ready"}


def test_a_graph_that_is_not_ready(sample_graph, encoder):
    run(sample_graph, "MATCH (e:Encoder) SET e.name = 'other'")
    try:
        client = create_app(service_over(sample_graph, lambda: encoder, names_of(sample_graph))).test_client()
        assert "from other" in problem(client.post("/v1/answers", json={"question": "gout"}), 503)
        assert "from other" in problem(client.get("/readyz"), 503)
    finally:
        run(sample_graph, "MATCH (e:Encoder) SET e.name = 'all-MiniLM-L6-v2'")
    assert client.get("/readyz").status_code == 200


def test_readiness_looks_each_time(service, sample_graph):
    client = create_app(service).test_client()
    assert client.get("/readyz").status_code == 200
    run(sample_graph, "MATCH (e:Encoder) SET e.name = 'other'")
    try:
        assert "from other" in problem(client.get("/readyz"), 503)
        assert "from other" in problem(client.post("/v1/answers", data=ASK, headers=JSON), 503)
    finally:
        run(sample_graph, "MATCH (e:Encoder) SET e.name = 'all-MiniLM-L6-v2'")
    assert client.get("/readyz").status_code == 200
    run(sample_graph, "DROP INDEX section_chunked")
    try:
        assert "not online: section_chunked" in problem(client.get("/readyz"), 503)
    finally:
        run(sample_graph, "CREATE INDEX section_chunked IF NOT EXISTS FOR (n:Section) ON (n.chunked)")
        sample_graph.wait_for_indexes()
    assert client.get("/readyz").status_code == 200


def test_health_is_told_while_nothing_else_moves(sample_graph, encoder):
    reading, go_on = threading.Semaphore(0), threading.Event()

    class Hanging:
        """The graph behind a line on which nothing comes back until it is let."""

        def read(self, *args, **parameters):
            reading.release()
            assert go_on.wait(120)
            return sample_graph.read(*args, **parameters)

        def __getattr__(self, name):
            return getattr(sample_graph, name)

    service = service_over(Hanging(), lambda: encoder, linker_of, at_once=AT_ONCE)
    with running(service) as server, ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(fetch, server.port, path) for path in ("/v1/sources", "/readyz", "/v1/entities?q=x") * 20]
        for _ in range(AT_ONCE):
            assert reading.acquire(timeout=60)
        assert fetch(server.port, "/healthz")[0].status == 200
        assert sum(not future.done() for future in asked) >= AT_ONCE
        go_on.set()
        assert {future.result()[0].status for future in asked} <= {200, 503}
        assert fetch(server.port, "/readyz")[0].status == 200


@pytest.mark.thorough
def test_an_index_that_populates_is_waited_for(service, sample_graph):
    client = create_app(service).test_client()
    assert client.post("/v1/answers", data=ASK, headers=JSON).status_code == 200
    text = (ROOT / "schema" / "V003__vector_indexes.cypher").read_text(encoding="utf-8")
    create = re.search(r"CREATE VECTOR INDEX chunk_embedding .*?;", text, re.DOTALL)[0]
    run(sample_graph, "DROP INDEX chunk_embedding")
    many = "UNWIND range(1, 8000) AS n CREATE (c:Chunk:Bulk {id: 'bulk' + n}) "
    run(sample_graph, many + "SET c.embedding = [i IN range(1, 384) | rand() - 0.5]")
    try:
        run(sample_graph, f"CYPHER 25 {create}", dimension=384)
        response = client.post("/v1/answers", data=ASK, headers=JSON)
        assert re.match(r"not ready: an index that \w+ needs still populates", problem(response, 503))
        assert response.headers["Retry-After"]
        assert "chunk_embedding" in problem(client.get("/readyz"), 503)
    finally:
        run(sample_graph, "MATCH (c:Bulk) DELETE c")
        # Made anew: with nearly all it was made of deleted, this server's index errs when a date is filtered by.
        run(sample_graph, "DROP INDEX chunk_embedding")
        run(sample_graph, f"CYPHER 25 {create}", dimension=384)
        sample_graph.wait_for_indexes()
    assert client.get("/readyz").status_code == 200
    assert client.post("/v1/answers", data=ASK, headers=JSON).status_code == 200
