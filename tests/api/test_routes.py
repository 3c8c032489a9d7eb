"""How a route is served: a request in, JSON with its keys in order out; with a service of these tests."""

import json

import numpy as np
import pytest

from medgraph.answers.answer import Answer, Citation, FoundPage, FoundSection, Sentence
from medgraph.api.app import create_app
from medgraph.queries.evidence import Evidence
from medgraph.queries.hits import Hit
from medgraph.queries.question import Question, words_of
from tests.support.descriptions import holds
from tests.support.service import problem

CITATION = Citation("x#1", "x", "T", "http://x/", "s", "MIT", 0, 5, "Plain. \u00e9", "RETURN 1")
SECTION = FoundSection("x#1", "x", "T", "u", "s", "l", "t", "q", 0.5)
PAGE = FoundPage("d", "T", "u", "s", "l", "t", "q", "http://a/", 0.5)


class Canned:
    """A service that says what these tests want."""

    def answer(self, question, filters, previous, composer, tell):
        sentences = (Sentence("Plain.", (CITATION,), "supported"),)
        return Answer(question, "answered", sentences, (), "treatment", (SECTION, PAGE), np.float64(0.75), {"all": 1.5})

    def search(self, question, filters, **options):
        hit = Hit("a", "b", "c", "d", "e", "f", "g", "h", "i", 0, 1, np.float64(0.5), {"lexical": None})
        asked = Question(question, words_of(question), None, lambda _: (), lambda: None)
        return Evidence([hit], asked, {"total": 1.5}, None, None)

    def section(self, name):
        row = dict.fromkeys("document title url source licence type heading question text".split(), "")
        return row | {"section": name, "rests_on": []} if name != "nope" else None


@pytest.fixture
def canned():
    return create_app(Canned()).test_client()


def keys_in_order(value):
    if isinstance(value, dict):
        assert list(value) == sorted(value)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        keys_in_order(part)


def test_answers_are_json_with_their_keys_in_order_and_plain_numbers(canned):
    for response in (canned.post("/v1/answers", json={"question": "gout"}), canned.get("/v1/search?q=gout")):
        assert (response.status_code, response.content_type) == (200, "application/json")
        keys_in_order(json.loads(response.data))
        assert response.data.endswith(b"}\n")
    assert canned.post("/v1/answers", json={"question": "gout"}).get_json()["confidence"] == 0.75
    assert canned.get("/v1/search?q=gout").get_json()["results"][0]["score"] == 0.5


def test_what_is_found_is_described_whether_a_section_or_a_page(canned):
    schemas = canned.get("/openapi.json").get_json()["components"]["schemas"]
    answer = canned.post("/v1/answers", json={"question": "gout"}).get_json()
    holds(answer, {"$ref": "/Answer"}, schemas)
    section, page = answer["evidence"]
    assert ("answered_at" in section, "answered_at" in page) == (False, True)
    with pytest.raises(AssertionError):
        holds(answer | {"evidence": [section | page]}, {"$ref": "/Answer"}, schemas)


def test_an_id_may_be_any_text_and_other_parameters_are_not_looked_at(canned):
    for sent, name in (("a%2F%2Fb%23", "a//b#"), ("/x", "/x"), ("a%0Ab", "a\nb")):
        assert canned.get(f"/v1/sections/{sent}?anything=else").get_json()["section"] == name
    assert problem(canned.get("/v1/sections/nope"), 404) == "there is no section with this id"
