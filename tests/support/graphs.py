"""What the tests' graph holds: run any Cypher, empty it, fill it once for all tests that only read."""

from pathlib import Path

from medgraph.graph import catalogue


def empty(database):
    """Delete everything but the schema."""
    run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
    database.run(catalogue.get("refresh_fulltext"))


_states = {}


def prepared(database, name, fill):
    """Make sure that the graph holds what `fill` puts into an empty one, which is done again only after a change."""
    if name not in _states or state_of(database) != _states[name]:
        empty(database)
        fill()
        _states[name] = state_of(database)
    return database


def state_of(database):
    """Count what the graph holds, fine enough to notice what tests do to it."""
    nodes = "MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n, count(n.embedding) AS embedded, "
    sizes = "sum(size(coalesce(n.text, '')) + size(coalesce(n.name, ''))) AS size ORDER BY label"
    relations = "MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type"
    return run(database, nodes + sizes), run(database, relations)


def statement(text, name="test"):
    """Make a statement of any Cypher text, as tests need to look behind the catalogue."""
    return catalogue.Query(name, "", {}, (), text, Path(f"{name}.cypher"))


def run(database, text, **parameters):
    """Run any Cypher text."""
    return database.run(statement(text), **parameters)
