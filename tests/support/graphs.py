"""What the tests' graph holds: run any Cypher, empty it, fill it once for all tests that only read."""

import os
import pickle
from pathlib import Path

from medgraph.files import locked
from medgraph.graph import catalogue
from medgraph.queries.saved import parameters_of, run_with

SHARED = "MEDGRAPH_TEST_CONTENTS"
"""The variable that names the folder in which the workers leave each other what they have prepared."""


def empty(database):
    """Delete everything but the schema."""
    run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
    database.run(catalogue.get("refresh_fulltext"))


_contents = {}


def prepared(database, name, fill):
    """Make sure that the graph holds what `fill` puts into an empty one; after a change, a copy of that."""
    content = _contents.get(name)
    if content is None:
        empty(database)
        _contents[name] = content_of(database, name, fill)
    elif last_transaction(database) != content.transaction:
        if state_of(database) != content.state:
            empty(database)
            content.put(database)
            assert state_of(database) == content.state
        content.transaction = last_transaction(database)
    return database


def content_of(database, name, fill):
    """Fill an empty graph; with a copy of what another worker has filled its own with, where one was first."""
    file = Path(os.environ[SHARED], name)
    with locked(file.with_suffix(".lock")):
        if file.exists():
            content = pickle.loads(file.read_bytes())
            content.put(database)
            assert state_of(database) == content.state
        else:
            fill()
            content = Content(database)
            file.write_bytes(pickle.dumps(content))
    content.transaction = last_transaction(database)
    return content


def last_transaction(database):
    """Name the last transaction that changed anything: as long as it is the same, so is what the graph holds."""
    with database._session("READ") as session:
        session.run("RETURN 1").consume()
        return session.last_bookmarks().raw_values


class Content:
    """A copy of all that a graph holds but for its schema."""

    def __init__(self, database):
        self.transaction = None
        self.state = state_of(database)
        self._nodes = run(
            database,
            "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder "
            "RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties",
        )
        places = {node.pop("id"): place for place, node in enumerate(self._nodes)}
        self._relations = run(
            database,
            "MATCH (a)-[r]->(b) "
            "RETURN elementId(a) AS a, elementId(b) AS b, type(r) AS type, properties(r) AS properties",
        )
        for relation in self._relations:
            relation |= {end: places[relation[end]] for end in "ab"}

    def put(self, database):
        """Put it into an empty graph."""
        run(
            database,
            "CALL () { UNWIND $nodes AS node CREATE (n:$(node.labels)) SET n = node.properties "
            "RETURN collect(n) AS nodes } "
            "UNWIND $relations AS row WITH nodes[row.a] AS a, nodes[row.b] AS b, row "
            "CREATE (a)-[r:$(row.type)]->(b) SET r = row.properties",
            nodes=self._nodes,
            relations=self._relations,
        )
        database.run(catalogue.get("refresh_fulltext"))


def state_of(database):
    """Count what the graph holds, fine enough to notice what tests do to it."""
    nodes = "MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n, count(n.embedding) AS embedded, "
    sizes = "sum(size(coalesce(n.text, '')) + size(coalesce(n.name, ''))) AS size ORDER BY label"
    relations = "MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type"
    return run(database, nodes + sizes), run(database, relations)


def statement(text, name="test"):
    """Make a statement of any Cypher text, as tests need to look behind the catalogue."""
    return catalogue.Query(name, "", {}, (), text, Path(f"{name}.cypher"))


def run_saved(database, name, given=()):
    """Run a saved query with parameters as people write them."""
    return run_with(database, name, parameters_of(name, given))


def run(database, text, **parameters):
    """Run any Cypher text."""
    return database.run(statement(text), **parameters)
