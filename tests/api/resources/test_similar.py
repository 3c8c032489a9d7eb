"""What is similar, by the service."""

import pytest

from tests.support.descriptions import holds
from tests.support.graphs import run
from tests.support.kge import with_vectors, without_vectors
from tests.support.service import problem


@pytest.fixture
def learned(client, graph):
    """The service on the sample, whose concepts have vectors made by hand."""
    with_vectors(graph)
    yield client
    without_vectors(graph)


def test_what_is_similar_is_given_as_it_is_described(learned):
    found = learned.get("/v1/entities/sample:gout/similar?limit=3").get_json()
    schemas = learned.get("/openapi.json").get_json()["components"]["schemas"]
    holds(found, {"$ref": "/SimilarConcepts"}, schemas)
    assert (found["concept"], found["name"], found["model"], len(found["similar"])) == ("C0018099", "Gout", "TransE", 3)
    assert found == learned.get("/v1/entities/UMLS:C0018099/similar?limit=3").get_json()
    drugs = learned.get("/v1/entities/sample:gout/similar?label=Drug").get_json()["similar"]
    assert {one["label"] for one in drugs} <= {"Drug"}


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("sample:gout/similar?limit=0", 400, "\"limit\" is '0'; it takes a whole number from 1 to 50"),
        ("sample:gout/similar?label=Ill", 404, "there is no category 'Ill'"),
        ("sample:gout/similar?k=3", 400, "there is no parameter 'k'"),
        ("zzzz/similar", 404, "there is no entity with this id"),
        ("%C3%A9%20%27%7D%29/similar", 404, "there is no entity with this id"),
    ],
)
def test_what_cannot_be_asked(learned, path, status, message):
    assert message in problem(learned.get(f"/v1/entities/{path}"), status)


def test_without_vectors_it_is_said_what_makes_them(client, graph):
    run(graph, "MATCH (e:Encoder {id: 'kge'}) DELETE e")
    assert problem(client.get("/v1/entities/sample:gout/similar"), 404) == "the graph has no vectors of relations"
    page = client.get("/entities/sample:gout")
    assert page.status_code == 200
    assert "Nothing can be guessed: the graph has no vectors of relations." in page.text
