"""Paths between things: what they are, how they are ranked and bounded, and what is said where there is none."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.answers.facts import requested_paths
from medgraph.errors import QueryTimeoutError
from medgraph.graph.database import Database
from medgraph.linking.names import names_in_use
from medgraph.queries import paths
from medgraph.queries.entities import Mention
from medgraph.queries.paths import MAX_HOPS, find_paths
from medgraph.queries.question import Question, words_of
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import entity, linker_of

STATED = {"HAS_SYMPTOM", "TREATED_BY", "IS_A", "CAUSED_BY"}


@pytest.fixture(scope="module", autouse=True)
def patient():
    """Waits for a server that has just started to plan the statement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "TIME_LIMIT", 60.0)
        yield


def write(database, *relations):
    """Write entities of concepts of the same names, and relations between them: (head, type, tail, score)."""
    names = sorted({end for head, _, tail, _ in relations for end in (head, tail)})
    run(
        database,
        "CREATE (:Source {id: 's', licence: 'CC0-1.0'}) WITH 1 AS one UNWIND $names AS name "
        "CREATE (:Entity:Disease {id: 'e:' + name, name: name})-[:MEANS {method: 'itself'}]->"
        "(:Concept:Disease {cui: name, name: name})",
        names=names,
    )
    run(
        database,
        "UNWIND $rows AS row MATCH (h:Entity {id: 'e:' + row[0]}), (t:Entity {id: 'e:' + row[2]}) "
        "CREATE (h)-[r:$(row[1])]->(t) SET r.source = 's', r.method = 'stated', r.score = row[3]".replace(
            "UNWIND", "CYPHER 25 UNWIND", 1
        ),
        rows=[list(row) for row in relations],
    )
    fold_all(database)


@pytest.fixture
def find(database):
    """Finds paths between two of what `write` wrote."""
    linker = linker_of(entity("e:none", "none"))

    def found(*names, **options):
        (pair,) = find_paths(database, lambda: linker, names, **options)
        return pair

    return found


def lines(pair):
    return [path.text.replace("\u2013", "-") for path in pair.paths]


def test_all_shapes_of_chains_and_no_others(database, find):
    write(
        database,
        ("a", "CAUSED_BY", "b", 0.9),
        ("a", "HAS_SYMPTOM", "x", 0.8),
        ("b", "HAS_SYMPTOM", "x", 0.8),
        ("y", "HAS_SYMPTOM", "a", 0.7),
        ("y", "HAS_SYMPTOM", "b", 0.7),
        ("x", "CAUSED_BY", "z", 0.5),
        ("b", "TREATED_BY", "z", 0.5),
        ("a", "TREATED_BY", "m", 0.5),
        ("n", "TREATED_BY", "m", 0.5),
        ("n", "HAS_SYMPTOM", "b", 0.5),  # a leads to m, n leads to m and b: two turns
    )
    pair = find("a", "b")
    assert pair.complete
    assert pair.note == ""
    assert lines(pair) == [
        "a - CAUSED_BY → b",
        "a - HAS_SYMPTOM → x ← HAS_SYMPTOM - b",
        "a ← HAS_SYMPTOM - y - HAS_SYMPTOM → b",
        "a - HAS_SYMPTOM → x - CAUSED_BY → z ← TREATED_BY - b",
    ]
    assert [path.shape for path in pair.paths] == ["directed", "co-ancestor", "co-occurrence", "co-ancestor"]
    (hop,) = pair.paths[0].hops
    (voice,) = hop.said
    assert (voice.relation, voice.sources, voice.licences, voice.score) == ("CAUSED_BY", ("s",), ("CC0-1.0",), 0.9)
    assert lines(find("a", "b", hops=1)) == lines(pair)[:1]
    assert lines(find("a", "b", hops=2)) == lines(pair)[:3]
    assert lines(find("a", "b", limit=2)) == lines(pair)[:2]


def test_what_is_related_to_much_counts_less_and_cycles_end(database, find):
    write(
        database,
        *[(f"d{number}", "HAS_SYMPTOM", "everybody", 0.9) for number in range(40)],
        ("a", "HAS_SYMPTOM", "everybody", 0.9),
        ("b", "HAS_SYMPTOM", "everybody", 0.9),
        ("a", "HAS_SYMPTOM", "rare", 0.6),
        ("b", "HAS_SYMPTOM", "rare", 0.6),
        ("rare", "CAUSED_BY", "a", 0.5),
        ("a", "CAUSED_BY", "a", 0.5),
    )
    assert [path.nodes[1].id for path in find("a", "b", hops=2).paths] == ["rare", "everybody", "rare"]
    for path in find("a", "b").paths:
        assert len({node.id for node in path.nodes}) == len(path.nodes)


def test_a_model_is_told_of_short_paths_that_many_things_do_not_share(database):
    write(
        database,
        ("alpha", "HAS_SYMPTOM", "special", 1.0),
        ("beta", "HAS_SYMPTOM", "special", 1.0),
        ("alpha", "CAUSED_BY", "one", 1.0),
        ("one", "CAUSED_BY", "two", 1.0),
        ("two", "CAUSED_BY", "beta", 1.0),
        *((name, "HAS_SYMPTOM", "common", 1.0) for name in ("alpha", "beta", *(f"other {n}" for n in range(60)))),
    )

    def told(text):
        named = [(name, text.find(name)) for name in ("alpha", "beta", "special") if name in text]
        found = [
            Mention(f"e:{name}", "Disease", name, name, name, 1.0, (name,), 1, at, at + len(name)) for name, at in named
        ]
        asked = Question(text, words_of(text), None, lambda _: found, lambda: None)
        return requested_paths(database, lambda: linker_of(entity("e:none", "none")), asked)

    (path,) = told("Do alpha and beta go together?")
    assert [fact.object_name for fact in path] == ["special", "beta"]
    assert told("What is alpha?") == told("Do alpha and beta go with special?") == []


def test_an_end_with_very_many_relations_is_read_in_part_and_this_is_said(database, find, monkeypatch):
    write(database, ("a", "HAS_SYMPTOM", "hub", 0.9), *[(f"d{n}", "HAS_SYMPTOM", "hub", 0.9) for n in range(30)])
    monkeypatch.setitem(paths._BOUNDS, "scan", 20)
    pair = find("hub", "a")
    assert lines(pair) == ["hub ← HAS_SYMPTOM - a"]
    assert (pair.complete, pair.note) == (False, "hub has 31 relations, of which 20 were read")


def test_where_there_is_no_path_it_is_said_what_was_searched(database, find):
    write(database, ("a", "HAS_SYMPTOM", "x", 0.9), ("b", "HAS_SYMPTOM", "y", 0.9), ("b", "HAS_SYMPTOM", "z", 0.9))
    pair = find("a", "b")
    assert (pair.paths, pair.complete) == ((), True)
    assert pair.note == "no path of at most 3 hops was found between a (1 relation) and b (2 relations)"
    assert find("a", "b", hops=1).note.startswith("no path of at most 1 hop was found")


def test_when_the_time_is_over_what_was_found_with_fewer_hops_is_given_and_marked(database, find, monkeypatch):
    write(database, ("a", "CAUSED_BY", "b", 0.9), ("a", "HAS_SYMPTOM", "x", 0.9), ("b", "HAS_SYMPTOM", "x", 0.9))
    read, slow = Database.read, 2

    def late(self, query, **parameters):
        if query.name == "paths" and parameters["hops"] >= slow:
            raise QueryTimeoutError("paths took too long", "paths")
        return read(self, query, **parameters)

    monkeypatch.setattr(Database, "read", late)
    pair = find("a", "b")
    assert (lines(pair), pair.hops, pair.complete) == (["a - CAUSED_BY → b"], 1, False)
    assert pair.note == "the time was over before more than 1 could be looked for"
    slow = 1
    pair = find("a", "b")
    assert (pair.paths, pair.hops, pair.complete) == ((), 0, False)
    assert pair.note.endswith("the time was over before anything could be looked for")


@pytest.fixture
def three(graph, settings, tmp_path):
    """Finds paths in a small graph of three sources, joined and linked."""
    joined(graph, settings, tmp_path)
    linker, _ = names_in_use(settings, graph)

    def found(*names, **options):
        return find_paths(graph, lambda: linker, names, **options)

    return found


def test_what_sources_state_and_texts_tell_meets_at_concepts(three):
    (pair,) = three("podagra", "asthma")
    assert [(end.id, end.name, end.entity) for end in (pair.first, pair.second)] == [
        ("C0018099", "gout", "DOID:1"),
        ("DOID:2", "asthma", "DOID:2"),
    ]
    (path,) = pair.paths
    assert path.text == "gout \u2013 HAS_SYMPTOM → cough ← HAS_SYMPTOM \u2013 asthma"
    told, both = path.hops
    assert [(voice.method, voice.sources, voice.evidence) for voice in told.said] == [
        ("section", ("pages",), ("p1#1",))
    ]
    assert {(voice.method, voice.sources) for voice in both.said} == {("stated", ("doid",)), ("section", ("pages",))}
    assert {licence for hop in path.hops for voice in hop.said for licence in voice.licences} <= {"CC0-1.0", "test", ""}


class Words:
    """An encoder whose vectors say which of some words a text has."""

    def encode(self, texts):
        words = ("drug", "treated", "symptom", "cough", "caused")
        rows = np.array([[word in text.lower() for word in words] for text in texts], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    encode_questions = encode


def test_a_question_keeps_the_paths_that_come_nearest_to_a_part_of_it(database, find):
    write(
        database,
        ("a", "HAS_SYMPTOM", "x", 0.9),
        ("b", "HAS_SYMPTOM", "x", 0.9),
        ("a", "TREATED_BY", "y", 0.2),
        ("b", "TREATED_BY", "y", 0.2),
    )
    asked = {"question": "A long story before. " * 5 + "How is it treated?", "encoder": Words}
    pair = find("a", "b", limit=1, **asked)
    (path,) = pair.paths
    assert (path.nodes[1].id, path.similarity) == ("y", 1.0)
    assert [one.nodes[1].id for one in find("a", "b", limit=1).paths] == ["x"]
    assert find("a", "b", limit=1, question=" ", encoder=Words).paths[0].similarity is None


@pytest.mark.thorough
@settings(max_examples=8)
@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.sampled_from(sorted(STATED)), st.integers(0, 7), st.sampled_from([0.3, 0.9])),
        min_size=3,
        max_size=20,
        unique_by=lambda row: row[:3],
    )
)
def test_no_path_is_missed_that_a_search_of_all_finds(made, rows):
    relations = [(f"n{h}", kind, f"n{t}", score) for h, kind, t, score in rows]
    names = sorted({end for row in relations for end in (row[0], row[2])} | {"n0", "n7"})
    made(relations, names)
    given_ = {tuple(node.id for node in path.nodes) + tuple(hop.forward for hop in path.hops) for path in made.find()}
    assert given_ == set(searched({(h, t) for h, _, t, _ in relations}, "n0", "n7"))


def searched(edges, first, last):
    """Find every chain by trying all."""
    steps = {(h, t, True) for h, t in edges if h != t} | {(t, h, False) for h, t in edges if h != t}
    ways = [((first,), ())]
    for _ in range(MAX_HOPS):
        ways = [
            ((*nodes, t), (*outs, out))
            for nodes, outs in ways
            for h, t, out in steps
            if h == nodes[-1] and t not in nodes
        ]
        yield from (
            (*nodes, *outs)
            for nodes, outs in ways
            if nodes[-1] == last and sum(a != b for a, b in itertools.pairwise(outs)) < 2
        )
        ways = [way for way in ways if way[0][-1] != last]


@pytest.fixture(scope="module")
def made(graph):
    """Writes a small graph, and finds all paths between its first and its last node."""
    linker = linker_of(entity("e:none", "none"))

    def write_all(relations, names):
        run(graph, "MATCH (n:Concept|Entity|Source) DETACH DELETE n")
        run(graph, "UNWIND $names AS name MERGE (:Concept {cui: name})", names=[])
        write(graph, *relations)
        run(graph, "UNWIND $names AS name MERGE (:Concept {cui: name})", names=names)

    def find():
        (pair,) = find_paths(graph, lambda: linker, ("n0", "n7"), limit=50)
        assert len(pair.paths) < 50 or pytest.skip("more than are given")
        return pair.paths

    write_all.find = find
    return write_all
