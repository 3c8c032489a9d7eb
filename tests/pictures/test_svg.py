"""Drawings: sound XML whatever the names, readable for all, the same every time."""

import hashlib
import itertools
import re
import subprocess
import sys

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.pictures import captions, metagraph, palette, png, svg
from medgraph.pictures.graph import MORE, Edge, Node, Part, Picture
from medgraph.pictures.placed import MOST_NOTE
from medgraph.schema.vocabulary import ENTITY_LABELS, NODE_LABELS, RELATION_TYPES
from tests.support.paths import ROOT
from tests.support.pictures import HOSTILE, STAR, SVG, captioned, parsed


@settings(max_examples=150, deadline=None)
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
    assert png.rasterise(drawing, scale=1).startswith(b"\x89PNG")


def test_the_same_picture_every_time():
    code = (
        "import hashlib; from medgraph.pictures import metagraph, svg; from tests.support.pictures import STAR;"
        "print(hashlib.sha256((svg.draw(metagraph.design()) + svg.draw(STAR)).encode()).hexdigest())"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    here = svg.draw(metagraph.design()) + svg.draw(STAR)
    assert drawn == {hashlib.sha256(here.encode()).hexdigest()}


def test_inside_a_page_colours_come_from_its_style_sheet():
    picture = Picture(STAR.title, (*STAR.nodes, Node("more", MORE, "and 2 more")), STAR.edges, "c", ("a remark",))
    root = parsed(svg.draw(picture, standalone=False))
    style = palette.stylesheet()
    for element in root.iter():
        assert element.get("fill") in {None, "none"}
        assert element.get("stroke") is None
        for name in (element.get("class") or "").split():
            assert name in {"name", "note"} or re.search(rf"\.{name}\b", style), name
    assert not svg.draw(picture, standalone=False).startswith("<?xml")
    assert "prefers-color-scheme: dark" in style
    assert {f".picture .{label.lower()} > rect" for label in palette.PALETTE} <= {
        rule.split(" {")[0] for rule in style.splitlines()
    }


def test_screen_readers_get_a_text():
    root = parsed(svg.draw(metagraph.design(), standalone=False))
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


@pytest.mark.parametrize("count", [1, 10, 11, 20, 21, 45])
def test_kinds_of_a_node_stand_in_columns_inside_it_and_apart(count):
    parts = tuple(Part("Gene", f"Kind {i}", "1,234,567") for i in range(count))
    (group,) = parsed(svg.draw(Picture("t", (Node("1", "Entity", "Entity", "9", parts=parts),)))).iterfind(
        f"{SVG}g/{SVG}g"
    )
    outer, *bars = [
        tuple(float(rect.get(name)) for name in ("x", "y", "width", "height")) for rect in group.iter(f"{SVG}rect")
    ]
    assert len(bars) == count
    assert len({y for _, y, _, _ in bars}) <= 10
    for x, y, wide, high in bars:
        assert outer[0] < x < x + wide < outer[0] + outer[2]
        assert outer[1] + 30 < y < y + high < outer[1] + outer[3]
    for (ax, ay, wide, high), (bx, by, _, _) in itertools.combinations(bars, 2):
        assert abs(ax - bx) >= wide or abs(ay - by) >= high
    for element in group.iter(f"{SVG}text"):
        if element.get("text-anchor") == "end":
            assert captions.width("Kind 44   1,234,567", 11) < bars[0][2]


def test_texts_inside_a_page_fit_whatever_its_font():
    picture = Picture("x", (Node("a", "Disease", "A name that is wide", "and a note"),))
    inline = fromstring(svg.draw(picture, standalone=False))
    texts = [element for element in inline.iter() if element.tag.endswith("text")]
    assert texts
    assert all(element.get("lengthAdjust") and float(element.get("textLength")) > 0 for element in texts)
    assert "textLength" not in svg.draw(picture)


def test_a_legend_explains_how_lines_are_drawn():
    legend = (("dashed", "texts tell it"), ("bold", "<both>"))
    nodes = (Node("a", "Disease", "A"), Node("b", "Drug", "B"))
    picture = Picture("t", nodes, (Edge("a", "b", "TREATED_BY", line="dashed"),), legend=legend)
    root = parsed(svg.draw(picture))
    dashes = [path.get("stroke-dasharray") for path in root.iter(f"{SVG}path") if path.get("class") != "head"]
    assert dashes == ["7 4", "7 4", None]
    texts = {text.text: float(text.get("y")) for text in root.iter(f"{SVG}text") if text.get("class") == "remark"}
    assert list(texts) == ["texts tell it", "<both>"]
    assert max(texts.values()) < float(root.get("height"))
    assert "dashed: texts tell it. bold: <both>." in root.find(f"{SVG}desc").text


def test_kinds_inside_a_node_may_be_links_unless_it_is_one():
    parts = (Part("Disease", "<Gout>", "", "/e/gout"), Part("Disease", "evil", "", "javascript:x"))
    inside = parsed(svg.draw(Picture("t", (Node("s", "Source", "S", parts=parts),))))
    assert inside.get("role") == "group"
    assert [(link.get("href"), link.get("aria-label")) for link in inside.iter(f"{SVG}a")] == [("/e/gout", "<Gout>")]
    whole = parsed(svg.draw(Picture("t", (Node("s", "Source", "S", href="/s", parts=parts),))))
    assert [link.get("href") for link in whole.iter(f"{SVG}a")] == ["/s"]
