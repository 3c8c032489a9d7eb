"""What holds for every request: headers, what may be kept, and that nothing is written."""

import re

import pytest

from medgraph.api.app import MAX_BODY
from medgraph.errors import QueryError
from medgraph.graph import catalogue
from tests.support.graphs import run, state_of
from tests.support.paths import ROOT
from tests.support.service import JSON, problem


@pytest.mark.parametrize(
    ("path", "caching"),
    [
        ("/", "private, no-cache"),
        ("/sections/sample:gout%236", "private, no-cache"),
        ("/v1/sources", "no-store"),
        ("/nope", "no-store"),
        ("/picture.css", "private, max-age=3600"),
    ],
)
def test_what_may_be_kept(client, path, caching):
    assert client.get(path).headers["Cache-Control"] == caching


def test_every_response_is_guarded(client):
    for path in ("/", "/nope", "/healthz", "/static/page.css"):
        with client.get(path) as response:
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
    page = client.get("/").text
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)


def test_nothing_is_written_and_nothing_can_be(client, sample_graph):
    before = state_of(sample_graph)
    for question in ("gout') CREATE (n:Evil) RETURN n //", "'}) DETACH DELETE n //", "}] SET n.x = 1"):
        client.post("/v1/answers", json={"question": question})
        client.get("/v1/search", query_string={"q": question})
        client.get(f"/v1/sections/{question}")
    assert state_of(sample_graph) == before
    for path in (ROOT / "api").glob("*.py"):
        assert not re.search(r"database\.(write|write_all|run)\(", path.read_text()), f"{path} could write"


def test_the_service_cannot_write_even_where_it_is_told_to(sample_graph):
    before = run(sample_graph, "MATCH (n) RETURN count(n) AS n")
    for name in ("write_entities", "unload_source", "remove_documents", "drop_chunk_embedding_index"):
        query = catalogue.get(name)
        with pytest.raises(QueryError, match=r"(?i)read|writ|not allowed|schema"):
            sample_graph.read(query, **dict(query.parameters))
    assert run(sample_graph, "MATCH (n) RETURN count(n) AS n") == before


def test_requests_that_are_no_requests(client):
    assert problem(client.post("/v1/answers", data="{", headers=JSON), 400)
    assert problem(client.post("/v1/answers", data=b'{"question": "\xff"}', headers=JSON), 400)
    assert problem(client.post("/v1/answers", data="question=gout"), 415)
    assert problem(client.post("/v1/answers", json={"question": "a" * MAX_BODY}), 413)
    assert client.post("/ask", data={"q": "a" * 2 * MAX_BODY}).status_code == 413
    assert client.post("/ask", data={"q": "\u75c5" * 9_000}).status_code == 200
    assert "nested too deeply" in problem(client.post("/v1/answers", data="[" * 60_000, headers=JSON), 400)
    refused = client.get("/v1/answers")
    assert problem(refused, 405)
    assert "POST" in refused.headers["Allow"]
    assert problem(client.delete("/v1/search?q=gout"), 405)
    assert problem(client.get("/nope"), 404)
