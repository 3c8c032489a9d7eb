"""Relations from sections: with their evidence, of the right kind, and found anew as a whole."""

from medgraph.linking.relations import STATED_BY, index_relations
from medgraph.schema.vocabulary import TOLD_BY_SECTIONS
from tests.support.graphs import run


def test_relations_follow_from_sections_with_their_evidence(sample_graph):
    rows = run(
        sample_graph,
        "MATCH (d:Concept)-[r]->(x:Concept) WHERE r.told <> [] "
        "RETURN d.cui AS head, type(r) AS type, x.cui AS tail, r.sections AS evidence, r.told AS sources",
    )
    assert {row["type"] for row in rows} >= {"HAS_SYMPTOM"}
    sections = {
        row["id"]: row["type"] for row in run(sample_graph, "MATCH (s:Section) RETURN s.id AS id, s.type AS type")
    }
    types = {"HAS_SYMPTOM": {"symptoms"}, "TREATED_BY": {"treatment"}, "CAUSED_BY": {"causes", "genetic changes"}}
    for row in rows:
        assert row["head"] != row["tail"]
        assert row["sources"] == ["sample"]
        assert {sections[section] for section in row["evidence"]} <= types.get(row["type"], set(sections.values()))


def test_finding_them_again_gives_the_same(sample_graph):
    count = "MATCH (:Concept)-[r]->(:Concept) WHERE r.told <> [] RETURN count(r) AS n"
    before = run(sample_graph, count)[0]["n"]
    assert index_relations(sample_graph) == before > 50
    assert run(sample_graph, count)[0]["n"] == before


def test_the_design_knows_them_all():
    assert {relation for relation, _ in STATED_BY.values()} == set(TOLD_BY_SECTIONS)
