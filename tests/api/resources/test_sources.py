"""What is loaded."""


def test_sources(client):
    (source,) = client.get("/v1/sources").get_json()["sources"]
    assert (source["source"], source["documents"], source["licence"]) == ("sample", 60, "Apache-2.0")
