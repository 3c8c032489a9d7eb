"""The audit: its run, findings, report, and the checks that are more than a statement."""

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.audit import run as cycles
from medgraph.audit import texts
from medgraph.audit.findings import load_known, markdown
from medgraph.audit.run import audit
from medgraph.errors import InputError, UnknownSourceError
from tests.support.audits import AUDIT, SOUND, findings_of
from tests.support.graphs import run


def test_an_empty_graph_has_no_fault(database):
    assert audit(database).findings == []
    assert audit(database).counts() == {"error": 0, "warning": 0, "note": 0, "failed": 0}


def test_sources_are_looked_at_one_by_one(sound):
    run(sound, SOUND.replace("'s", "'t").replace("'C00", "'C11").replace("'c'", "'d'").replace("7", "8"))
    run(sound, "MATCH (n:Entity) WHERE n.name = 'Pain' SET n.name = '?'")
    both = [finding.source for finding in audit(sound).findings]
    assert sorted(both) == ["s", "t"]
    assert [finding.source for finding in audit(sound, "t").findings] == ["t"]
    with pytest.raises(UnknownSourceError, match="the graph holds no source 'nope'; medgraph sources lists"):
        audit(sound, "nope")


def test_examples_are_as_many_as_asked_for_and_counts_are_whole(sound):
    run(sound, "UNWIND range(1, 30) AS n CREATE (:Entity:Disease {id: 'x:' + n, name: 'X' + n})")
    (few,), (many,) = (
        findings_of(sound, "nodes_without_source"),
        findings_of(sound, "nodes_without_source", examples=20),
    )
    assert (few.count, len(few.examples), many.count, len(many.examples)) == (30, 5, 30, 20)
    assert few.id == many.id


def test_the_sample_is_sound(sample_graph):
    assert [finding for finding in audit(sample_graph).findings if finding.severity != "note"] == []


def test_what_was_known_before_fails_only_when_it_has_grown(tmp_path):
    (finding,) = AUDIT.findings
    assert AUDIT.failing("error", {}) == [finding]
    assert AUDIT.failing("never", {}) == []
    assert AUDIT.failing("error", {finding.id: 2}) == []
    assert AUDIT.failing("error", {finding.id: 1}) == [finding]
    file = tmp_path / "known.json"
    file.write_text(json.dumps(AUDIT.as_dict()))
    assert load_known(file) == {finding.id: 2}
    assert load_known(None) == {}
    for text in ("", "[]", "{}", '{"checks": [1]}', '{"checks": [{"findings": [{"id": "x"}]}]}'):
        file.write_text(text)
        with pytest.raises(InputError, match="is not what `medgraph audit --json` printed"):
            load_known(file)
    with pytest.raises(InputError, match="cannot be read"):
        load_known(tmp_path / "none")


def test_markdown():
    text = markdown(AUDIT)
    assert "1 error, 0 warnings, 0 notes." in text
    assert "| one | 1 | 0 | 0 | 2 |" in text
    assert "| two | 0 | 0 | 0 | 0 |" in text
    assert "It could not be run: went wrong" in text
    assert "- **error** bad \\| \\<b\\>: 2 (s) `" in text
    assert "  - x\\_y" in text
    assert "## two" not in text


def graph_of(pairs):
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


@given(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40))
def test_components_are_those_that_reach_each_other(pairs):
    reach = {node: {node} for pair in pairs for node in pair}
    for _ in reach:
        for start, end in pairs:
            reach[start] |= reach[end]
    same = {frozenset(b for b in reach[a] if a in reach[b]) for a in reach}
    assert cycles.components(graph_of(pairs)) == sorted(sorted(group) for group in same if len(group) > 1)


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_the_shortest_ring_is_a_ring_and_none_is_shorter(pairs):
    ring = cycles.shortest_ring(pairs)
    steps = {node: {end for start, end in pairs if start == node != end} for node in range(7)}
    lengths = []
    for start, ends in steps.items():
        reached, length = ends, 1
        while reached and start not in reached and length < 9:
            reached, length = {end for node in reached for end in steps[node]}, length + 1
        if start in reached:
            lengths.append(length)
    assert len(ring) == min(lengths, default=0)
    assert all(end in steps[start] for start, end in zip(ring, [*ring[1:], *ring[:1]], strict=True))


@pytest.mark.thorough
def test_many_relations_are_no_more_work_than_there_are_relations():
    """An algorithm whose steps grow with the square of these would outlast the timeout of tests many times."""
    numbers = random.Random(1)
    pairs = [(child, numbers.randrange(child)) for child in range(1, 150_000) for _ in range(2)]
    edges = cycles.edges_of([tuple(zip(*pairs[:180_000], strict=True)), tuple(zip(*pairs[180_000:], strict=True))])
    assert len(edges) == 299_998
    assert cycles.components(edges) == []
    (tangle,) = cycles.components(np.vstack([edges, [[0, 149_999]]]))
    assert {0, 149_999} <= set(tangle)


def test_a_pair_inside_a_larger_ring_is_told_with_it(sound):
    run(
        sound,
        "UNWIND [['a', 'b'], ['b', 'a'], ['b', 'c'], ['c', 'a'], ['d', 'e'], ['e', 'd']] AS pair "
        "MERGE (x:Entity {id: pair[0]}) MERGE (y:Entity {id: pair[1]}) CREATE (x)-[:IS_A {source: 's'}]->(y)",
    )
    (ring,) = findings_of(sound, "is_a_cycles")
    assert (ring.count, ring.keys) == (3, ("a", "b", "c"))
    assert [pair.keys for pair in findings_of(sound, "is_a_both_ways")] == [("a", "b"), ("d", "e")]


SCOPE = {"source": "", "examples": 1}
SPANISH = "El asma es una enfermedad de los pulmones que se trata con inhaladores, pero no se cura."


def test_texts_of_the_sample_are_english(sample_graph):
    assert not list(texts.foreign(sample_graph, SCOPE))


def test_a_section_in_another_language_is_found(database):
    run(database, "UNWIND ['a', 'b'] AS id CREATE (:Section {id: id, source: 's', text: $said})", said=SPANISH)
    (finding,) = texts.foreign(database, SCOPE)
    assert (finding.keys, finding.count, finding.severity) == (("s", "Spanish"), 2, "warning")
    assert finding.examples[0].startswith("a: El asma es una enfermedad")


GRAPH = """
CREATE (s:Section {id: 'd#1', text: 'Break it down. Pain goes down. Gout is painful.', source: 'd'}),
       (s)-[:HAS_CHUNK]->(c:Chunk {id: 'c'}),
       (down:Concept {cui: 'C1', name: 'Down syndrome'}),
       (pain:Concept {cui: 'C2', name: 'Pain'}),
       (gout:Concept {cui: 'C3', name: 'zzyzx'}),
       (c)-[:MENTIONS {surface: 'down', start: 9, end: 13, method: 'name'}]->(down),
       (c)-[:MENTIONS {surface: 'down', start: 25, end: 29, method: 'name'}]->(down),
       (c)-[:MENTIONS {surface: 'Pain', start: 15, end: 19, method: 'name'}]->(pain),
       (c)-[:MENTIONS {surface: 'it', start: 6, end: 8, method: 'coreference'}]->(pain),
       (c)-[:MENTIONS {surface: 'zzyzx', start: 0, end: 5, method: 'name'}]->(gout)
"""


def test_usual_words_are_listed_by_concept_with_their_contexts_the_doubtful_first(database):
    run(database, GRAPH)
    (result,) = audit(database, only=["ordinary_names"]).results
    assert not result.failure
    assert [(f.severity, f.keys, f.count) for f in result.findings] == [
        ("warning", ("down", "C1"), 2),
        ("note", ("pain", "C2"), 1),
    ]
    assert result.findings[0].examples[0].startswith("d#1: Break it down. Pain goes")
    assert "Down syndrome (how usual: 6." in result.findings[0].what
