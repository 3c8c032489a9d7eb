"""All that a curator is shown of two entities."""

import pytest

from medgraph.errors import InputError
from medgraph.linking.equivalence_card import equivalence_card
from medgraph.linking.review import decide
from tests.support.graphs import run
from tests.support.joined import joined


@pytest.fixture
def graph_to_review(graph, settings, tmp_path):
    return joined(graph, settings, tmp_path)


def test_both_are_shown_with_what_they_have_in_common(graph_to_review):
    found = equivalence_card(graph_to_review, "DOID:4|MESH:4")
    assert equivalence_card(graph_to_review, " MESH:4 ", "DOID:4") == found
    assert (found.equivalence.status, found.equivalence.evidence) == ("proposed", "pernio")
    assert [(side.id, side.name, side.synonyms, side.sources) for side in found.sides] == [
        ("DOID:4", "chilblain", ["pernio"], ["doid"]),
        ("MESH:4", "Perniosis", ["pernio"], ["mesh"]),
    ]
    assert (found.in_common, found.joined, found.gains, found.clashes, found.between) == (["pernio"], False, [], {}, [])


def test_what_accepting_would_join_is_told(graph_to_review):
    found = equivalence_card(graph_to_review, "MESH:1", "DOID:4")
    mesh = next(side for side in found.sides if side.id == "MESH:1")
    assert (mesh.concept, [member["id"] for member in mesh.members]) == ("C0018099", ["DOID:1", "pages:gout"])
    assert found.equivalence.status == "refused"
    assert found.gains == ["DOID:1", "pages:gout"]
    assert found.clashes == {"DOID": ["DOID:4", "DOID:1"]}
    decide(graph_to_review, "DOID:4", "pages:gout", same=False)
    (other,) = equivalence_card(graph_to_review, "MESH:1", "DOID:4").between
    assert (other["id"], other["status"]) == ("DOID:4|pages:gout", "rejected")


def test_documents_are_shown_and_what_is_joined_already(graph_to_review):
    decide(graph_to_review, "DOID:1", "pages:gout", same=True)
    found = equivalence_card(graph_to_review, "DOID:1", "pages:gout")
    assert (found.joined, found.gains) == (True, [])
    assert found.sides[1].titles == [{"title": "Gout", "url": "", "source": "pages"}]
    assert found.sides[1].documents == 1


def test_what_left_the_graph_has_no_side(graph_to_review):
    run(graph_to_review, "MATCH (e:Entity {id: 'MESH:4'}) DETACH DELETE e")
    found = equivalence_card(graph_to_review, "DOID:4|MESH:4")
    assert ([side.id for side in found.sides], found.gains, found.in_common) == (["DOID:4"], [], ())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("DOID:4",), "name two entities"),
        (("",), "name two entities"),
        (("a|b|c",), "name two entities"),
        (("a|b", "c"), "name two entities"),
        (("DOID:1", "nope:1"), r"nothing was proposed or decided on DOID:1\|nope:1; see: medgraph review list"),
        (("\ud800", "喘息"), "nothing was proposed or decided"),
    ],
)
def test_what_cannot_be_shown(graph_to_review, given, message):
    with pytest.raises(InputError, match=message):
        equivalence_card(graph_to_review, *given)
