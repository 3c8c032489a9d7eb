"""Groups of entities that mean the same: they grow pair by pair, and keep apart what is known to differ."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ACCEPTED: Final = "accepted"
"""How a pair was found that a curator accepted."""


@dataclass(frozen=True, slots=True, order=True)
class EntityPair:
    """Two entities that may mean the same.

    Attributes:
        order: What is looked at first, the lowest: the less sure, the later.
        one: Id of the first, in alphabetical order.
        other: Id of the second.
        method: How it was found.
        evidence: What it rests on: an id or a name, or two names.
        score: How sure it is, from 0 to 1.
    """

    order: float
    one: str
    other: str
    method: str
    evidence: str
    score: float


class Forest:
    """Groups that grow together; each remembers its entities, and why they came in.

    Args:
        terms: Id of each entity → the vocabulary that tells it from its other terms; empty for one that may stand
            beside others.
        apart: Pairs of ids that a curator keeps apart.
    """

    def __init__(self, terms: Mapping[str, str], apart: Iterable[tuple[str, str]] = ()) -> None:
        self._terms = terms
        self._root = {key: key for key in terms}
        self._of: dict[str, list[str]] = {key: [key] for key in terms}
        self._edges: dict[str, list[EntityPair]] = defaultdict(list)
        self._apart: dict[str, list[str]] = defaultdict(list)
        for one, other in sorted(apart):
            if one in terms and other in terms:
                self._apart[one].append(other)
                self._apart[other].append(one)

    def root(self, key: str) -> str:
        """Name the group of an entity.

        Returns:
            Id of one of the group, the same for all of them until the group grows.
        """
        return self._root[key]

    def same(self, pair: EntityPair) -> bool:
        """Tell whether two entities are in one group."""
        return self._root[pair.one] == self._root[pair.other]

    def clash(self, pair: EntityPair) -> tuple[str, str] | None:
        """Find two entities that a pair would bring together, and that differ.

        Returns:
            The one of the first's group and the one of the second's: two that a curator keeps apart, or two terms of
            one vocabulary, which only a curator's own word brings together; None where there are none.
        """
        if self.same(pair):
            return None
        mine, theirs = self._of[self._root[pair.one]], self._of[self._root[pair.other]]
        if self._apart and (kept := self._kept_apart(mine, self._root[pair.other])):
            return kept
        if pair.method == ACCEPTED:
            return None
        terms = {self._terms[key]: key for key in reversed(mine) if self._terms[key]}
        return next(((terms[self._terms[key]], key) for key in theirs if self._terms[key] in terms), None)

    def _kept_apart(self, keys: Iterable[str], root: str) -> tuple[str, str] | None:
        found = ((key, other) for key in keys for other in self._apart.get(key, ()) if self._root[other] == root)
        return next(found, None)

    def join(self, pair: EntityPair) -> None:
        """Make one group of those that two entities are in."""
        if self.same(pair):
            return
        self._edges[pair.one].append(pair)
        self._edges[pair.other].append(pair)
        kept, gone = sorted(
            (self._root[pair.one], self._root[pair.other]), key=lambda root: (-len(self._of[root]), root)
        )
        for key in self._of[gone]:
            self._root[key] = kept
        self._of[kept] += self._of.pop(gone)

    def groups(self) -> list[list[str]]:
        """Give all groups.

        Returns:
            Their entities in the order of their ids.
        """
        return sorted(sorted(group) for group in self._of.values())

    def reasons(self) -> dict[str, EntityPair]:
        """Walk each group from its first entity.

        Returns:
            Each other entity with the pair by which it is reached.
        """
        reasons: dict[str, EntityPair] = {}
        for group in self._of.values():
            if len(group) > 1:
                came = self._walk(min(group))
                reasons |= {key: step[1] for key, step in came.items() if step}
        return reasons

    def chain(self, one: str, other: str, last: EntityPair) -> Iterator[EntityPair]:
        """Find the pairs that lead from one entity to another of a second group.

        Args:
            one: Where to begin; in the group of the last pair's first.
            other: Where to end; in the group of its second.
            last: The pair that would join the groups.

        Yields:
            The pairs, each of which has an entity of the one before.
        """
        yield from self._path(one, last.one)
        yield last
        yield from self._path(last.other, other)

    def _path(self, start: str, goal: str) -> list[EntityPair]:
        came = self._walk(start)
        path = []
        step = came[goal]
        while step:
            path.append(step[1])
            step = came[step[0]]
        return path[::-1]

    def _walk(self, start: str) -> dict[str, tuple[str, EntityPair] | None]:
        """Map all that is reached from an entity to where one came from, and by which pair."""
        came: dict[str, tuple[str, EntityPair] | None] = {start: None}
        todo = deque([start])
        while todo:
            here = todo.popleft()
            for pair in self._edges.get(here, ()):
                there = pair.other if pair.one == here else pair.one
                if there not in came:
                    came[there] = (here, pair)
                    todo.append(there)
        return came
