"""What stands around an entity: bounded, and what is left out is counted."""

from dataclasses import fields, replace

import pytest

from medgraph.pictures import svg
from medgraph.pictures.entity import picture_of_entity
from medgraph.pictures.graph import Edge
from medgraph.queries.cards import (
    Card,
    CardDocument,
    CardRelation,
    CardSection,
    ConceptName,
    Counts,
    RelationKind,
    SameConcept,
    entity_card,
)
from tests.support.pictures import parsed


@pytest.fixture
def gout(sample_graph):
    """An entity as it is before concepts are indexed."""
    return replace(entity_card(sample_graph, "sample:gout"), meaning=None)


def test_a_neighbourhood_of_the_sample(gout):
    picture = picture_of_entity(gout)
    names = {node.id: node for node in picture.nodes}
    assert picture.centre == "Entity sample:gout"
    assert {edge.caption for edge in picture.edges} == {
        *("IS_A", "HAS_CUI", "ABOUT", "HAS_SECTION", "HAS_SYMPTOM", "TREATED_BY", "ASSOCIATED_WITH"),
    }
    assert Edge("Entity sample:gout", "Entity sample:arthritis", "IS_A") in picture.edges
    assert Edge("Document sample:gout", "Entity sample:gout", "ABOUT") in picture.edges
    assert sum(node.label == "Section" for node in picture.nodes) == 8
    assert names["Concept C0018099"].before
    assert not names["Document sample:gout"].before
    parsed(svg.draw(picture))


def card(many, sections):
    """Make a card with much of everything."""
    ways = [
        (kind, way, some)
        for way in ("out", "in") for kind, some in (("IS_A", many), ("TREATS", many), ("AFFECTS", 1))
    ]  # fmt: skip
    relations = [
        CardRelation("", None, "", [], "R", source, f"{kind}{way}{i}", "Disease", {}, kind, way)
        for kind, way, some in ways for i in range(some) for source in ("s", "t")
    ]  # fmt: skip
    kinds = [RelationKind(2 * some + 5 * (way == "out"), kind, way) for kind, way, some in ways]
    documents = [
        CardDocument(
            "s", "", f"d{i}", "D", [CardSection("", "", f"d{i}#{j}", "") for j in range(sections)], "javascript:x"
        )
        for i in range(many)
    ]
    empty = dict.fromkeys((field.name for field in fields(Card)), ())
    return Card(
        **empty
        | {
            "id": "x",
            "label": "Disease",
            "name": "X",
            "relations": relations,
            "kinds": kinds,
            "concepts": [ConceptName(f"C{i}", "", []) for i in range(many)],
            "documents": documents,
            "same_concept": [SameConcept([], ["C0", "C1"], f"o{i}", "Drug", "O") for i in range(many)],
            "counts": Counts(0, many + 7, many + 9, many + 11, 0, 0, many * sections),
        }
    )
