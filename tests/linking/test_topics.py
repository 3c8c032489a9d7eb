"""Topics are about the conditions that their titles name, and about nothing that titles only say of them."""

import pytest

from medgraph.graph import catalogue
from medgraph.linking.mentions import conditions_of, index_topics
from tests.support.graphs import run
from tests.support.linking import entity, linker_of

LINKER = linker_of(
    entity("a:1", "gout"),
    entity("a:2", "diabetes mellitus", "diabetes"),
    entity("a:3", "surgery", label="SideEffect"),
    entity("a:4", "stroke"),
    entity("t:1", "Recovering after stroke", label="Topic"),
    entity("t:2", "Gout - discharge", label="Topic"),
)


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Gout - discharge", ["a:1"]),
        ("Recovering after stroke", ["a:4"]),
        ("Diabetes and gout", ["a:2", "a:1"]),
        ("What to expect: diabetes", ["a:2"]),
        ("Surgery", []),
        ("Laser surgery - discharge", []),
        ("Gout", ["a:1"]),
        ("", []),
    ],
)
def test_titles_name_conditions(title, named):
    assert [LINKER.holdings.id(linked.entity) for _, linked in conditions_of(LINKER, title)] == named


def test_topics_are_joined_to_conditions_and_anew_as_a_whole(database):
    run(
        database,
        "CREATE (t:Entity:Topic {id: 't:2', name: 'Gout - discharge', sources: ['s']})<-[:ABOUT]-"
        "(d:Document {id: 'd1'})-[:HAS_SECTION]->(:Section {id: 'd1#1', type: 'information', position: 1}) "
        "CREATE (t)-[:MEANS]->(:Concept:Topic {cui: 't:2', name: 'Gout - discharge'}) "
        "CREATE (:Entity:Disease {id: 'a:1'})-[:MEANS]->(:Concept:Disease {cui: 'a:1', name: 'gout'})",
    )
    for _ in range(2):
        assert index_topics(database, LINKER) == 1
        rows = run(
            database, "MATCH (t:Topic)-[r:ABOUT_CONCEPT]->(c) RETURN t.id AS topic, r.surface AS said, c.cui AS cui"
        )
        assert rows == [{"topic": "t:2", "said": "Gout", "cui": "a:1"}]
    around = database.read(catalogue.get("disease_subgraph"), concept="a:1", types=[], limit=10, kinds=0)
    assert [(row["relation"], row["concept"], row["said"][0]["evidence"]) for row in around] == [
        ("ABOUT_CONCEPT", "t:2", ["d1"])
    ]
    run(database, "MATCH (:Document)-[r:ABOUT]->() SET r.source = 's' MERGE (:Source {id: 's'})")
    assert database.read(catalogue.get("relations_without_source"), source="", examples=5) == []
