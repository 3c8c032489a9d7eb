"""Documents and what they are about."""

from medgraph.schema.records import Entity
from tests.support.graphs import run
from tests.support.loads import document


def test_documents_are_linked_to_entities_that_come_later(loading):
    loading([document(1, about=("X:1", "X:2"))], "second")
    loading([Entity("X:2", "Disease", "Asthma")], "first")
    linked = "MATCH (d:Document)-[a:ABOUT]->(e) RETURN d.id AS document, a.position AS position, e.id AS entity"
    assert run(loading.database, linked) == [{"document": "d1", "position": 2, "entity": "X:2"}]
