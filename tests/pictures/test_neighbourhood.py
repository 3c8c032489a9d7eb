"""What stands around an entity: bounded, and what is left out is counted."""

from collections import Counter
from dataclasses import fields, replace

import pytest

from medgraph.pictures import neighbourhood, svg
from medgraph.pictures.graph import MORE, Edge
from medgraph.pictures.layout import place
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
from tests.support.pictures import apart, parsed


@pytest.fixture
def gout(sample_graph):
    """An entity as it is before concepts are indexed."""
    return replace(entity_card(sample_graph, "sample:gout"), meaning=None)


def test_a_neighbourhood_of_the_sample(gout):
    picture = neighbourhood.picture_of(gout)
    names = {node.id: node for node in picture.nodes}
    assert picture.centre == "Entity sample:gout"
    assert {edge.caption for edge in picture.edges} == {"IS_A", "HAS_CUI", "ABOUT", "HAS_SECTION"}
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


@pytest.mark.parametrize(("many", "sections"), [(1, 0), (2, 3), (3, 8), (8, 1), (25, 25)])
def test_a_neighbourhood_is_bounded_and_tells_what_is_left_out(many, sections):
    picture = neighbourhood.picture_of(card(many, sections))
    most = neighbourhood.MOST
    assert len(picture.nodes) <= sum(most.values()) + len(most) + 1
    left_out = {node.note: node.caption for node in picture.nodes if node.label == MORE}
    assert left_out["documents"] == f"and {many + 9 - min(many, most['documents'])} more"
    assert left_out["concepts"] == f"and {many + 7 - min(many, most['concepts'])} more"
    assert left_out["of the same concepts"] == f"and {many + 11 - min(many, most['others'])} more"
    assert left_out["above it"] == f"and {many + 5 - min(many, most['above'])} more"
    assert left_out["that it points to"] == f"and {many + 11 - min(many + 1, most['from'])} more"
    assert ("below it" in left_out) is (many > most["below"])
    assert ("that point to it" in left_out) is (many + 1 > most["to"])
    drawn = Counter((edge.caption, edge.source == picture.centre) for edge in picture.edges if edge.caption)
    assert drawn["AFFECTS", True] == drawn["AFFECTS", False] == 1
    assert drawn["TREATS", False] == min(many, most["to"] - 1)
    assert apart(place(picture).boxes)
    parsed(svg.draw(picture))
