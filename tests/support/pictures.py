"""Pictures for tests, and what their drawings must keep to."""

import itertools

from defusedxml.ElementTree import fromstring
from hypothesis import strategies as st

from medgraph.pictures import palette
from medgraph.pictures.graph import Edge, Node, Part, Picture

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
        remarks=(text,),
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
