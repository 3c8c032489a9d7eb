"""Relations: stored once a source, both ends in the graph, each told apart by what it says."""

import pytest

from medgraph.loaders.base import Row
from medgraph.loaders.life.kinds import RELATIONS
from medgraph.loaders.life.kinds.states import Loading, State
from medgraph.schema.records import Relation, content_hash
from tests.support.graphs import run as rows_of

ENDS = """
CREATE (:Entity {id: 'X:1'})-[:IS_A {source: 'own', predicate: '', hash: 5, seen: 3, load: 2}]->(:Entity {id: 'X:2'})
"""


@pytest.fixture
def run(database):
    """Runs statements on a graph with two entities and one relation between them."""
    rows_of(database, ENDS)
    return database.run


def row(*said, source="own", **more):
    return Row(Relation(*said, **more), "file", 1, source)


def test_what_is_stored_and_which_ends_are_missing(run):
    known = RELATIONS.look_up(run, [row("X:1", "IS_A", "X:2"), row("X:1", "IS_A", "X:9"), row("X:8", "IS_A", "X:9")])
    assert known.states == {("own", "X:1", "IS_A", "X:2", ""): State(5, 3, 2)}
    assert list(known.missing.values()) == [[], ["X:9"], ["X:8", "X:9"]]


def test_the_same_relation_of_another_source_or_predicate_is_another(run):
    others = [row("X:1", "IS_A", "X:2", source="other"), row("X:1", "IS_A", "X:2", "RO:1"), row("X:2", "IS_A", "X:1")]
    assert RELATIONS.look_up(run, others).states == {}
    assert len({RELATIONS.key(each) for each in others}) == 3


def test_new_ones_are_created_and_the_others_told(database, run):
    new, stored, dangling = (
        row("X:2", "TREATED_BY", "X:1", score=0.5),
        row("X:1", "IS_A", "X:2"),
        row("X:1", "IS_A", "X:9"),
    )
    numbered = [(3, new), (4, stored), (5, dangling), (6, new)]
    created = RELATIONS.create(run, numbered, Loading("own", 7))
    assert set(created.numbers) == {3}
    assert created.known.states == {
        RELATIONS.key(new): State(content_hash(new.record), 7, 7),
        RELATIONS.key(stored): State(5, 3, 2),
    }
    assert created.known.missing[RELATIONS.key(dangling)] == ["X:9"]
    written = rows_of(database, "MATCH ()-[r:TREATED_BY]->() RETURN r.load AS load, r.score AS score")
    assert written == [{"load": 7, "score": 0.5}]
