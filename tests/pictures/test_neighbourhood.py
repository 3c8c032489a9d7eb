"""What stands around an entity: bounded, and what is left out is counted."""

from collections import Counter

import pytest

from medgraph.pictures import neighbourhood, png, svg
from medgraph.pictures.graph import MORE, Edge
from medgraph.pictures.layout import place
from medgraph.queries.lookup import entity_card
from tests.support.graphs import run
from tests.support.pictures import SVG, apart, parsed


def test_a_neighbourhood_of_the_sample(sample_graph):
    picture = neighbourhood.picture_of(entity_card(sample_graph, "sample:gout"))
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
    relations = [
        {"relation": kind, "direction": way, "id": f"{kind}{way}{i}", "label": "Disease", "name": "R", "source": source}
        for way in ("out", "in") for kind, some in (("IS_A", many), ("TREATS", many), ("AFFECTS", 1))
        for i in range(some) for source in ("s", "t")
    ]  # fmt: skip
    kinds = [
        {"relation": kind, "direction": way, "count": 2 * some + 5 * (way == "out")}
        for way in ("out", "in") for kind, some in (("IS_A", many), ("TREATS", many), ("AFFECTS", 1))
    ]  # fmt: skip
    return {
        "id": "x", "label": "Disease", "name": "X", "sources": [], "relations": relations, "kinds": kinds,
        "concepts": [{"cui": f"C{i}", "name": "", "semantic_types": []} for i in range(many)],
        "documents": [
            {"id": f"d{i}", "title": "D", "url": "javascript:x", "source": "s", "collection": "",
             "sections": [{"id": f"d{i}#{j}", "type": "", "heading": "", "question": ""} for j in range(sections)]}
            for i in range(many)
        ],
        "same_concept": [
            {"id": f"o{i}", "label": "Drug", "name": "O", "concepts": ["C0", "C1"], "sources": []} for i in range(many)
        ],
        "counts": {
            "concepts": many + 7, "documents": many + 9, "sections": many * sections, "same_concept": many + 11,
        },
    }  # fmt: skip


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


def test_where_nodes_lead_is_for_the_page_to_say(sample_graph):
    card = entity_card(sample_graph, "sample:gout")
    picture = neighbourhood.picture_of(
        card, lambda label, name: f"/{label.lower()}/{name}" if label != "Concept" else ""
    )
    root = parsed(svg.draw(picture, standalone=False))
    links = {link.get("href"): link.get("aria-label") for link in root.iter(f"{SVG}a")}
    assert links["/disease/sample:arthritis"] == "arthritis"
    assert "/section/sample:gout#6" in links
    assert not any(href.startswith("/concept") for href in links)
