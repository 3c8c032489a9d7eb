"""Relations from sections: with their evidence, of the right kind, and found anew as a whole."""

from medgraph.linking.relations import SURE, index_relations
from medgraph.linking.roles import ROLES
from medgraph.schema.vocabulary import TOLD_BY_SECTIONS
from tests.support.graphs import run


def test_relations_follow_from_sections_with_their_evidence(sample_graph):
    rows = run(
        sample_graph,
        "MATCH (d:Concept)-[r]->(x:Concept) WHERE r.told <> [] "
        "RETURN d.cui AS head, type(r) AS type, x.cui AS tail, r.sections AS evidence, r.told AS sources, "
        "r.told_score AS score",
    )
    assert {row["type"] for row in rows} >= {"HAS_SYMPTOM"}
    for row in rows:
        assert row["head"] != row["tail"]
        assert row["sources"] == ["sample"]
        assert row["evidence"]
        assert row["score"] >= SURE


def test_finding_them_again_gives_the_same(sample_graph):
    count = "MATCH (:Concept)-[r]->(:Concept) WHERE r.told <> [] RETURN count(r) AS n"
    before = run(sample_graph, count)[0]["n"]
    assert index_relations(sample_graph) == before > 20
    assert run(sample_graph, count)[0]["n"] == before


def test_the_design_knows_them_all():
    assert {relation for relation, _ in ROLES.values() if relation} == set(TOLD_BY_SECTIONS)


def test_sections_that_are_each_unsure_make_a_relation_sure_together(database):
    run(
        database,
        "CREATE (d:Entity:Disease {id: 'd'})-[:MEANS]->(:Concept:Disease {cui: 'd'}), (x:Concept:Drug {cui: 'x'}) "
        "WITH d, x "
        "UNWIND [['s1', 0.8, 'treats'], ['s2', 0.7, 'treats'], ['s3', 0.4, 'treats'], ['s4', 0.8, 'avoided']] AS told "
        "CREATE (d)<-[:ABOUT]-(:Document {id: told[0]})-[:HAS_SECTION]->(:Section {id: told[0], source: 'a'})"
        "-[:HAS_CHUNK]->(:Chunk {id: told[0]})-[:MENTIONS {role: told[2], role_score: told[1], surface: 'x'}]->(x)",
    )
    assert index_relations(database) == 1
    query = "MATCH ({cui: 'd'})-[r]->({cui: 'x'}) RETURN type(r) AS type, r.told_score AS score, r.sections AS sections"
    (row,) = run(database, query)
    assert (row["type"], row["score"], row["sections"]) == ("TREATED_BY", 0.94, ["s1", "s2"])
