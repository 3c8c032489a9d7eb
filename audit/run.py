"""The checks of an audit, each a file under queries/audit/ with what Python adds to some, and their run in turn.

Each runs by itself, so that one that fails leaves the others.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import DatabaseUnavailableError, InputError, MedgraphError, UnknownSourceError
from ..graph import catalogue
from ..progress import progress
from ..schema import migrate
from ..schema.checks import IMPOSSIBLE
from ..schema.prefixes import prefix
from ..schema.vocabulary import KIN, METAGRAPH, RELATION_ENDS
from . import texts
from .findings import Audit, Finding, Result, ordered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ..graph.database import Database

    Find = Callable[[Database, Mapping[str, Any]], Iterator[Finding]]

    Edges = NDArray[np.int64]


# Rounds of cutting off the ends of chains, each over all relations that are left; ontologies are hardly deeper.
TRIMS: Final = 100
STARTS: Final = 3_000  # so many entities of a tangle are tried for its shortest ring; each of them lies on one
SHOWN: Final = 20  # so much of a ring is shown


def is_a_cycles(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find the tangles of three or more entities that are kinds of each other, each with its shortest ring."""
    rows = database.stream(catalogue.get("is_a_cycles"), source=scope["source"])
    edges = edges_of((row["children"], row["parents"]) for row in rows)
    for component in components(edges):
        if len(component) > 2:
            inside = edges[np.isin(edges, component).all(axis=1)]
            yield _finding(database, component, shortest_ring(inside.tolist()), scope["source"])


def edges_of(parts: Iterable[tuple[Sequence[int], Sequence[int]]]) -> Edges:
    """Pack children, and the parent of each, into an array: `(relations, 2) int64`, child and parent."""
    packed = [np.array(part, dtype=np.int64).T for part in parts]
    return np.concatenate(packed) if packed else np.empty((0, 2), dtype=np.int64)


def components(edges: Edges) -> list[list[int]]:
    """Find the strongly connected components of two or more nodes of `(edges, 2) int64`, by their first nodes."""
    nodes, left = _numbered(edges[edges[:, 0] != edges[:, 1]])
    kept, left = _numbered(trimmed(left))
    nodes = nodes[kept]
    left = left[np.argsort(left[:, 0], kind="stable")]
    starts = np.searchsorted(left[:, 0], np.arange(len(nodes) + 1)).tolist()
    groups = _strong(starts, left[:, 1].tolist())
    return sorted(sorted(int(nodes[n]) for n in component) for component in groups if len(component) > 1)


def _numbered(edges: Edges) -> tuple[NDArray[np.int64], Edges]:
    """Number the nodes from 0 without gaps; gives the nodes by number, and the edges between numbers."""
    nodes, numbers = np.unique(edges, return_inverse=True)
    return nodes, numbers.reshape(-1, 2)


def trimmed(edges: Edges) -> Edges:
    """Cut off, again and again, nodes of `(edges, 2) int64` that no ring can pass, with none before or behind."""
    size = int(edges.max()) + 1 if len(edges) else 0
    for _ in range(TRIMS):
        before = len(edges)
        for column in (0, 1):
            passable = np.zeros(size, dtype=bool)
            passable[edges[:, column]] = True
            edges = edges[passable[edges[:, 1 - column]]]
        if len(edges) == before:
            break
    return edges


def shortest_ring(edges: Iterable[Sequence[int]]) -> list[int]:
    """Find a short ring, of a small tangle a shortest one: its nodes in order; empty where there is none."""
    following: dict[int, list[int]] = {}
    for start, end in edges:
        if start != end:
            following.setdefault(start, []).append(end)
    best: list[int] = []
    for start in sorted(following)[:STARTS]:
        best = _ring_through(start, following, len(best) or len(following) + 1) or best
        if len(best) == 2:
            break
    return best


def _ring_through(start: int, following: Mapping[int, list[int]], limit: int) -> list[int]:
    """Find a ring through a node that is shorter than the limit."""
    before, queue = {start: start}, deque([(start, 1)])
    while queue:
        node, length = queue.popleft()
        if length >= limit:
            return []
        for target in following.get(node, ()):
            if target == start:
                ring = [node]
                while ring[-1] != start:
                    ring.append(before[ring[-1]])
                return ring[::-1]
            if target not in before:
                before[target] = node
                queue.append((target, length + 1))
    return []


def _strong(starts: Sequence[int], targets: Sequence[int]) -> Iterator[list[int]]:
    """Gabow's path-based algorithm, without recursion, since chains may be longer than Python calls go deep."""
    count = len(starts) - 1
    order = [0] * count  # place on the stack, from 1; beyond all of these once its component is known
    following = list(starts[:count])
    stack: list[int] = []
    bounds: list[int] = []
    for root in range(count):
        path = [] if order[root] else [root]
        while path:
            node = path[-1]
            if not order[node]:
                stack.append(node)
                order[node] = len(stack)
                bounds.append(len(stack))
            if following[node] < starts[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if not order[target]:
                    path.append(target)
                while order[target] and bounds[-1] > order[target]:
                    bounds.pop()
                continue
            path.pop()
            if bounds[-1] == order[node]:
                component = stack[bounds.pop() - 1 :]
                del stack[-len(component) :]
                for member in component:
                    order[member] = count + 1
                yield component


def _finding(database: Database, component: Sequence[int], ring: Sequence[int], source: str) -> Finding:
    keys = tuple(row["id"] for row in database.read(catalogue.get("is_a_members"), nodes=list(component)))
    steps = database.read(catalogue.get("is_a_between"), nodes=[*ring, *ring[:1]], source=source)
    first = min(range(len(steps)), key=lambda number: steps[number]["child"], default=0)
    steps = steps[first:] + steps[:first]
    shown = [step["name"] for step in steps[:SHOWN]]
    names = " → ".join([*shown, "…" if len(steps) > SHOWN else shown[0]])
    what = f"{len(component):,} entities are kinds of each other, such as {names}"
    examples = tuple(f"{step['child']} IS_A {step['parent']} ({step['source']})" for step in steps[:SHOWN])
    sources = ", ".join(sorted({step["source"] for step in steps}))
    return Finding("is_a_cycles", "error", sources, keys, what, len(component), examples)


MANY_CLAIMS: Final = 5  # a concept that so many entities of one source claim is too broad for any of them
LIMIT: Final = 10_000  # findings a check at most; more of one kind are not read one by one


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look for: its statement under queries/audit/, and how rows become findings if they are none yet."""

    query: catalogue.Query
    find: Find | None = None

    @property
    def name(self) -> str:
        """Its name, and that of its file."""
        return self.query.name

    def run(self, database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
        """Look, with the values of `source`, `examples` and `limit`."""
        if self.find is not None:
            yield from self.find(database, scope)
            return
        values = {name: value for name, value in {**scope, **VALUES}.items() if name in self.query.parameters}
        for row in database.stream(self.query, **values):
            row["keys"], row["examples"] = tuple(row["keys"]), tuple(row["examples"])
            yield Finding(check=self.name, **row)


@cache
def checks() -> dict[str, Check]:
    """Find the checks by name, in the order of the report: all under queries/audit/ that say what mends them."""
    found = (query for query in catalogue.queries().values() if query.folder == "audit" and query.mends)
    return {query.name: Check(query, FINDERS.get(query.name)) for query in found}


def unknown_prefixes(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find ids whose prefix neither the table of prefixes nor the source knows, by source, kind of id and prefix."""
    own = {row["source"] for row in database.read(catalogue.get("sources"))}
    facts = database.read(catalogue.get("source_facts"), ids=sorted(own))
    own |= {text.partition(" ")[0] for row in facts for text in row["facts"]["namespaces"] or ()}
    for row in database.stream(catalogue.get("unknown_prefixes"), source=scope["source"], examples=scope["examples"]):
        word = row["prefix"]
        if word and (word in own or prefix(word)):
            continue
        what = f"{row['field']} with the unknown prefix {word}" if word else f"{row['field']} that are no CURIEs"
        severe = row["field"] == "ids"
        keys = (row["source"] or "", row["field"], word)
        examples = tuple(row["examples"])
        yield Finding("unknown_prefixes", "warning" if severe else "note", keys[0], keys, what, row["count"], examples)


# What the vocabulary gives to a check whose statement has a parameter of the name.
VALUES: Final = {
    "ends": [{"type": t, "subjects": [*s], "objects": [*o]} for t, (s, o) in RELATION_ENDS.items()],
    "kin": [list(group) for group in KIN],
    "design": [list(shape) for shape in METAGRAPH],
    "many": MANY_CLAIMS,
    "impossible": IMPOSSIBLE,
}
# What reads the rows of the checks that take more than Cypher.
FINDERS: Final[Mapping[str, Find]] = {
    "unknown_prefixes": unknown_prefixes,
    "is_a_cycles": is_a_cycles,
    "suspicious_names": texts.names,
    "suspicious_texts": texts.texts,
    "foreign_texts": texts.foreign,
    "ordinary_names": texts.ordinary,
}

EXAMPLES: Final = 5


def audit(
    database: Database, source: str = "", examples: int = EXAMPLES, only: Sequence[str] = (), *, limit: int = LIMIT
) -> Audit:
    """Look through what the graph says, or one source, by all checks or some; nothing is changed.

    Raises:
        InputError: There is no check of a given name.
    """
    migrate.check(database)
    if source and source not in {row["source"] for row in database.read(catalogue.get("sources"))}:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    if unknown := set(only) - checks().keys():
        raise InputError(f"there is no check {min(unknown)!r}; the checks are: {', '.join(checks())}")
    scope = {"source": source, "examples": examples, "limit": limit}
    wanted = [check for name, check in checks().items() if not only or name in only]
    with progress("auditing", "check", len(wanted)) as bar:
        results = []
        for check in wanted:
            results.append(_result(database, check, scope))
            bar.update(1)
    return Audit(source, results)


def _result(database: Database, check: Check, scope: Mapping[str, Any]) -> Result:
    result = Result(check.name, check.query.purpose, check.query.mends)
    start = time.perf_counter()
    try:
        result.findings = ordered(itertools.islice(check.run(database, scope), scope["limit"]))
    except DatabaseUnavailableError:
        raise
    except MedgraphError as error:
        result.failure = " ".join(str(error).split())
    result.seconds = time.perf_counter() - start
    return result
