"""What stands around an entity: bounded, and what is left out is counted."""

from collections import Counter
from dataclasses import fields, replace

import pytest

from medgraph.pictures import neighbourhood, png, svg
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
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.pictures import SVG, apart, parsed


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


def test_an_entity_with_nothing_around_it_is_drawn(database):
    run(database, "CREATE (:Entity {id: 'x', name: $name})", name="<b>" + "x" * 10_000)
    picture = neighbourhood.picture_of(entity_card(database, "x"))
    assert (len(picture.nodes), len(picture.edges)) == (1, 0)
    assert png.rasterise(svg.draw(picture)).startswith(b"\x89PNG")


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


def test_where_nodes_lead_is_for_the_page_to_say(gout):
    picture = neighbourhood.picture_of(
        gout, lambda label, name: f"/{label.lower()}/{name}" if label != "Concept" else ""
    )
    root = parsed(svg.draw(picture, standalone=False))
    links = {link.get("href"): link.get("aria-label") for link in root.iter(f"{SVG}a")}
    assert links["/disease/sample:arthritis"] == "arthritis"
    assert "/section/sample:gout#6" in links
    assert not any(href.startswith("/concept") for href in links)


def test_an_entity_that_means_the_same_as_others_is_drawn_as_their_concept(graph, settings, tmp_path):
    found = entity_card(joined(graph, settings, tmp_path), "pages:gout")
    picture = neighbourhood.picture_of(found, lambda label, name: f"/{label}/{name}")
    assert (picture.centre, picture.title) == ("Concept C0018099", "Gout: what sources say, and who says so")
    captions = {(edge.caption, edge.target): (edge.note, edge.line) for edge in picture.edges}
    assert captions["TREATED_BY", "Concept MESH:3"] == ("mesh; pages in 1 section", "bold")
    assert captions["HAS_SYMPTOM", "Concept C0010200"] == ("pages in 1 section", "dashed")
    assert "HAS_CUI" not in {edge.caption for edge in picture.edges}
    parts = {part.href: part.note for node in picture.nodes for part in node.parts}
    assert parts.keys() == {"/Disease/DOID:1", "/Disease/MESH:1", "/Disease/pages:gout"}
    assert "itself" in parts.values()
