"""A concept as a picture: who says what of it, bounded, and what is left out is counted."""

from itertools import pairwise

import pytest

from medgraph.pictures import concept, svg
from medgraph.pictures.graph import MORE, Edge, Part
from medgraph.pictures.layout import place
from medgraph.queries.cards import CardDocument, CardSection
from medgraph.queries.concepts import concept_card
from medgraph.queries.meanings import Meaning, Member, RelationKind, SourceStatement, Voice, VoicedRelation
from medgraph.queries.voices import Voices
from tests.support.entities import write_entities
from tests.support.pictures import SVG, apart, parsed

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
    drawn = concept.picture_of(
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
    assert drawn.legend == concept.LEGEND
    assert (drawn.title, drawn.centre) == ("Gout: what sources say, and who says so", centre)
    assert not any(node.before for node in drawn.nodes)


def test_the_legend_explains_only_lines_that_are_there():
    drawn = concept.picture_of(meaning(relations=[relation("HAS_SYMPTOM", "fever", voice("pages", sections=1))]))
    assert drawn.legend == (("dashed", "texts of one source alone tell it"),)
    assert concept.picture_of(meaning([member("a")])).legend == ()


def test_a_target_of_several_relations_is_one_node():
    rows = [relation(kind, "stones", voice("s")) for kind in ("CAUSED_BY", "HAS_COMPLICATION", "HAS_SYMPTOM")]
    drawn = concept.picture_of(meaning(relations=[*rows, relation("HAS_SYMPTOM", "pain", voice("s"))]))
    assert [node.id for node in drawn.nodes] == ["Concept C0000001", "Concept stones", "Concept pain"]
    assert [edge.caption for edge in drawn.edges] == ["CAUSED_BY", "HAS_COMPLICATION", "HAS_SYMPTOM", "HAS_SYMPTOM"]
    layout = place(drawn)
    levels = sorted(route.anchor[1] for route in layout.routes if "stones" in route.edge.target)
    assert min(after - before for before, after in pairwise(levels)) >= 32
    stones = next(box for box in layout.boxes if box.node.id == "Concept stones")
    assert stones.top < levels[0] < levels[-1] < stones.bottom


def test_entities_stand_with_those_that_the_same_sources_name_and_say_how_they_were_joined():
    members = [member("b:1"), member("a:2", "xref", 0.997), member("a:1", "itself", 1.0), member("c:1", "cui", None)]
    told = [
        SourceStatement("s", "", "a:1", "A", (), ""),
        SourceStatement("s", "", "a:2", "A", (), ""),
        SourceStatement("adds", "", "a:2", "", ("x",), ""),
        SourceStatement("t", "", "b:1", "B", (), ""),
        SourceStatement("only", "", "c:1", "", (), ""),
    ]
    drawn = concept.picture_of(meaning(members, told), link=lambda label, name: f"/{label}/{name}")
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


@pytest.mark.parametrize("many", [1, 6, 30])
def test_it_is_bounded_and_tells_what_is_left_out(many):
    kinds = [("HAS_SYMPTOM", "out"), ("TREATED_BY", "out"), ("HAS_SYMPTOM", "in")]
    rows = [relation(k, f"{k} {w} {i}", voice("s"), direction=w) for k, w in kinds for i in range(many)]
    members = [member(f"e{i:02}", documents=int(i == 0) * (many + 2)) for i in range(2 * many)]
    told = [SourceStatement(f"s{i % many:02}", "", f"e{i:02}", "E", (), "") for i in range(2 * many)]
    documents = [
        CardDocument("s", "", f"d{i}", "D", [CardSection("", "", "d#1", "")], "https://d.org") for i in range(many)
    ]
    more = [RelationKind(many + 100, *kind) for kind in kinds]
    drawn = concept.picture_of(meaning(members, told, rows, more), documents)
    most = concept.MOST
    assert len(drawn.nodes) <= 40
    left_out = {node.note: node for node in drawn.nodes if node.label == MORE}
    shown = sum(node.label == "Symptom" for node in drawn.nodes)
    assert shown == min(3 * many, most["targets"])
    assert left_out["relations"].caption == f"and {3 * (many + 100) - shown} more"
    counts = {part.caption: int(part.note) for part in left_out["relations"].parts}
    assert sum(counts.values()) == 3 * (many + 100) - shown
    assert max(counts.values()) - min(counts.values()) <= 1  # each kind has its turn
    assert left_out["documents"].caption == f"and {many + 2 - min(many, most['documents'])} more"
    assert ("entities of other sources" in left_out) is (many > most["groups"])
    assert apart(place(drawn).boxes)
    parsed(svg.draw(drawn))


def test_the_best_supported_of_each_kind_are_drawn_and_kinds_stay_together():
    rows = [relation("HAS_SYMPTOM", f"s{i}", voice("s")) for i in range(40)]
    rows += [relation("TREATED_BY", f"t{i}", voice("s")) for i in range(2)]
    drawn = concept.picture_of(meaning(relations=rows))
    names = [node.id.removeprefix("Concept ") for node in drawn.nodes if node.label == "Symptom"]
    assert names == [*(f"s{i}" for i in range(concept.MOST["targets"] - 2)), "t0", "t1"]


def test_documents_lead_to_their_pages_where_there_are_no_links():
    row = CardDocument("s", "part", "d", "On gout", [], "https://d.org/gout")
    (_, drawn) = concept.picture_of(meaning([]), [row], name="podagra").nodes
    assert (drawn.caption, drawn.note, drawn.href) == ("On gout", "Document · part", "https://d.org/gout")
    assert concept.picture_of(meaning([]), [row], link=lambda *_: "").nodes[1].href == ""


def test_a_concept_at_which_nothing_was_joined_is_drawn_with_what_sources_say_stands_for_it(database):
    rows = [{"id": f"a:{i}", "concepts": ["C0000001"]} for i in range(20)]
    picture = concept.picture_of_card(concept_card(write_entities(database, *rows), "C0000001"))
    assert (picture.centre, picture.nodes[0].label) == ("C0000001", "Concept")
    shown = concept.MOST["entities"]
    assert picture.edges[0] == Edge("Entity a:0", "C0000001", "HAS_CUI")
    assert len(picture.edges) == shown + 1
    assert picture.nodes[-1].caption == f"and {20 - shown} more"
    parsed(svg.draw(picture))
