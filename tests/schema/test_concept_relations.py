"""Relations between concepts: each once, with all who say so, and kept true by whatever changes what is said."""

import pytest

from medgraph.linking.concepts import index_concepts
from medgraph.loaders.life import withdraw
from medgraph.schema.concept_relations import fold_all, fold_terms
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.loads import Loading

GOUT, ITCH = Entity("A:1", "Disease", "gout"), Entity("A:2", "Disease", "itch")
DRUG, GENE = Entity("A:3", "Drug", "salt"), Entity("A:0", "Gene", "ABC")
OLD = Entity("A:4", "Disease", "gout of old", obsolete=True)
ALL = [GOUT, ITCH, DRUG, GENE, OLD]


def held(database, *fields):
    """The relations between concepts, each with some of what stands on it."""
    rows = run(
        database,
        "MATCH (a:Concept)-[r]->(b:Concept|Term) RETURN a.cui AS head, type(r) AS type, coalesce(b.cui, b.id) AS tail, "
        "properties(r) AS said ORDER BY head, type, tail",
    )
    return {(row["head"], row["type"], row["tail"]): [row["said"].get(name) for name in fields] for row in rows}


def ids(database):
    return [
        row["id"]
        for row in run(database, "MATCH (:Concept)-[r]->(:Concept|Term) RETURN elementId(r) AS id ORDER BY id")
    ]


@pytest.fixture
def load(database, tmp_path):
    return Loading(tmp_path, database)


def test_what_several_sources_state_stands_once_turned_and_with_all_who_say_so(load, database):
    load(
        [
            *ALL,
            Relation("A:1", "TREATED_BY", "A:3", score=0.5, evidence=("PMID:1",)),
            Relation("A:0", "ASSOCIATED_WITH", "A:1", predicate="linked"),
            Relation("A:1", "RELATED_TO", "A:1"),
            Relation("A:4", "HAS_SYMPTOM", "A:2"),
            Relation("A:1", "HAS_PART", "A:2"),
        ],
        "one",
    )
    load([*ALL, Relation("A:3", "TREATS", "A:1", evidence=("PMID:2", "PMID:1"))], "two")
    load([*ALL, Relation("A:1", "ASSOCIATED_WITH", "A:0")], "three")
    index_concepts(database)
    assert held(database, "sources", "stated", "told", "sections", "section_count", "evidence", "predicates") == {
        ("A:1", "ASSOCIATED_WITH", "A:0"): [["one", "three"], ["one", "three"], [], [], 0, [], ["linked"]],
        ("A:1", "HAS_PART", "A:2"): [["one"], ["one"], [], [], 0, [], None],
        ("A:1", "TREATED_BY", "A:3"): [["one", "two"], ["one", "two"], [], [], 0, ["PMID:1", "PMID:2"], None],
    }
    scores = held(database, "stated_score", "score", "polarity")
    assert scores["A:1", "TREATED_BY", "A:3"] == [0.5, 0.75, "affirmed"]
    assert scores["A:1", "HAS_PART", "A:2"] == [None, 0.8, "affirmed"]
    before = ids(database)
    assert fold_all(database) == 0
    assert ids(database) == before


def test_loads_unloads_and_undoing_keep_them_true(load, database):
    load(ALL, "words")
    load([*ALL, Relation("A:1", "TREATED_BY", "A:3"), Relation("A:1", "HAS_SYMPTOM", "A:2")], "one")
    index_concepts(database)
    first = held(database, "sources")
    assert first.keys() == {("A:1", "TREATED_BY", "A:3"), ("A:1", "HAS_SYMPTOM", "A:2")}
    load([Relation("A:3", "TREATS", "A:1"), Relation("A:3", "HAS_SIDE_EFFECT", "A:2")], "two")
    second = held(database, "sources")
    assert second == first | {
        ("A:1", "TREATED_BY", "A:3"): [["one", "two"]],
        ("A:3", "HAS_SIDE_EFFECT", "A:2"): [["two"]],
    }
    load([Relation("A:3", "TREATS", "A:2")], "two", replace=True)
    third = first | {("A:2", "TREATED_BY", "A:3"): [["two"]]}
    assert held(database, "sources") == third
    withdraw.undo(database, "two")
    assert held(database, "sources") == second
    withdraw.unload(database, "one")
    assert held(database, "sources") == {
        ("A:1", "TREATED_BY", "A:3"): [["two"]],
        ("A:3", "HAS_SIDE_EFFECT", "A:2"): [["two"]],
    }
    withdraw.unload(database, "two")
    assert held(database) == {}


def test_what_some_voices_say_and_others_deny_is_contested(load, database):
    load([*ALL, Relation("A:1", "TREATED_BY", "A:3"), Relation("A:2", "TREATED_BY", "A:3")], "one")
    index_concepts(database)
    assert set(map(tuple, held(database, "polarity").values())) == {("affirmed",)}
    load([Relation("A:3", "CONTRAINDICATED_IN", "A:1"), Relation("A:3", "HAS_SIDE_EFFECT", "A:2")], "two")
    assert held(database, "polarity") == {
        key: ["contested"]
        for key in [
            ("A:1", "TREATED_BY", "A:3"),
            ("A:1", "CONTRAINDICATED_WITH", "A:3"),
            ("A:2", "TREATED_BY", "A:3"),
            ("A:3", "HAS_SIDE_EFFECT", "A:2"),
        ]
    }
    withdraw.unload(database, "two")
    assert set(map(tuple, held(database, "polarity").values())) == {("affirmed",)}


def test_what_sections_tell_stands_beside_what_sources_state_and_goes_with_its_source(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    cough, treated = ("DOID:2", "HAS_SYMPTOM", "C0010200"), ("C0018099", "TREATED_BY", "MESH:3")
    both = held(graph, "sources", "stated", "told", "section_count")
    assert both[cough] == [["doid", "pages"], ["doid"], ["pages"], 1]
    assert both[treated] == [["mesh", "pages"], ["mesh"], ["pages"], 1]
    assert held(graph, "score")[cough][0] > max(held(graph, "told_score")[cough][0], 0.8)
    withdraw.unload(graph, "pages")
    left = held(graph, "sources", "sections", "score")
    assert left[cough] == [["doid"], [], 0.8]
    assert not any("pages" in sources for sources, *_ in left.values())
    assert ("C0018099", "HAS_SYMPTOM", "C0010200") not in left


def test_terms_are_told_once_and_go_with_their_sections(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    run(
        graph,
        "CREATE (t:Term {id: 'term:x', name: 'x'}) WITH t UNWIND ['p1#1', 'p1#2'] AS id MATCH (s:Section {id: id}) "
        "CREATE (s)-[:TELLS_OF {relation: 'HAS_SYMPTOM', surface: 'x', score: 0.9}]->(t)",
    )
    fold_terms(graph.write, ["term:x"])
    key = ("C0018099", "HAS_SYMPTOM", "term:x")
    assert held(graph, "told", "sections", "section_count", "told_score")[key] == [
        ["pages"],
        ["p1#1", "p1#2"],
        2,
        0.675,
    ]
    before = ids(graph)
    fold_terms(graph.write, ["term:x"])
    assert ids(graph) == before
    run(graph, "MATCH (:Section {id: 'p1#1'})-[r:TELLS_OF]->() DELETE r")
    fold_terms(graph.write, ["term:x"])
    assert held(graph, "sections", "section_count")[key] == [["p1#2"], 1]
    withdraw.unload(graph, "pages")
    assert key not in held(graph)
    assert run(graph, "MATCH (t:Term) RETURN t") == []
