"""Drawings: sound XML whatever the names, readable for all, the same every time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.pictures import captions, relations, svg
from medgraph.pictures.graph import MOST_NOTE, Node, Picture
from medgraph.schema.vocabulary import ENTITY_LABELS, NODE_LABELS, RELATION_TYPES
from tests.support.pictures import HOSTILE, SVG, captioned, parsed


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=80), st.booleans(), st.booleans())
def test_any_text_gives_sound_xml(text, standalone, centred):
    picture = captioned(text)
    if centred:
        picture = Picture(picture.title, picture.nodes, picture.edges, "1", picture.remarks)
    root = parsed(svg.draw(picture, standalone=standalone))
    assert root[0].tag == f"{SVG}title"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:8]))
def test_hostile_names_are_drawn_shortened_and_whole_when_pointed_at(text):
    drawing = svg.draw(captioned(text))
    root = parsed(drawing)
    for element in root.iter(f"{SVG}text"):
        most = float(root.get("width")) if element.get("class") in {"heading", "remark"} else MOST_NOTE
        assert captions.width(element.text or "", float(element.get("font-size"))) <= most
    assert float(root.get("width")) < 1500
    titles = {element.text for element in root.iter(f"{SVG}title")}
    assert (captions.clean(text) or "(no name)") in titles
    assert len(root.find(f"{SVG}desc").text) < 3000
    assert svg.rasterise(drawing, scale=1).startswith(b"\x89PNG")


def test_screen_readers_get_a_text():
    root = parsed(svg.draw(relations.picture_of_schema(), standalone=False))
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby") == title.get("id")
    assert root.get("aria-describedby") == description.get("id")
    assert description.text.startswith(f"{len(NODE_LABELS)} nodes: {'; '.join(NODE_LABELS[:4])};")
    assert "Document HAS_SECTION Section" in description.text
    assert f"Entity ({', '.join(ENTITY_LABELS)})" in description.text
    assert [name for name in RELATION_TYPES if name not in description.text] == []


@pytest.mark.parametrize(
    ("href", "leads"),
    [("https://example.org/a?b=1&c=2", True), ("HTTP://x", True), ("/entities/sample%3Agout", True)]
    + [
        (bad, False)
        for bad in ("", "javascript:alert(1)", "data:text/html,x", "//evil.example", "/\\evil", "x", "java\nscript:1")
    ],
)
def test_only_addresses_of_the_web_and_paths_are_links(href, leads):
    root = parsed(svg.draw(Picture("t", (Node("1", "Drug", "Short", title="Long name", href=href),)), standalone=False))
    links = list(root.iter(f"{SVG}a"))
    assert bool(links) is leads
    assert root.get("role") == ("group" if leads else "img")
    for link in links:
        assert (link.get("href"), link.get("aria-label")) == (href, "Long name")
