"""Rings of entities that are kinds of each other, found in time and memory that grow with the number of relations."""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .. import cypher
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ..database import Database

    Edges = NDArray[np.int64]

TRIMS: Final = 100
"""Rounds of cutting off the ends of chains, each over all relations that are left; ontologies are hardly deeper."""

LARGEST: Final = 2_000
"""Of a larger tangle only so many entities are looked at for the ring that is shown."""


def find(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find the tangles of three or more entities that are kinds of each other; pairs have a check of their own.

    Args:
        database: The graph.
        scope: The value of `source`.

    Yields:
        A finding for each tangle, with its shortest ring as its examples.
    """
    rows = database.stream(cypher.get("is_a_cycles"), source=scope["source"])
    for component in components(edges_of((row["child"], row["parents"]) for row in rows)):
        if len(component) > 2:
            yield _finding(database, component, scope["source"])


def edges_of(rows: Iterable[tuple[int, Sequence[int]]]) -> Edges:
    """Pack relations into an array, sixteen bytes each.

    Args:
        rows: Each child with its parents.

    Returns:
        Two columns: child and parent.
    """
    packed = array("q")
    for child, parents in rows:
        for parent in parents:
            packed.append(child)
            packed.append(parent)
    return np.frombuffer(packed, dtype=np.int64).reshape(-1, 2) if packed else np.empty((0, 2), dtype=np.int64)


def components(edges: Edges) -> list[list[int]]:
    """Find the strongly connected components of two or more nodes.

    Args:
        edges: Two columns: from, to.

    Returns:
        The nodes of each, in order; the components in the order of their first nodes.
    """
    left = trimmed(edges[edges[:, 0] != edges[:, 1]])
    nodes, numbers = np.unique(left, return_inverse=True)
    numbers = numbers.reshape(-1, 2)
    numbers = numbers[np.argsort(numbers[:, 0], kind="stable")]
    starts = np.searchsorted(numbers[:, 0], np.arange(len(nodes) + 1)).tolist()
    found = _strong(starts, numbers[:, 1].tolist())
    return sorted(sorted(int(nodes[n]) for n in component) for component in found if len(component) > 1)


def trimmed(edges: Edges) -> Edges:
    """Cut off what no ring can pass: nodes that nothing points to, or that point to nothing, again and again.

    Args:
        edges: Two columns: from, to.

    Returns:
        The edges that are left; those of rings always are.
    """
    for _ in range(TRIMS):
        size = len(edges)
        edges = edges[np.isin(edges[:, 1], edges[:, 0])]
        edges = edges[np.isin(edges[:, 0], edges[:, 1])]
        if len(edges) == size:
            break
    return edges


def shortest_ring(edges: Iterable[tuple[str, str]]) -> list[str]:
    """Find a shortest ring.

    Args:
        edges: Pairs of from and to, which hold a ring.

    Returns:
        Its nodes in order, beginning with the first in the alphabet; empty where there is none.
    """
    following: dict[str, list[str]] = {}
    for start, end in edges:
        following.setdefault(start, []).append(end)
    best: list[str] = []
    for start in sorted(following)[:LARGEST]:
        ring = _ring_through(start, following, len(best) or len(following) + 1)
        best = ring or best
        if len(best) == 2:
            break
    turn = best.index(min(best)) if best else 0
    return best[turn:] + best[:turn]


def _ring_through(start: str, following: Mapping[str, list[str]], limit: int) -> list[str]:
    """Find a ring through a node that is shorter than the limit."""
    before, queue = {start: ""}, deque([(start, 1)])
    while queue:
        node, length = queue.popleft()
        if length >= limit:
            return []
        for target in following.get(node, ()):
            if target == start:
                ring = [node]
                while before[ring[-1]]:
                    ring.append(before[ring[-1]])
                return ring[::-1]
            if target not in before:
                before[target] = node
                queue.append((target, length + 1))
    return []


def _strong(starts: Sequence[int], targets: Sequence[int]) -> Iterator[list[int]]:
    """Tarjan's algorithm with a stack of its own, since chains may be longer than Python calls go deep."""
    count = len(starts) - 1
    order, low, on_stack = [0] * count, [0] * count, [False] * count
    following = list(starts[:count])
    stack: list[int] = []
    clock = 0
    for root in range(count):
        path = [] if order[root] else [root]
        while path:
            node = path[-1]
            if not order[node]:
                clock += 1
                order[node] = low[node] = clock
                stack.append(node)
                on_stack[node] = True
            if following[node] < starts[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if not order[target]:
                    path.append(target)
                elif on_stack[target]:
                    low[node] = min(low[node], order[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            if low[node] == order[node]:
                yield _popped(stack, on_stack, node)


def _popped(stack: list[int], on_stack: list[bool], node: int) -> list[int]:
    component = []
    while True:
        member = stack.pop()
        on_stack[member] = False
        component.append(member)
        if member == node:
            return component


def _finding(database: Database, component: Sequence[int], source: str) -> Finding:
    rows = database.read(cypher.get("is_a_between"), nodes=list(component[:LARGEST]), source=source)
    names = {row["child"]: row["child_name"] for row in rows} | {row["parent"]: row["parent_name"] for row in rows}
    said = {(row["child"], row["parent"]): row["source"] or "" for row in rows}
    ring = shortest_ring((row["child"], row["parent"]) for row in rows if row["child"] != row["parent"])
    pairs = list(zip(ring, [*ring[1:], *ring[:1]], strict=True))
    sources = sorted({said[pair] for pair in pairs})
    round_trip = " → ".join(names[node] for node in [*ring, *ring[:1]])
    what = f"{len(component):,} entities are kinds of each other, such as {round_trip}"
    examples = tuple(f"{child} IS_A {parent} ({said[child, parent]})" for child, parent in pairs)
    keys = tuple(sorted(names))
    return Finding("is_a_cycles", "error", ", ".join(sources), keys, what, len(component), examples)
