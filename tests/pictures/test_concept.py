"""Pictures of a concept, a subgraph and paths: bounded, and what is left out is counted."""

from medgraph.pictures import svg
from medgraph.pictures.entity import picture_of_concept
from medgraph.pictures.graph import Edge, Part
from medgraph.pictures.layout import place
from medgraph.pictures.relations import LEGEND, picture_of_paths, picture_of_subgraph
from medgraph.queries.meanings import Meaning, Member, RelationKind, SourceStatement, Voice, VoicedRelation
from medgraph.queries.paths import Hop, PairPaths, Path, PathEnd, PathNode
from medgraph.queries.subgraphs import Subgraph, SubgraphRelation
from medgraph.queries.voices import PathVoice, Voices
from tests.support.pictures import SVG, parsed

KNOWN = Voices([{"id": "list", "title": "List", "voice": "list", "uncurated": True}])


def voice(*sources, sections=0):
    return Voice(sources, "section" if sections else "stated", "", None, (), sections)


def relation(kind, target, *voices, direction="out", label="Symptom"):
    backing = KNOWN.backing((one.method, one.sources, one.sections) for one in voices)
    return VoicedRelation(kind, direction, target, f"the {target}", label, f"entity of {target}", voices, backing)


def meaning(members=(), told=(), relations=(), kinds=None):
    counted = {}
    for row in relations:
        counted[row.relation, row.direction] = counted.get((row.relation, row.direction), 0) + 1
    kinds = kinds or [RelationKind(count, *kind) for kind, count in counted.items()]
    return Meaning("C0000001", "gout", "Disease", (), (), (), (), members, told, relations, kinds)


def member(name, method="name", score=0.98, documents=0):
    return Member(name, f"called {name}", "Disease", method, score, (), documents, obsolete=False)


def test_each_relation_says_who_says_so_and_how():
    drawn = picture_of_concept(
        meaning(
            relations=[
                relation("IS_A", "arthritis", voice("doid"), voice("mesh"), label="Disease"),
                relation("HAS_SYMPTOM", "pain", voice("doid"), voice("pages", "books", sections=12)),
                relation("HAS_SYMPTOM", "fever", voice("pages", sections=1)),
                relation("CAUSED_BY", "stones", voice("a"), voice("b"), voice("c"), voice("d"), direction="in"),
                relation("HAS_SYMPTOM", "chill", voice("list")),
                relation("TREATED_BY", "zinc", voice("list"), label="Drug"),
            ]
        )
    )
    centre = "Concept C0000001"
    assert drawn.edges == (
        Edge(centre, "Concept arthritis", "IS_A", "doid, mesh", "bold"),
        Edge(centre, "Concept pain", "HAS_SYMPTOM", "doid; pages, books in 12 sections", "bold"),
        Edge(centre, "Concept fever", "HAS_SYMPTOM", "pages in 1 section", "dashed"),
        Edge("Concept stones", centre, "CAUSED_BY", "a, b, c and 1 more", "bold"),
        Edge(centre, "Concept chill", "HAS_SYMPTOM", "list", "solid"),
        Edge(centre, "Concept zinc", "TREATED_BY", "listed by list", "dotted"),
    )
    assert drawn.legend == LEGEND
    assert (drawn.title, drawn.centre) == ("Gout: what sources say, and who says so", centre)
    assert not any(node.before for node in drawn.nodes)


def test_entities_stand_with_those_that_the_same_sources_name_and_say_how_they_were_joined():
    members = [member("b:1"), member("a:2", "xref", 0.997), member("a:1", "itself", 1.0), member("c:1", "cui", None)]
    told = [
        SourceStatement("s", "", "a:1", "A", (), ""),
        SourceStatement("s", "", "a:2", "A", (), ""),
        SourceStatement("adds", "", "a:2", "", ("x",), ""),
        SourceStatement("t", "", "b:1", "B", (), ""),
        SourceStatement("only", "", "c:1", "", (), ""),
    ]
    drawn = picture_of_concept(meaning(members, told), link=lambda label, name: f"/{label}/{name}")
    groups = {node.caption: node for node in drawn.nodes if node.label == "Source"}
    assert list(groups) == ["s", "only", "t"]
    assert groups["s"].parts == (
        Part("Disease", "called a:1", "itself", "/Disease/a:1"),
        Part("Disease", "called a:2", "by xref", "/Disease/a:2"),
    )
    assert [groups[name].parts[0].note for name in ("t", "only")] == ["by name 0.98", "by cui"]
    assert all(node.before for node in groups.values())
    assert {edge.caption for edge in drawn.edges} == {"MEANS"}
    links = {link.get("href"): link.get("aria-label") for link in parsed(svg.draw(drawn)).iter(f"{SVG}a")}
    assert links["/Disease/a:2"] == "called a:2"


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


CENTRE = PathNode("c", "gout", "Disease", "e:c")


def subgraph_node(name):
    return PathNode(name, name.upper(), "Symptom", f"e:{name}")


def subgraph_relation(head, kind, tail, *methods, hops=1):
    said = tuple(PathVoice(kind, method, (f"s-{method}",), (), 0.5, ()) for method in methods)
    backing = Voices().backing((voice.method, voice.sources, 1) for voice in said)
    return SubgraphRelation("symptoms", head, kind, tail, said, hops, backing)


def drawn(*relations, note=""):
    centre = PathEnd("c", "gout", "Disease", "e:c", 3, "", "", "")
    return picture_of_subgraph(Subgraph(centre, relations, (), "", note), lambda label, name: f"/{label}/{name}")


def test_relations_stand_on_the_side_to_which_they_lead():
    picture = drawn(
        subgraph_relation(CENTRE, "HAS_SYMPTOM", subgraph_node("a"), "stated", "section"),
        subgraph_relation(subgraph_node("a"), "IS_A", subgraph_node("b"), "stated", hops=2),
        subgraph_relation(subgraph_node("d"), "HAS_SYMPTOM", CENTRE, "term"),
        note="a part",
    )
    assert [(n.id, n.before, n.href) for n in picture.nodes] == [
        ("c", False, "/Disease/e:c"),
        ("a", False, "/Symptom/e:a"),
        ("b", False, "/Symptom/e:b"),
        ("d", True, "/Symptom/e:d"),
    ]
    assert [(e.source, e.target, e.caption, e.note, e.line) for e in picture.edges] == [
        ("c", "a", "HAS_SYMPTOM", "s-stated, s-section", "bold"),
        ("a", "b", "IS_A", "s-stated", "solid"),
        ("d", "c", "HAS_SYMPTOM", "s-term", "dashed"),
    ]
    assert (picture.centre, picture.title, picture.remarks) == ("c", "Gout and what goes with it", ("a part",))
    parsed(svg.draw(picture))
