"""The picture of what an answer rests on."""

from defusedxml.ElementTree import fromstring

from medgraph.graph import catalogue
from medgraph.pictures import evidence, svg


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
