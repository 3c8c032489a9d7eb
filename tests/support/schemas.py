"""The schema of the tests' graph, made whole again after a test that broke it."""

from medgraph.schema import migrate
from tests.support.graphs import run

ENCODER = ("all-MiniLM-L6-v2", 384)
"""The encoder that the graph's vectors are made for: its name, and the length of its vectors."""


def mend(database):
    """Delete whatever a test left, and make the schema and its record of the encoder as they were."""
    run(database, "MATCH (n) WHERE NOT n:Encoder AND NOT n:Migration DETACH DELETE n")
    run(database, "MERGE (e:Encoder {id: 'text'}) SET e.name = $name, e.dimension = $size", name=ENCODER[0], size=384)
    migrate.apply(database, *ENCODER, lambda line: None)


def strip(database):
    """Take the whole schema out."""
    for row in run(database, "SHOW CONSTRAINTS YIELD name RETURN name"):
        run(database, f"DROP CONSTRAINT {row['name']}")
    for row in run(database, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        run(database, f"DROP INDEX {row['name']}")
    run(database, "MATCH (n) DETACH DELETE n")


def schema_of(database):
    """Tell what schema a graph has, and when it was applied."""
    rules = "YIELD name, type, labelsOrTypes, properties"
    return {
        "constraints": run(database, f"SHOW CONSTRAINTS {rules} RETURN * ORDER BY name"),
        "indexes": run(database, f"SHOW INDEXES {rules}, options RETURN * ORDER BY name"),
        "migrations": run(database, "MATCH (m:Migration) RETURN m {.*, applied: null} AS m ORDER BY m.version"),
        "times": run(database, "MATCH (m:Migration) RETURN m.applied ORDER BY m.version"),
        "encoder": run(database, "MATCH (e:Encoder) RETURN properties(e)"),
    }
