"""Groups of entities weighed against each other: what more speaks for elsewhere goes there.

Pairs join groups from the surest on, and two terms of one vocabulary never meet, so the first to come keeps others out,
even where these have far more in common with the rest. Afterwards each entity that was part of such a conflict is tried
in the groups that it has pairs with; it moves, if need be in place of the term that kept it out, where all pairs
together then say more. Each move adds to what all pairs say, so that there is an end.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from .forest import ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .forest import EntityPair

_LEAST_DOUBT: Final = 1e-4
"""Doubt that is left of any pair but a curator's, so that none outweighs everything else."""

_DECIDED: Final = 1e6
"""What a curator's word weighs."""

_LITTLE: Final = 1e-6
"""What a move must gain, so that rounding moves nothing to and fro."""


class Weighing:
    """Groups whose entities can move.

    Args:
        terms: Id of each entity → the vocabulary that tells it from its other terms; empty for one that may stand
            beside others.
        pairs: Pairs that are sure enough to join.
        apart: Pairs of ids that a curator keeps apart.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[str]],
        terms: Mapping[str, str],
        pairs: Iterable[EntityPair],
        apart: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._terms = terms
        self._group = {key: number for number, group in enumerate(groups) for key in group}
        self._of: dict[int, set[str]] = defaultdict(set)
        for key, number in self._group.items():
            self._of[number].add(key)
        self._next = len(groups)
        self._weights: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
        for pair in pairs:
            weight = _DECIDED if pair.method == ACCEPTED else -math.log(max(1 - pair.score, _LEAST_DOUBT))
            for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
                self._weights[one][other] = weight, other if pair.method == "name" else pair.evidence
        self._apart = {*apart, *((other, one) for one, other in apart)}

    def settle(self, keys: Iterable[str]) -> dict[str, int]:
        """Move entities until no move says more.

        Args:
            keys: Ids of the entities that may move.

        Returns:
            The number of the group of each entity.
        """
        todo = sorted(set(keys))
        moved = True
        while moved:
            moved = False
            for key in todo:
                moved |= self._moved(key)
        return self._group

    def _moved(self, key: str) -> bool:
        """Move an entity to the best of the groups that it has pairs with, if that says more than where it is."""
        here = self._group[key]
        found = {self._group[other] for other in self._weights[key]} - {here}
        gains = [(gain, -there, kept_out) for there in sorted(found) for gain, kept_out in [self._gain(key, there)]]
        gain, there, kept_out = max(gains, default=(0.0, 0, ""))
        if gain <= _LITTLE:
            return False
        if kept_out:
            self._put(kept_out, here if self._fits(kept_out, here, key) else self._next)
            self._next += 1
        self._put(key, -there)
        return True

    def _gain(self, key: str, there: int) -> tuple[float, str]:
        """Weigh a move, and name the term that has to leave for it."""
        clashing = [other for other in self._of[there] if self._terms[key] and self._terms[other] == self._terms[key]]
        kept_out = clashing[0] if clashing else ""
        if len(clashing) > 1 or any((key, other) in self._apart for other in self._of[there] - {kept_out}):
            return 0.0, ""
        here = self._group[key]
        named = self._names(key, there) + (self._names(kept_out, here) if kept_out else 0)
        if named < self._names(key, here) + (self._names(kept_out, there) if kept_out else 0):
            return 0.0, ""
        gain = self._weight(key, there, kept_out) - self._weight(key, here)
        if kept_out:
            gain -= self._weight(kept_out, there)
            gain += self._weight(kept_out, here, key) if self._fits(kept_out, here, key) else 0.0
        return gain, kept_out

    def _fits(self, key: str, there: int, leaving: str) -> bool:
        """Tell whether nothing of a group keeps an entity out, once another has left."""
        others = self._of[there] - {leaving}
        term = self._terms[key]
        return not any((term and self._terms[other] == term) or (key, other) in self._apart for other in others)

    def _weight(self, key: str, there: int, without: str = "") -> float:
        """Add up what speaks for an entity in a group: names of others one by one, what else is the same once."""
        best: dict[str, float] = {}
        for other, (weight, evidence) in self._weights[key].items():
            if self._group[other] == there and other not in (key, without):
                best[evidence] = max(best.get(evidence, 0.0), weight)
        return sum(best.values())

    def _names(self, key: str, there: int) -> int:
        """Count the entities of a group that are called as an entity is."""
        others = self._weights[key].items() if key else ()
        return sum(self._group[other] == there and evidence == other for other, (_, evidence) in others)

    def _put(self, key: str, there: int) -> None:
        self._of[self._group[key]].discard(key)
        self._of[there].add(key)
        self._group[key] = there
