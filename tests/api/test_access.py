"""Keys, names and rates."""

import base64

import pytest

from medgraph.api.access import Options, make_options
from medgraph.api.app import SECURITY, create_app
from medgraph.settings import Settings
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
