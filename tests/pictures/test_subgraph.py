"""A subgraph as a picture: the concept in the middle, with who says what."""

from medgraph.pictures import svg
from medgraph.pictures.relations import picture_of_subgraph
from medgraph.queries.paths import PathEnd, PathNode
from medgraph.queries.subgraphs import Subgraph, SubgraphRelation
from medgraph.queries.voices import PathVoice, Voices
from tests.support.pictures import parsed

CENTRE = PathNode("c", "gout", "Disease", "e:c")


def node(name):
    return PathNode(name, name.upper(), "Symptom", f"e:{name}")


def relation(head, kind, tail, *methods, hops=1):
    said = tuple(PathVoice(kind, method, (f"s-{method}",), (), 0.5, ()) for method in methods)
    backing = Voices().backing((voice.method, voice.sources, 1) for voice in said)
    return SubgraphRelation("symptoms", head, kind, tail, said, hops, backing)


def drawn(*relations, note=""):
    centre = PathEnd("c", "gout", "Disease", "e:c", 3, "", "", "")
    return picture_of_subgraph(Subgraph(centre, relations, (), "", note), lambda label, name: f"/{label}/{name}")


def test_relations_stand_on_the_side_to_which_they_lead():
    picture = drawn(
        relation(CENTRE, "HAS_SYMPTOM", node("a"), "stated", "section"),
        relation(node("a"), "IS_A", node("b"), "stated", hops=2),
        relation(node("d"), "HAS_SYMPTOM", CENTRE, "term"),
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
