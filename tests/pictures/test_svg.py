"""Pictures: sound XML whatever the names, no two names on top of each other, the same picture every time."""

import hashlib
import itertools
import math
import re
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.errors import InputError
from medgraph.graph import catalogue
from medgraph.pictures import captions, evidence, metagraph, neighbourhood, palette, png, save, svg
from medgraph.pictures.graph import MORE, Edge, Node, Part, Picture
from medgraph.pictures.layout import place
from medgraph.pictures.placed import CAPTION_SIZE, MOST_NOTE, caption_width
from medgraph.queries.lookup import entity_card
from medgraph.schema.vocabulary import ENTITY_LABELS, METAGRAPH, NODE_LABELS, RELATION_TYPES
from tests.support.graphs import run
from tests.support.paths import ROOT

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</svg><script>alert(1)</script>",
    "]]>&amp;<!-- --><![CDATA[",
    '" onload="alert(1)',
    "a\x00b\x07c\x1b[31m\ud800\ufffe",
    "x" * 10_000,
    "long words " * 900,
    "\u202eevil\u202c \u200f\u05e9\u05dc\u05d5\u05dd\u200e \u0627\u0644",
    "👩‍👩‍👧‍👦 family 🧬🏴‍☠️",
    "喘息" * 40,
    "e\u0301" * 200,
    "\n\t  \r",
    "",
]
STAR = Picture(
    "Star",
    (Node("c", "Disease", "Centre"), *(Node(f"n{i}", "Document", f"Page {i}", before=i % 3 == 0) for i in range(20))),
    tuple(Edge(f"n{i}", "c", "ABOUT") for i in range(20)),
    "c",
)


def parsed(text):
    """Parse a drawing, and make sure that it may stand in a page with a strict policy."""
    root = fromstring(text.encode())
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {"svg", "title", "desc", "g", "a", "rect", "path", "text"}, element.tag
        assert not {name for name in element.attrib if name == "style" or name.lower().startswith("on")}
    return root


def captioned(text):
    return Picture(
        text,
        (Node("1", "Disease", text, text, text, text), Node("2", text, "b", parts=(Part(text, text, text),))),
        (Edge("1", "2", text, text), Edge("1", "1", text)),
        told=(text,),
    )


@st.composite
def graphs(draw, most=60):
    """Make graphs of all sorts: several edges between two nodes, self-loops, parts that nothing joins."""
    size = draw(st.integers(1, most))
    words = st.text(st.sampled_from("abcdefghij WMil"), min_size=1, max_size=60)
    label = st.sampled_from([*palette.PALETTE, "Unknown"])
    nodes = tuple(Node(str(i), draw(label), draw(words), before=draw(st.booleans())) for i in range(size))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1), st.sampled_from(["IS_A", "HAS_SECTION", ""]))
    edges = tuple(Edge(str(a), str(b), c) for a, b, c in draw(st.lists(ends, max_size=size + 10)))
    star = draw(st.booleans())
    if star:
        edges += tuple(Edge("0", str(i), "ABOUT") for i in range(1, size))
    return Picture("t", nodes, edges, "0" if star else "")


def apart(boxes, margin=0):
    return all(
        a.right + margin <= b.left or b.right + margin <= a.left or a.bottom + margin <= b.top or b.bottom <= a.top
        for a, b in itertools.combinations(boxes, 2)
    )


# Any text.


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=80), st.booleans(), st.booleans())
def test_any_text_gives_sound_xml(text, standalone, centred):
    picture = captioned(text)
    if centred:
        picture = Picture(picture.title, picture.nodes, picture.edges, "1", picture.told)
    root = parsed(svg.draw(picture, standalone=standalone))
    assert root[0].tag == f"{SVG}title"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:8]))
def test_hostile_names_are_drawn_shortened_and_whole_when_pointed_at(text):
    drawing = svg.draw(captioned(text))
    root = parsed(drawing)
    for element in root.iter(f"{SVG}text"):
        most = float(root.get("width")) if element.get("class") in {"heading", "told"} else MOST_NOTE
        assert captions.width(element.text or "", float(element.get("font-size"))) <= most
    assert float(root.get("width")) < 1500
    titles = {element.text for element in root.iter(f"{SVG}title")}
    assert (captions.clean(text) or "(no name)") in titles
    assert len(root.find(f"{SVG}desc").text) < 3000
    assert png.rasterise(drawing, scale=1).startswith(b"\x89PNG")


def test_cleaning_keeps_what_can_be_read():
    assert captions.clean(" a\x00\u202e b\n\nβ é 👩‍👧 ש ") == "a b β é 👩‍👧 ש"


@settings(deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=300), st.floats(20, 400))
def test_shortened_text_fits(text, most):
    short = captions.shorten(text, most, 13)
    assert captions.width(short, 13) <= max(most, captions.width("…", 13))
    assert captions.clean(text).startswith(short.removesuffix("…"))
    lines = captions.wrap(text, most, 13)
    assert 1 <= len(lines) <= 2
    assert all(captions.width(line, 13) <= max(most, captions.width("…", 13)) for line in lines)


@pytest.mark.parametrize("most", range(30, 130, 7))
@pytest.mark.parametrize(("text", "size"), [("👩‍👩‍👧‍👦", 7), ("e\u0301", 2)])
def test_a_character_is_not_cut_in_two(text, size, most):
    assert len(captions.shorten(text * 40, most, 13).removesuffix("…")) % size == 0


def test_text_is_broken_between_words():
    assert captions.wrap("one two three four", 60, 13) == ("one two", "three f…")


# Where things go.


@settings(max_examples=120, deadline=None)
@given(graphs())
def test_no_two_nodes_overlap(picture):
    layout = place(picture)
    assert len(layout.boxes) == len(picture.nodes)
    assert len(layout.routes) == len(picture.edges)
    assert apart(layout.boxes)
    parsed(svg.draw(picture))


def test_everything_is_inside_the_picture():
    for picture in (STAR, metagraph.design(), captioned("x y z " * 50)):
        layout = place(picture)
        (x, y), (wide, high) = layout.corner, layout.size
        for box in layout.boxes:
            assert x <= box.left < box.right <= x + wide
            assert y <= box.top < box.bottom <= y + high
        for route in layout.routes:
            assert all(x <= px <= x + wide and y <= py <= y + high for px, py in [*route.points, route.anchor])


def test_a_star_has_its_centre_in_the_middle_and_its_captions_apart():
    layout = place(STAR)
    boxes = {box.node.id: box for box in layout.boxes}
    for name, box in boxes.items():
        assert name == "c" or (box.x < 0) == box.node.before
    assert apart(layout.boxes, margin=8)
    anchors = [route.anchor for route in layout.routes]
    assert len(set(anchors)) == 20
    assert all(abs(a[1] - b[1]) > CAPTION_SIZE for a, b in itertools.combinations(anchors, 2) if a[0] == b[0])


@pytest.mark.parametrize("centre", ["", "a"])
def test_edges_between_the_same_nodes_and_loops_are_told_apart(centre):
    nodes = (Node("a", "Entity", "A"), Node("b", "Entity", "B"))
    edges = (Edge("a", "b", "IS_A"), Edge("a", "b", "LIKE"), Edge("b", "a", "NEXT"), Edge("a", "a", "SELF"))
    layout = place(Picture("t", nodes, edges, centre))
    assert len({route.points for route in layout.routes}) == 4
    spots = [(route.anchor, caption_width(route.lines)) for route in layout.routes]
    for ((ax, ay), aw), ((bx, by), bw) in itertools.combinations(spots, 2):
        assert abs(ax - bx) >= (aw + bw) / 2 or abs(ay - by) >= CAPTION_SIZE
    boxes = {box.node.id: box for box in layout.boxes}
    for route in layout.routes:
        for name, (x, y) in ((route.edge.source, route.points[0]), (route.edge.target, route.points[-1])):
            box = boxes[name]
            assert box.left - 6 <= x <= box.right + 6
            assert box.top - 6 <= y <= box.bottom + 6


def test_captions_of_the_design_cover_neither_nodes_nor_each_other():
    layout = place(metagraph.design())
    areas = [(b.left, b.top, b.right, b.bottom) for b in layout.boxes]
    for route in layout.routes:
        (x, y), half = route.anchor, caption_width(route.lines) / 2
        areas.append((x - half, y - CAPTION_SIZE / 2, x + half, y + CAPTION_SIZE / 2))
    for a, b in itertools.combinations(areas, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_the_same_picture_every_time():
    code = (
        "import hashlib; from medgraph.pictures import metagraph, svg; from tests.pictures.test_svg import STAR;"
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


def test_pictures_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="share an id"):
        Picture("t", (Node("a", "x", "x"), Node("a", "x", "y")))
    with pytest.raises(ValueError, match="no node 'b'"):
        Picture("t", (Node("a", "x", "x"),), (Edge("a", "b", "c"),))
    with pytest.raises(ValueError, match="no node 'c'"):
        Picture("t", (), centre="c")


# In a page.


def test_inside_a_page_colours_come_from_its_style_sheet():
    picture = Picture(STAR.title, (*STAR.nodes, Node("more", MORE, "and 2 more")), STAR.edges, "c", ("told",))
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


# Colours.


def seen_by(colour, kind):
    """Give a colour as someone sees it who lacks a sort of cones (Machado, Oliveira and Fernandes 2009), in Lab."""
    matrix = {
        "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
        "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    }[kind]
    plain = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in plain]
    r, g, b = (min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0), 1) for row in matrix)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_every_label_has_a_colour_on_which_text_can_be_read():
    assert palette.PALETTE.keys() == {*NODE_LABELS, *ENTITY_LABELS}
    for colour in (*palette.PALETTE.values(), palette.FALLBACK):
        assert palette.contrast(colour, palette.text_on(colour)) >= 4.5
    assert palette.contrast(palette.QUIET, palette.PAGE) >= 4.5
    assert palette.contrast(palette.LINE, palette.PAGE) >= 3
    assert palette.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    dark = dict(re.findall(r"--picture-(\w+): (#\w+)", palette.stylesheet().partition("dark")[2]))
    assert palette.contrast(dark["quiet"], dark["page"]) >= 4.5
    assert palette.contrast(dark["line"], dark["page"]) >= 3
    assert palette.colour("Nope") == palette.FALLBACK


@pytest.mark.parametrize("kind", ["all", "protan", "deutan", "tritan"])
def test_the_colour_blind_tell_labels_apart(kind):
    for a, b in itertools.combinations(palette.PALETTE, 2):
        first, second = (seen_by(palette.PALETTE[label], kind) for label in (a, b))
        assert sum((x - y) ** 2 for x, y in zip(first, second, strict=True)) ** 0.5 > 10, (a, b)


def test_labels_of_a_family_are_shades_of_one_colour_and_look_like_no_other():
    groups = re.split(
        r"[;.]", (ROOT / "schema" / "README.md").read_text(encoding="utf-8").partition("A category is ")[2]
    )
    families = [names for part in groups[:7] if len(names := re.findall(r"`:(\w+)`", part)) > 1]
    assert len(families) == 5
    turn = {label: hue(palette.PALETTE[label]) for label in ENTITY_LABELS}
    for family in families:
        apart = [abs((turn[a] - turn[b] + 180) % 360 - 180) for a, b in itertools.combinations(family, 2)]
        assert max(apart) <= 60, family
        for label in ENTITY_LABELS.keys() - set(family):
            for member in family:
                first, second = (seen_by(palette.PALETTE[name], "all") for name in (member, label))
                assert math.dist(first, second) > 18, (member, label)


def hue(colour):
    _, a, b = seen_by(colour, "all")
    return math.degrees(math.atan2(b, a))


# Pixels.


def pixels(text, **options):
    return png.rasterise(svg.draw(Picture("t", (Node("1", "Drug", text),))), **options)


def test_a_png_has_the_drawings_size_times_the_scale():
    drawing = svg.draw(metagraph.design())
    wide, high = (float(fromstring(drawing.encode()).get(name)) for name in ("width", "height"))
    got = struct.unpack(">II", png.rasterise(drawing)[16:24])
    assert got == (pytest.approx(2 * wide, abs=1), pytest.approx(2 * high, abs=1))
    huge = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>'
    wide, high = struct.unpack(">II", png.rasterise(huge)[16:24])
    assert wide * high <= png.MAX_PIXELS * 1.01


@pytest.mark.parametrize("text", ["Gout", "β\u03b1", "Ménière", "Größe", "İő", "жш", "\u05e9\u05dc"])
def test_text_is_drawn_on_a_machine_without_fonts(text):
    unknown = "\ue000" * len(text)
    assert pixels(text, system_fonts=False) != pixels(unknown, system_fonts=False)
    marks = {pixels(character * 9, system_fonts=False) for character in set(text) - {" "}}
    assert len(marks) == len(set(text) - {" "})


# Into files.


def test_pictures_are_written_whole(tmp_path, monkeypatch):
    paths = [tmp_path / "a.svg", tmp_path / "b.PNG"]
    save.save(STAR, paths)
    assert paths[0].read_text(encoding="utf-8") == svg.draw(STAR)
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    before = paths[0].read_bytes()

    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        save.save(metagraph.design(), paths[:1])
    assert paths[0].read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"a.svg", "b.PNG"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.jpg", "ends in neither .svg nor .png"),
        ("a", "ends in neither .svg nor .png"),
        ("no/a.svg", "there is no folder"),
        ("folder.svg", "it is there and no file"),
        ("x" * 251 + ".svg", "File name too long"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path, name, message):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(InputError, match=message):
        save.save(STAR, [tmp_path / "ok.svg", tmp_path / name] if "long" not in message else [tmp_path / name])
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]


# The metagraph.


def test_the_picture_of_the_design_is_the_one_in_the_schemas_readme():
    committed = (ROOT / "schema" / "metagraph.svg").read_text(encoding="utf-8")
    assert committed == svg.draw(metagraph.design()), "run: medgraph schema picture --design schema/metagraph.svg"
    assert "](metagraph.svg)" in (ROOT / "schema" / "README.md").read_text(encoding="utf-8")


def test_the_schemas_readme_and_the_vocabulary_say_the_same():
    text = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) → (\w+) \|", text, re.MULTILINE)
    told = {(source, name, target) for name, sources, target in rows for source in sources.split(", ")}
    assert told == set(METAGRAPH)
    assert {relation for a, relation, b in METAGRAPH if a == b == "Entity"} == RELATION_TYPES.keys()
    assert {end for a, _, b in METAGRAPH for end in (a, b)} <= set(NODE_LABELS)


def test_what_the_sample_holds_is_in_the_design(sample_graph):
    rows = metagraph.counts(sample_graph)
    relations = {
        (r["source_label"], r["relation"], r["target_label"]): r["count"] for r in rows if r["kind"] == "relation"
    }
    assert relations.keys() <= set(METAGRAPH)
    assert relations.keys() >= {("Entity", "IS_A", "Entity"), ("Section", "HAS_CHUNK", "Chunk")}
    nodes = {row["source_label"]: row["count"] for row in rows if row["kind"] == "node"}
    assert nodes.keys() <= set(NODE_LABELS)
    counted = {row["name"]: row["count"] for row in sample_graph.read(catalogue.get("counts")) if row["kind"] == "node"}
    assert nodes == {label: counted[label] for label in nodes}
    (disease,) = [row for row in rows if row["kind"] == "category"]
    assert (disease["target_label"], disease["count"]) == ("Disease", counted["Disease"])
    assert relations["Document", "HAS_SECTION", "Section"] == 480
    description = parsed(svg.draw(metagraph.picture_of(rows))).find(f"{SVG}desc").text
    assert "Section (480)" in description
    assert "Document HAS_SECTION Section 480" in description
    assert f"Entity ({counted['Entity']}, Disease {counted['Disease']})" in description


def many_relations(count):
    rows = [("node", "Entity", None, None, 7), ("category", "Entity", None, "Gene", 7)]
    rows += [("relation", "Entity", name, "Entity", 1000 + n) for n, name in enumerate(list(RELATION_TYPES)[:count])]
    keys = ("kind", "source_label", "relation", "target_label", "count")
    return metagraph.picture_of([dict(zip(keys, row, strict=True)) for row in rows])


def test_many_relations_between_two_labels_are_one_arrow_and_are_listed():
    one, two, many = (many_relations(count) for count in (1, 2, 33))
    assert (one.edges, one.told) == ((Edge("Entity", "Entity", "IS_A", "1,000"),), ())
    assert two.edges == (Edge("Entity", "Entity", "2 relations, see below", "2,001"),)
    assert many.edges == (Edge("Entity", "Entity", "33 relations, see below", f"{sum(range(1000, 1033)):,}"),)
    told = " ".join(many.told).replace("\u00a0", " ")
    listed = [f"{name} {1000 + n:,}" for n, name in enumerate(RELATION_TYPES)]
    assert told == f"Entity to Entity: {' · '.join(reversed(listed))}"
    root = parsed(svg.draw(many))
    drawn = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "told"]
    assert " ".join(drawn) == told
    assert len(drawn) > 3
    assert not any(line[0].isdigit() for line in drawn)
    assert all(captions.width(line, 11) <= float(root.get("width")) - 48 for line in drawn)


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


def test_an_empty_graph_and_labels_of_others_are_drawn(database):
    rows = [row for row in metagraph.counts(database) if row["source_label"] not in {"Migration", "Encoder"}]
    assert rows == []
    empty = svg.draw(metagraph.picture_of(rows))
    assert "There is nothing to show yet." in parsed(empty).find(f"{SVG}desc").text
    assert png.rasterise(empty).startswith(b"\x89PNG")
    run(database, "CREATE (:`My <own> label` {id: 1})-[:`KNOWS \"it\"`]->(:Entity:Odd:Disease {id: 'x'}), ()")
    try:
        rows = metagraph.counts(database)
        parsed(svg.draw(metagraph.picture_of(rows)))
    finally:
        run(database, "MATCH (n) WHERE n:`My <own> label` OR n:Odd OR size(labels(n)) = 0 DETACH DELETE n")
    assert ("My <own> label", 'KNOWS "it"', "Entity", 1) in [
        (row["source_label"], row["relation"], row["target_label"], row["count"]) for row in rows
    ]
    assert {row["target_label"] for row in rows if row["kind"] == "category"} == {"Odd", "Disease"}


# Neighbourhoods.


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
    assert len(picture.nodes) <= neighbourhood.MOST_NODES
    left_out = {node.note: node.caption for node in picture.nodes if node.label == MORE}
    most = neighbourhood.MOST
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
    told = entity_card(sample_graph, "sample:gout")
    picture = neighbourhood.picture_of(
        told, lambda label, name: f"/{label.lower()}/{name}" if label != "Concept" else ""
    )
    root = parsed(svg.draw(picture, standalone=False))
    links = {link.get("href"): link.get("aria-label") for link in root.iter(f"{SVG}a")}
    assert links["/disease/sample:arthritis"] == "arthritis"
    assert "/section/sample:gout#6" in links
    assert not any(href.startswith("/concept") for href in links)


def test_what_an_answer_rests_on(sample_graph):
    wanted = ["sample:gout#6", "sample:gout#2", "sample:asthma#2"]
    rows = sample_graph.read(catalogue.get("answer_graph"), sections=[*wanted, "no"])
    assert [row["section"] for row in rows] == wanted
    numbered = dict(enumerate(rows, 1))
    picture = evidence.picture_of(numbered, lambda label, name: f"/{label}/{name}" if label == "Section" else "")
    captions = {node.id: node.caption for node in picture.nodes}
    assert captions["Section sample:gout#2"] == "[2] symptoms"
    assert captions["Disease sample:asthma"] == "Asthma"
    edges = {(edge.source, edge.caption, edge.target) for edge in picture.edges}
    assert edges == {
        ("Document sample:gout", "HAS_SECTION", "Section sample:gout#6"),
        ("Document sample:gout", "HAS_SECTION", "Section sample:gout#2"),
        ("Document sample:gout", "ABOUT", "Disease sample:gout"),
        ("Document sample:asthma", "HAS_SECTION", "Section sample:asthma#2"),
        ("Document sample:asthma", "ABOUT", "Disease sample:asthma"),
    }
    assert {node.href for node in picture.nodes} == {"", *(f"/Section/{row['section']}" for row in rows)}
    fromstring(svg.draw(picture, standalone=False))


def test_texts_inside_a_page_fit_whatever_its_font():
    picture = Picture("x", (Node("a", "Disease", "A name that is wide", "and a note"),))
    inline = fromstring(svg.draw(picture, standalone=False))
    texts = [element for element in inline.iter() if element.tag.endswith("text")]
    assert texts
    assert all(element.get("lengthAdjust") and float(element.get("textLength")) > 0 for element in texts)
    assert "textLength" not in svg.draw(picture)
