"""A concept as a picture: who says what of it, bounded, and what is left out is counted."""

from medgraph.pictures import svg
from medgraph.pictures.entity import picture_of_concept
from medgraph.pictures.graph import Edge, Part
from medgraph.pictures.relations import LEGEND
from medgraph.queries.meanings import Meaning, Member, RelationKind, SourceStatement, Voice, VoicedRelation
from medgraph.queries.voices import Voices
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
