"""The picture of what an answer names."""

from defusedxml.ElementTree import fromstring

from medgraph.graph import catalogue
from medgraph.pictures import svg
from medgraph.pictures.relations import picture_of_answer
from medgraph.queries.voices import Voices, backed, plain

PASSAGE = {"number": 1, "section": "sample:gout#4", "start": 0, "end": 2000}


KNOWN = Voices([{"id": "list", "title": "List", "voice": "list", "uncurated": True}])


def concept(name, *said, asked=False, label="Disease", numbers=(1,)):
    row = {
        "concept": name,
        "name": name.upper(),
        "label": label,
        "entity": f"e:{name}",
        "asked": asked,
        "numbers": list(numbers),
        "said": [
            {"about": about, "relation": relation, "forward": forward, "method": method, "sources": [source]}
            for about, relation, forward, method, source in said
        ],
    }
    return row | {"said": plain(row["said"], KNOWN)}


def drawn(rows):
    picture = picture_of_answer(rows, lambda label, name: f"/{name}")
    fromstring(svg.draw(picture, standalone=False))
    return picture, {(e.source, e.caption, e.note, e.target, e.line) for e in picture.edges}


def test_passages_name_what_is_related_to_what_is_asked_about(sample_graph):
    query = catalogue.get("answer_facts")
    rows = sample_graph.read(query, asked=["sample:gout", "no"], things=[], passages=[PASSAGE])
    assert (rows[0]["name"], rows[0]["asked"]) == ("Gout", True)
    assert [row["asked"] for row in rows[1:]] == [False] * (len(rows) - 1)
    kidneys = {row["name"] for row in rows if "HAS_RISK_FACTOR" in {voice["relation"] for voice in row["said"]}}
    assert kidneys == {"Chronic kidney disease"}
    assert {tuple(row["numbers"]) for row in rows if row["name"] in kidneys} == {(1,)}
    assert [row["said"] == [] for row in rows[1:]] == sorted(row["said"] == [] for row in rows[1:])
    (one,) = sample_graph.read(query, asked=["sample:gout"], things=[], passages=[PASSAGE | {"section": "no"}])
    assert picture_of_answer([one]) is None
    other = next(row["concept"] for row in rows if row["said"])
    told = backed(sample_graph, sample_graph.read(query, asked=["sample:gout"], things=[other], passages=[]))
    assert [(row["concept"], row["numbers"]) for row in told] == [(rows[0]["concept"], []), (other, [])]
    assert picture_of_answer(told) is not None


def test_relations_with_who_says_so_and_what_is_only_named():
    rows = [
        concept("gout", asked=True),
        concept("drug", ("gout", "TREATED_BY", True, "stated", "a"), ("gout", "TREATED_BY", True, "section", "b")),
        concept("stone", ("gout", "CAUSED_BY", False, "section", "b"), numbers=(1, 2)),
        concept("toe"),
        concept("zinc", ("gout", "TREATED_BY", True, "stated", "list")),
        concept("page", label="Topic"),
    ]
    picture, edges = drawn(rows)
    assert picture.centre == "gout"
    assert edges == {
        ("gout", "TREATED_BY", "a, b [1]", "drug", "bold"),
        ("stone", "CAUSED_BY", "b [1] [2]", "gout", "dashed"),
        ("gout", "named in", "[1]", "toe", "dotted"),
        ("gout", "named in", "[1]", "zinc", "dotted"),
    }
    assert {node.id: (node.before, node.href) for node in picture.nodes}["stone"] == (True, "/e:stone")
    assert [line for line, _ in picture.legend] == ["bold", "dashed", "dotted"]


def test_nothing_to_draw():
    assert picture_of_answer([]) is None
    assert picture_of_answer([concept("toe")]) is None
    assert picture_of_answer([concept("gout", asked=True), concept("x", label="Anatomy")]) is None
