"""Constraints and indexes as statements declare them, and in what a graph's differ."""

from medgraph.schema import migrate
from tests.support.graphs import statement

MADE = [
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE INDEX load_of_from IF NOT EXISTS FOR ()-[r:FROM]-() ON (r.load)",
    "CREATE FULLTEXT INDEX section_text IF NOT EXISTS FOR (n:Section) ON EACH [n.title, n.text]",
    "CREATE VECTOR INDEX vectors IF NOT EXISTS FOR (n:Chunk) ON n.embedding WITH [n.source, n.type]",
]
SOUND = {"state": "ONLINE", "failure": "", "kind": "VECTOR", "label": "Chunk", "dimension": 384}
SOUND["properties"] = ["embedding", "source", "type"]


def declared(texts):
    return migrate.rules_of(statement(text) for text in texts)


def test_statements_declare_rules_until_they_are_dropped():
    shapes = {name: (rule.kind, rule.label, rule.properties) for name, rule in declared(MADE).items()}
    assert shapes == {
        "entity_id": ("CONSTRAINT", "Entity", ("id",)),
        "load_of_from": ("RANGE", "FROM", ("load",)),
        "section_text": ("FULLTEXT", "Section", ("title", "text")),
        "vectors": ("VECTOR", "Chunk", ("embedding", "source", "type")),
    }
    words = ["constraint entity_id", "range index load_of_from", "fulltext index section_text", "vector index vectors"]
    assert [rule.what for rule in declared(MADE).values()] == words
    assert declared([*MADE, "DROP INDEX vectors IF EXISTS", "DROP CONSTRAINT entity_id"]).keys() == {
        "load_of_from",
        "section_text",
    }
