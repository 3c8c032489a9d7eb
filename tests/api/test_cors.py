"""Pages of other origins: none may call the service unless the operator names theirs."""

import pytest

from medgraph.api.access import Options, check_origins
from medgraph.api.app import create_app
from medgraph.errors import InputError
from tests.support.service import KEY

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
