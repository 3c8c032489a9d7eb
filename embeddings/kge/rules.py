"""The baseline that needs no vectors: rules of one or two steps, as AnyBURL learns them, and how often each is right.

Such as: what has a kind that is treated by something may be treated by it too. A rule counts by its confidence, the
share of what follows from it that is known; several that lead to the same count together as doubts that are multiplied.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from .ranks import Floats
    from .triples import Rows, Split

    Body = tuple[int, ...]

# Triples of a relation from which its rules are gathered, and beginnings by which a rule is judged; set by hand.
SAMPLE: Final = 500
RULES: Final = 50  # rules of a relation, at most: the surest
LEAST: Final = 3  # how often a rule holds, at least
DOUBT: Final = 5  # wrong guesses that are added to each rule's, so that one which hardly ever applies is not sure
FAN_OUT: Final = 500  # things that one step of a rule leads to, at most: through hubs anything follows from anything


class Rules:
    """Rules learned from the first part of a split of triples."""

    def __init__(self, parts: Split, seed: int) -> None:
        self._size = len(parts.triples.entities)
        self._kinds = len(parts.triples.relations)
        self._beside = _beside(parts.train, self._kinds)
        rng = np.random.default_rng(seed)
        self._rules = {kind: self._learned(kind, parts.train, rng) for kind in range(2 * self._kinds)}

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails, a row a question; 0 for what does not follow."""
        return self._scores(heads, relations)

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads."""
        return self._scores(tails, relations + self._kinds)

    def _scores(self, given: NDArray[np.int64], kinds: NDArray[np.int64]) -> Floats:
        doubts = np.ones((len(given), self._size), dtype=np.float32)
        for line, (start, kind) in enumerate(zip(given.tolist(), kinds.tolist(), strict=True)):
            for body, sure in self._rules[kind]:
                doubts[line, list(self._reached(start, body) - {start})] *= 1 - sure
        return 1 - doubts

    def _learned(self, kind: int, train: Rows, rng: np.random.Generator) -> list[tuple[Body, float]]:
        """Gather the rules of a relation, or of its inverse, from some of its triples, and judge the commonest."""
        pairs = train[train[:, 1] == kind % self._kinds][:, [0, 2]]
        pairs = pairs if kind < self._kinds else pairs[:, ::-1]
        drawn = pairs[rng.permutation(len(pairs))[:SAMPLE]].tolist()
        bodies = Counter(body for start, end in drawn for body in self._bodies(start, end, kind))
        starts = list(dict.fromkeys(start for start, _ in drawn))
        rules = []
        for body, times in bodies.most_common(4 * RULES):
            if times >= LEAST and (sure := self._confidence(kind, body, starts)) > 0:
                rules.append((body, sure))
        return sorted(rules, key=lambda rule: (-rule[1], rule[0]))[:RULES]

    def _bodies(self, start: int, end: int, kind: int) -> Iterator[Body]:
        """Yield every way from one to the other in one or two steps, but the relation itself."""
        firsts = self._beside.get(start, {})
        for first, reached in firsts.items():
            if first != kind and end in reached:
                yield (first,)
        turned = {step: ends for step, ends in self._beside.get(end, {}).items() if len(ends) <= FAN_OUT}
        for first, reached in firsts.items():
            if len(reached) <= FAN_OUT:
                for back, ends in turned.items():
                    if reached & ends - {start, end}:
                        yield first, self._inverse(back)

    def _confidence(self, kind: int, body: Body, starts: Iterable[int]) -> float:
        right = reached = 0
        for start in starts:
            found = self._reached(start, body) - {start}
            known = self._beside.get(start, {}).get(kind, set())
            reached += len(found)
            right += len(found & known)
        return right / (reached + DOUBT)

    def _reached(self, start: int, body: Body) -> set[int]:
        ends = {start}
        for step in body:
            ends = set[int]().union(
                *(found for end in ends if len(found := self._beside.get(end, {}).get(step, set())) <= FAN_OUT)
            )
        return ends

    def _inverse(self, step: int) -> int:
        return (step + self._kinds) % (2 * self._kinds)


def _beside(train: Rows, kinds: int) -> dict[int, dict[int, set[int]]]:
    """Give what stands beside each concept, by relation; the other way round by numbers behind those of relations."""
    beside: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for head, kind, tail in train.tolist():
        beside[head][kind].add(tail)
        beside[tail][kind + kinds].add(head)
    return {end: dict(steps) for end, steps in beside.items()}
