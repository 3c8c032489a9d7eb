"""Who may ask, and what holds for every request: keys, names, rates, origins, options and headers."""

import base64
import re

import pytest

from medgraph.api.access import (
    RATE,
    Options,
    check_origins,
    check_scopes,
    is_loopback,
    make_options,
    parse_keys,
    parse_limited_keys,
)
from medgraph.api.app import MAX_BODY, SECURITY, create_app
from medgraph.errors import InputError, QueryError, SettingsError
from medgraph.graph import catalogue
from medgraph.settings import Settings
from tests.support.graphs import run, state_of
from tests.support.paths import ROOT
from tests.support.service import ASK, JSON, KEY, fetch, problem, running


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEY}"},
        {"X-API-Key": KEY},
        {"Authorization": "Basic " + base64.b64encode(f"anybody:{KEY}".encode()).decode()},
        {"Authorization": "Bearer " + "n" * 20},
        {"Authorization": "Basic " + base64.b64encode(b"proxy:its own").decode(), "X-API-Key": KEY},
    ],
)
def test_a_key_lets_in_however_it_is_sent(service, headers):
    client = create_app(service, Options(keys=(KEY, "n" * 20))).test_client()
    assert client.get("/v1/sources", headers=headers).status_code == 200
    assert client.get("/", headers=headers).status_code == 200
    assert client.post("/v1/answers", data=ASK, headers=headers | JSON).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {KEY}x"},
        {"Authorization": f"Bearer {KEY[:-1]}"},
        {"Authorization": f"Digest {KEY}"},
        {"Authorization": KEY},
        {"Authorization": "Basic " + base64.b64encode(KEY.encode()).decode()},
        {"Authorization": "Basic !!!"},
        {"X-API-Key": ""},
        {"X-API-Key": KEY.upper()},
        {"X-API-Key": "\u00e9" * 20},
    ],
)
def test_without_the_key_nothing_is_told(service, headers):
    client = create_app(service, Options(keys=(KEY,))).test_client()
    for path in (
        "/",
        "/v1/sources",
        "/v1/search?q=gout",
        "/metrics",
        "/openapi.json",
        "/docs",
        "/x",
    ):
        response = client.get(path, headers=headers)
        assert "an API key is missing or wrong" in problem(response, 401)
        challenges = response.headers.getlist("WWW-Authenticate")
        assert [challenge.split()[0] for challenge in challenges] == ["Basic", "Bearer"]
        assert response.headers["Content-Security-Policy"] == SECURITY["Content-Security-Policy"]
    assert problem(client.post("/v1/answers", data=ASK, headers=headers | JSON), 401)
    assert client.get("/static/page.css", headers=headers, buffered=True).status_code == 200
    assert client.get("/healthz", headers=headers).status_code == 200
    assert client.get("/readyz", headers=headers).status_code == 200


def test_only_names_of_this_machine_reach_an_open_service(service, tmp_path):
    options = make_options(Settings(home=tmp_path, cache=tmp_path), "127.0.0.1")
    client = create_app(service, options).test_client()
    for host in ("127.0.0.1", "localhost:8080", "[::1]:80", "[::1]"):
        assert client.get("/v1/sources", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", "[::2]", "", "a b"):
        response = client.get("/v1/sources", headers={"Host": host})
        assert response.status_code in {400, 421}
        assert problem(response, response.status_code)


def test_a_client_that_asks_too_often_waits_and_others_do_not(service):
    client = create_app(service, Options(rate=5)).test_client()

    def status(address, path="/v1/sources"):
        return client.get(path, environ_base={"REMOTE_ADDR": address}).status_code

    assert [status("192.0.2.1") for _ in range(7)] == [200] * 5 + [429] * 2
    refused = client.get("/v1/sources", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert "more than 5 requests a minute" in problem(refused, 429)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert status("192.0.2.2") == 200
    assert status("192.0.2.1", "/healthz") == 200
    assert [status(f"2001:db8::{n}") for n in range(7)] == [200] * 5 + [429] * 2, "one network is one client"
    assert status("2001:db8:0:1::1") == 200
    assert status("::ffff:192.0.2.9") == status("::ffff:192.0.2.10") == 200
    assert [status(f"[2001:db8:9::1]:{n}") for n in range(1, 8)] == [200] * 5 + [429] * 2, "a port is no other client"


def test_a_wrong_key_counts_as_a_request(service):
    client = create_app(service, Options(keys=(KEY,), rate=3)).test_client()
    tried = [client.get("/v1/sources", headers={"X-API-Key": "x"}).status_code for _ in range(5)]
    assert tried == [401] * 3 + [429] * 2


def test_only_a_trusted_proxy_tells_whose_request_it_is(service):
    for proxy, expected in ((None, [200, 200, 429, 429]), ("127.0.0.1", [200] * 4)):
        with running(service, Options(rate=2), proxy) as server:
            got = [fetch(server.port, "/v1/sources", **{"X-Forwarded-For": f"192.0.2.{n}"})[0].status for n in range(4)]
        assert got == expected


PAGE = "https://app.example"


def client_of(service, *origins, keys=()):
    return create_app(service, Options(keys=keys, cors=origins)).test_client()


def allowed(response):
    return response.headers.get("Access-Control-Allow-Origin")


def preflight(client, origin, path="/v1/answers"):
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    return client.options(path, headers=asked)


def test_by_default_no_page_may(service):
    client = client_of(service)
    assert allowed(preflight(client, PAGE)) is None
    assert allowed(client.get("/v1/sources", headers={"Origin": PAGE})) is None


def test_a_named_origin_may_with_its_key_and_others_may_not(service):
    client = client_of(service, PAGE, "http://localhost:3000", keys=(KEY,))
    before = preflight(client, PAGE)
    assert (before.status_code, allowed(before)) == (204, PAGE)
    sent = before.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Authorization", "X-API-Key", "Mcp-Method", "Mcp-Name"} <= set(sent)  # agents send the last two
    assert "Access-Control-Allow-Credentials" not in before.headers
    found = client.get("/v1/sources", headers={"Origin": PAGE, "Authorization": f"Bearer {KEY}"})
    assert (found.status_code, allowed(found)) == (200, PAGE)
    assert "Origin" in found.headers["Vary"]
    refused = client.get("/v1/sources", headers={"Origin": PAGE})
    assert (refused.status_code, allowed(refused)) == (401, PAGE)  # so that the page can read why
    for other in ("https://app.example.evil", "http://app.example", "null"):
        assert allowed(preflight(client, other)) is None
        assert preflight(client, other).status_code == 401
    assert allowed(preflight(client, PAGE, "/")) is None


def test_any_origin_may_where_no_key_is_asked_for(service):
    assert allowed(preflight(client_of(service, "*"), "https://whoever.example")) == "*"
    with pytest.raises(InputError, match="name the origins"):
        check_origins(["*"], keys=True)


@pytest.mark.parametrize(
    "text", ["app.example", "ftp://app.example", "https://", "https://app.example/", "https://*.example"]
)
def test_what_is_no_origin_is_refused(text):
    with pytest.raises(InputError, match="is no origin"):
        check_origins([text], keys=False)


def test_keys_that_cannot_be_used_are_refused_without_being_shown():
    assert parse_keys(None) == parse_keys("") == parse_keys(" , ") == ()
    assert parse_keys(f" {KEY} , {'n' * 16},") == (KEY, "n" * 16)
    for bad in ("short", f"{KEY},short", "é" * 20, "a" * 20 + "\n" + "b", "two words of a key"):
        with pytest.raises(SettingsError, match="MEDGRAPH_API_KEY") as caught:
            parse_keys(bad)
        assert bad not in str(caught.value)
    assert KEY not in repr(Options(keys=(KEY,)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "sources: [sampel]",
            "number 1: there is no source 'sampel' in the graph; did you mean 'sample'",
        ),
        ("licences: [CC-BY-9.0]", "number 1: no source in the graph has the licence 'CC-BY-9.0'; known are Apache-2.0"),
    ],
)
def test_a_key_limited_to_what_the_graph_lacks_is_refused(sample_graph, tmp_path, line, message):
    file = tmp_path / "keys.yaml"
    file.write_text(f"- {{key: {KEY}, {line}}}\n")
    with pytest.raises(SettingsError, match=re.escape(f"{file}, {message}")):
        check_scopes(sample_graph, parse_limited_keys(file), file)
    file.write_text(f"- {{key: {KEY}, sources: [sample], licences: [apache-2.0]}}\n")
    check_scopes(sample_graph, parse_limited_keys(file), file)


def test_patterns_of_the_description_are_taken_by_validators_of_any_language(client):
    def patterns(part):
        if isinstance(part, dict):
            yield from [part["pattern"]] if isinstance(part.get("pattern"), str) else []
            part = list(part.values())
        for item in part if isinstance(part, list) else ():
            yield from patterns(item)

    found = set(patterns(client.get("/openapi.json").get_json()))
    assert len(found) >= 4
    for pattern in found:
        re.compile(pattern)
    (question,) = [pattern for pattern in found if "A-Za-z" in pattern]
    assert [bool(re.search(question, text)) for text in ("gout", "7", "é", "病", "?!", " _ ")] == [True] * 4 + [
        False
    ] * 2


def test_other_addresses_than_this_machines_need_a_key(tmp_path):
    settings = Settings(home=tmp_path, cache=tmp_path)
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost")))
    for host in ("0.0.0.0", "::", "10.0.0.1", "example.org", ""):
        assert not is_loopback(host)
        with pytest.raises(InputError, match="set MEDGRAPH_API_KEY"):
            make_options(settings, host)
    with pytest.raises(InputError, match="through the proxy: set MEDGRAPH_API_KEY"):
        make_options(settings, "127.0.0.1", proxy="127.0.0.1")
    for proxy in ("*", "proxy.example", "10.0.0.0/8"):
        with pytest.raises(InputError, match="is no address of a proxy"):
            make_options(settings, "127.0.0.1", proxy=proxy)


def test_what_follows_from_where_it_is_served(tmp_path):
    settings = Settings(home=tmp_path, cache=tmp_path)
    local = make_options(settings, "127.0.0.1", "http://b/")
    assert (local.keys, local.rate, local.browser) == ((), 0, "http://b/")
    assert "localhost" in local.hosts
    assert "127.0.0.2" in make_options(settings, "127.0.0.2").hosts
    assert "[::1]" in make_options(settings, "::1").hosts
    keyed = Settings(home=tmp_path, cache=tmp_path, api_key=KEY)
    for options in (
        make_options(keyed, "0.0.0.0", "http://b/"),
        make_options(keyed, "127.0.0.1", "http://b/", proxy="::1"),
    ):
        assert (options.keys, options.rate, options.hosts, options.browser) == ((KEY,), RATE, (), "")
    assert make_options(keyed, "127.0.0.1").hosts == ()
    told = Settings(home=tmp_path, cache=tmp_path, api_key=KEY, rate_limit=0, browser="http://graph/")
    assert (make_options(told, "0.0.0.0").rate, make_options(told, "0.0.0.0").browser) == (0, "http://graph/")


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
    broken = client.post("/v1/answers", data='{"question": "x",\n "a": }', headers=JSON)
    assert "not JSON: it cannot be read at line 2, column 7;" in problem(broken, 400)
    assert "UTF-8" in problem(client.post("/v1/answers", data=b'{"question": "\xff"}', headers=JSON), 400)
    assert "Content-Type" in problem(client.post("/v1/answers", data="question=gout"), 415)
    assert problem(client.post("/v1/answers", json={"question": "a" * MAX_BODY}), 413)
    assert client.post("/ask", data={"q": "a" * 2 * MAX_BODY}).status_code == 413
    assert client.post("/ask", data={"q": "\u75c5" * 9_000}).status_code == 200
    assert "nested too deeply" in problem(client.post("/v1/answers", data="[" * 60_000, headers=JSON), 400)
    refused = client.get("/v1/answers")
    assert problem(refused, 405)
    assert "POST" in refused.headers["Allow"]
    assert problem(client.delete("/v1/search?q=gout"), 405)
    assert problem(client.get("/nope"), 404)
