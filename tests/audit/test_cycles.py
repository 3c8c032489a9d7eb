"""Rings of kinds: found in graphs of any shape and size, and the shortest one shown."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.audit import cycles
from tests.support.audits import findings_of
from tests.support.graphs import run


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
