"""What an entity is that no source defines: in the words of another of its concept, or of an overview."""

import pytest

from medgraph.queries.meanings import Description, description_of
from tests.support.graphs import run

SAID = "Marsh ague is a fever. It comes from water."


@pytest.fixture
def ague(database):
    """A disease that two sources name and none defines, with an overview that says what it is."""
    run(
        database,
        "CREATE (s:Source {id: 'made', standing: '1', licence: 'CC0-1.0'}) "
        "CREATE (c:Concept:Disease {cui: 'C1', name: 'marsh ague', ids: [], semantic_types: []}) "
        "CREATE (:Entity:Disease {id: 'x:1', name: 'marsh ague', sources: ['made']})-[:MEANS]->(c) "
        "CREATE (:Entity:Disease {id: 'x:2', name: 'ague', sources: ['made']})-[:MEANS]->(c) "
        "CREATE (p:Section {id: 'p#1', source: 'made', text: $said}) "
        "CREATE (c)-[:DESCRIBED_IN {start: 0, end: 22, method: 'overview'}]->(p) "
        "WITH s MATCH (e:Entity) CREATE (e)-[:FROM]->(s)",
        said=SAID,
    )
    return database


def test_an_overview_describes_what_nobody_defines(ague):
    assert description_of(ague, "x:1") == Description("Marsh ague is a fever.", "made", "", "p#1")
    assert description_of(ague, "nope") is None
    run(ague, "MATCH (s:Section) DETACH DELETE s")
    assert description_of(ague, "x:1") is None


def test_a_definition_of_the_same_goes_before_an_overview(ague):
    run(ague, "MATCH (e:Entity {id: 'x:2'}) SET e.definition = 'A fever of marshes.'")
    assert description_of(ague, "x:1") == Description("A fever of marshes.", "made", "x:2", "")
    assert description_of(ague, "x:2") is None
