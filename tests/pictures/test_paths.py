"""Paths as a picture: each thing once, from left to right, with who says what."""

from medgraph.pictures import svg
from medgraph.pictures.layout import place
from medgraph.pictures.relations import picture_of_paths
from medgraph.queries.paths import Hop, PairPaths, Path, PathEnd, PathNode
from medgraph.queries.voices import PathVoice, Voices
from tests.support.pictures import parsed


def node(name, label="Disease"):
    return PathNode(name, name.upper(), label, "" if label == "Term" else f"e:{name}")


def end(name):
    return PathEnd(name, name.upper(), "Disease", f"e:{name}", 3, "", "", "")


def hop(forward, *methods):
    said = tuple(PathVoice("HAS_SYMPTOM", method, (f"s-{method}",), (), 0.5, ()) for method in methods)
    return Hop(forward, said, Voices().backing((voice.method, voice.sources, 1) for voice in said))


def pair(*found, note=""):
    made = tuple(Path(nodes, hops, "directed", 0.5, "") for nodes, hops in found)
    return PairPaths(end("a"), end("b"), made, 3, True, note)


def test_paths_share_what_they_go_through_and_arrows_point_where_relations_lead():
    drawn = picture_of_paths(
        [
            pair(
                ((node("a"), node("x"), node("b")), (hop(True, "stated"), hop(False, "section"))),
                (
                    (node("a"), node("x"), node("t", "Term"), node("b")),
                    (hop(True, "stated"),) * 2 + (hop(False, "term"),),
                ),
                ((node("a"), node("b")), (hop(False, "stated", "section"),)),
            )
        ],
        lambda label, name: f"/{label}/{name}",
    )
    assert [n.id for n in drawn.nodes] == ["a", "b", "x", "t"]
    assert [n.href for n in drawn.nodes] == ["/Disease/e:a", "/Disease/e:b", "/Disease/e:x", ""]
    assert [(e.source, e.target, e.note, e.line) for e in drawn.edges] == [
        ("a", "x", "s-stated", "solid"),
        ("b", "x", "s-section", "dashed"),
        ("x", "t", "s-stated", "solid"),
        ("b", "t", "s-term", "dashed"),
        ("b", "a", "s-stated, s-section", "bold"),
    ]
    assert [line for line, _ in drawn.legend] == ["bold", "solid", "dashed"]
    layout = place(drawn)
    at = {box.node.id: box for box in layout.boxes}
    assert at["a"].right < at["x"].left < at["x"].right < at["t"].left < at["t"].right < at["b"].left
    for route in layout.routes:
        source, target = at[route.edge.source], at[route.edge.target]
        assert abs(route.points[0][0] - source.x) <= source.width / 2 + 1
        assert abs(route.points[-1][0] - target.x) <= target.width / 2 + 1
    parsed(svg.draw(drawn))
