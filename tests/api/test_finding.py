"""The pages to search and look up on: what they find, how they filter, and that what people write stays text."""

import html
import re

import pytest

from medgraph.api.service import Service
from medgraph.errors import DatabaseUnavailableError


def test_search_finds_what_the_service_finds_and_says_why(client):
    page = client.get("/search", query_string={"q": "gout treatment"})
    assert page.status_code == 200
    results = client.get("/v1/search", query_string={"q": "gout treatment"}).get_json()["results"]
    assert re.findall(r'<h3><a href="/sections/([^"?]+)', page.text) == [
        r["section"].replace("#", "%23") for r in results
    ]
    assert f"Passages 1 to {len(results)}" in page.text
    assert f"<li>about it +{results[0]['why']['about it']:.2f}</li>" in page.text
    link = re.search(r'<h3><a href="([^"]+)#cited"', page.text)[1].replace("&amp;", "&")
    quote = re.search(r'<mark id="cited">(.+?)</mark>', client.get(link).text, re.DOTALL)[1]
    assert " ".join(quote.split())[:100] in " ".join(re.sub("</?mark>", "", page.text).split())
    assert re.search("<mark>gout</mark>", page.text, re.IGNORECASE)
    more = html.unescape(re.search(r'<a href="([^"]+)">More</a>', page.text)[1])
    assert f'<ol class="results" start="{len(results) + 1}">' in client.get(more).text


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/search?q=gout&since=soon", 400, "since is &#39;soon&#39;; write it as 2026"),
        ("/search?q=gout&sources=nope", 404, "there is no source &#39;nope&#39;"),
        ("/search?q=gout&journals=Lancet", 404, "no document is from a journal called &#39;Lancet&#39;"),
        ("/search?q=?!", 400, "the question has no word in it"),
        ("/search?q=gout&colour=red", 400, "there is no parameter &#39;colour&#39;"),
        ("/entities?q=%20", 400, "a name, such as Gout"),
        ("/paths?name=gout", 400, "name a second thing, too"),
    ],
)
def test_what_cannot_be_used_is_told_on_the_page_beside_the_form(client, address, status, said):
    page = client.get(address)
    assert (page.status_code, page.content_type) == (status, "text/html; charset=utf-8")
    assert said in page.text
    assert 'role="search"' in page.text


def test_what_nobody_foresaw_is_told_on_a_page(client, monkeypatch):
    def broken(self, *arguments, **options):
        raise ValueError("a secret")

    monkeypatch.setattr(Service, "entities", broken)
    page = client.get("/entities?q=gout")
    assert (page.status_code, page.content_type) == (500, "text/html; charset=utf-8")
    assert "a secret" not in page.text


def test_what_people_write_is_text_on_the_page(client):
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    for path in ("/search", "/entities"):
        for name in ("q", "source"):
            page = client.get(path, query_string={"q": "gout", name: hostile}).text
            assert "<script>" not in page
            assert "<img" not in page


def test_without_the_database_the_forms_are_still_there(client, monkeypatch):
    def away(self, *arguments, **options):
        raise DatabaseUnavailableError("no answer from the database")

    for name in ("choices", "overview", "entities"):
        monkeypatch.setattr(Service, name, away)
    for path in ("/search?q=gout", "/entities?q=gout"):
        page = client.get(path)
        assert (page.status_code, page.headers["Retry-After"] != "") == (503, True)
        assert "no answer from the database" in page.text
        assert "<form" in page.text
    assert "<form" in client.get("/").text
