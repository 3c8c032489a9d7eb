"""The one entity that a text names, with others that are called the same."""

import pytest

from medgraph.errors import InputError
from medgraph.queries.find import find_entities, resolve
from tests.support.graphs import run
from tests.support.linking import names_of


def test_the_beginning_of_a_name_finds_and_is_not_chosen(sample_graph):
    found = {row.id for row in find_entities(sample_graph, names_of(sample_graph), "diabet", 50)}
    assert {"sample:type-1-diabetes", "sample:type-2-diabetes"} <= found
    with pytest.raises(InputError, match=r"no entity has the id or name 'kidney st'; did you mean Kidney stones \("):
        resolve(sample_graph, names_of(sample_graph), "kidney st")
    with pytest.raises(InputError, match=r"no entity has the id or name 'zzzz'$"):
        resolve(sample_graph, names_of(sample_graph), "zzzz")


COLD = {"name": "Cold"}


@pytest.mark.parametrize(
    ("plain", "better"),
    [
        ({"label": "Topic", "definition": "Being cold.", "sources": ["s", "t"]}, {"label": "Symptom"}),
        ({"obsolete": True, "definition": "Being cold."}, {}),
        ({}, {"definition": "Being cold."}),
        ({}, {"sources": ["s", "t"]}),
    ],
    ids=["more than a topic", "not obsolete", "with a definition", "of more sources"],
)
def test_of_several_of_one_name_the_best_described_is_chosen(names, plain, better):
    graph = names({"id": "a:1"} | COLD | plain, {"id": "a:2"} | COLD | better)
    chosen = resolve(graph, names_of(graph), "cold")
    assert chosen.entity == "a:2"
    assert [(other.id, other.name) for other in chosen.others] == [("a:1", "Cold")]


def test_only_different_meanings_are_asked_about(names):
    rows = [("a:1", "Flu", []), ("b:1", "flu", []), ("c:1", "Chill", ["flu"]), ("d:1", "Rigor", ["flu"])]
    graph = names(*({"id": key, "name": name, "synonyms": synonyms} for key, name, synonyms in rows))
    run(
        graph,
        "UNWIND [['a:1', 'F'], ['b:1', 'F'], ['c:1', 'R'], ['d:1', 'R']] AS row MATCH (e:Entity {id: row[0]}) "
        "MERGE (c:Concept {cui: row[1]}) CREATE (e)-[:MEANS]->(c)",
    )
    chosen = resolve(graph, names_of(graph), "flu")
    assert (chosen.entity, [other.id for other in chosen.others]) == ("a:1", ["c:1"])
    assert resolve(graph, names_of(graph), "chill and rigor").entity == "c:1"  # two names of one concept
    with pytest.raises(InputError, match=r"names \d entities; did you mean \w+ \(\w:1\), \w+ \(\w:1\)\?$"):
        resolve(graph, names_of(graph), "flu and chill")
