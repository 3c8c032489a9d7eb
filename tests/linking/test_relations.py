"""Relations from sections: with their evidence, of the right kind, and found anew as a whole."""

from medgraph.linking.mentions import SURE, index_relations
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


def test_pages_that_are_each_unsure_make_a_relation_sure_together_and_sections_of_one_do_not(database):
    run(
        database,
        """
        CREATE (d:Entity:Disease {id: 'd'})-[:MEANS]->(:Concept:Disease {cui: 'd'}),
               (x:Concept:Drug {cui: 'x'}), (y:Concept:Drug {cui: 'y'})
        WITH d, x, y
        UNWIND [['p1', 1, 0.8, 'treats', x], ['p1', 2, 0.85, 'treats', x], ['p2', 1, 0.8, 'treats', x],
                ['p3', 1, 0.7, 'treats', x], ['p4', 1, 0.8, 'avoided', x],
                ['p5', 1, 0.85, 'treats', y], ['p5', 2, 0.85, 'treats', y]] AS told
        WITH d, told[0] AS page, told[0] + '#' + told[1] AS section, told[2] AS score, told[3] AS role, told[4] AS tail
        MERGE (p:Document {id: page})
        MERGE (p)-[:ABOUT]->(d)
        CREATE (p)-[:HAS_SECTION]->(:Section {id: section, source: 'a'})-[:HAS_CHUNK]->(:Chunk {id: section})
               -[:MENTIONS {role: role, role_score: score, surface: tail.cui}]->(tail)
        """,
    )
    assert index_relations(database) == 1
    query = "MATCH ({cui: 'd'})-[r]->(x:Drug) RETURN x.cui AS tail, r.told_score AS score, r.sections AS sections"
    # .97 = 1 - .15 x .2: the better of the two sections of p1, and p2.
    assert run(database, query) == [{"tail": "x", "score": 0.97, "sections": ["p1#1", "p1#2", "p2#1"]}]
