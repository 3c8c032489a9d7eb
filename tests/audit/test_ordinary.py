"""Words of everyday English by which texts are linked: listed by concept, the doubtful ones first."""

from medgraph.audit.run import audit
from tests.support.graphs import run

GRAPH = """
CREATE (s:Section {id: 'd#1', text: 'Break it down. Pain goes down. Gout is painful.', source: 'd'}),
       (s)-[:HAS_CHUNK]->(c:Chunk {id: 'c'}),
       (down:Concept {cui: 'C1', name: 'Down syndrome'}),
       (pain:Concept {cui: 'C2', name: 'Pain'}),
       (gout:Concept {cui: 'C3', name: 'zzyzx'}),
       (c)-[:MENTIONS {surface: 'down', start: 9, end: 13, method: 'name'}]->(down),
       (c)-[:MENTIONS {surface: 'down', start: 25, end: 29, method: 'name'}]->(down),
       (c)-[:MENTIONS {surface: 'Pain', start: 15, end: 19, method: 'name'}]->(pain),
       (c)-[:MENTIONS {surface: 'it', start: 6, end: 8, method: 'coreference'}]->(pain),
       (c)-[:MENTIONS {surface: 'zzyzx', start: 0, end: 5, method: 'name'}]->(gout)
"""


def test_usual_words_are_listed_by_concept_with_their_contexts_the_doubtful_first(database):
    run(database, GRAPH)
    (result,) = audit(database, only=["ordinary_names"]).results
    assert not result.failure
    assert [(f.severity, f.keys, f.count) for f in result.findings] == [
        ("warning", ("down", "C1"), 2),
        ("note", ("pain", "C2"), 1),
    ]
    assert result.findings[0].examples[0].startswith("d#1: Break it down. Pain goes")
    assert "Down syndrome (how usual: 6." in result.findings[0].what
