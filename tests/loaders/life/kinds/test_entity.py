"""Entities that several sources state."""

from medgraph.schema.records import Entity
from tests.support.graphs import run


def test_the_word_of_the_better_source_goes_first_and_the_names_of_the_others_are_kept(loading):
    table = Entity("X:1", "Topic", "Asthma attacks", definition="From a table.", properties=(("cases", 7),))
    ontology = Entity("X:1", "Disease", "asthma", ("bronchial asthma",), xrefs=("MESH:D001249",))
    loading([table], "third")
    assert run(loading.database, "MATCH (e:Entity)-[f:FROM]->() RETURN f.name AS name") == [{"name": None}]
    loading([ontology], "first")
    rows = run(
        loading.database,
        "MATCH (e:Entity {id: 'X:1'}) RETURN labels(e) AS labels, properties(e) AS e, "
        "COLLECT { MATCH (e)-[f:FROM]->(s) RETURN [s.id, f.label, f.name] ORDER BY s.id } AS told",
    )
    assert sorted(rows[0]["labels"]) == ["Disease", "Entity"]
    assert rows[0]["e"] == {
        "id": "X:1",
        "name": "asthma",
        "synonyms": ["bronchial asthma", "Asthma attacks"],
        "definition": "From a table.",
        "xrefs": ["MESH:D001249"],
        "cases": 7,
        "sources": ["first", "third"],
    }
    assert rows[0]["told"] == [["first", "Disease", "asthma"], ["third", "Topic", "Asthma attacks"]]
