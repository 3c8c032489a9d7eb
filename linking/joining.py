"""Entities of different sources that mean the same, joined on evidence that anybody can check.

Pairs of entities are looked at from the surest to the least sure: what a source states itself, one's id among the
other's cross-references, cross-references that both have, concepts of the UMLS, names. A pair joins the groups that its
two are in, unless that would bring together two terms of one vocabulary, which it tells apart, or what a curator keeps
apart; such a pair is refused, and kept with the chain that would have done it. What is less sure than `CERTAIN` waits
as a proposal. What a curator accepted comes first, and may join two terms of one vocabulary.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ..patterns import threshold
from ..schema.prefixes import is_list
from .pairing import ACCEPTED, EntityPair, Member, key_of, pairs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Forest:
    """Groups that grow together; each remembers its entities, and why they came in.

    `terms` maps an entity's id to the vocabulary that tells it from its other terms, or to nothing.
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
        """Name the group of an entity: one of it, the same for all of them until the group grows."""
        return self._root[key]

    def same(self, pair: EntityPair) -> bool:
        """Tell whether two entities are in one group."""
        return self._root[pair.one] == self._root[pair.other]

    def clash(self, pair: EntityPair) -> tuple[str, str] | None:
        """Find two entities that differ, and that a pair would bring together from two groups.

        A curator keeps them apart, or they are terms of one vocabulary, which only a curator's own word joins.
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
        """Give all groups, by the ids of their entities."""
        return sorted(sorted(group) for group in self._of.values())

    def reasons(self) -> dict[str, EntityPair]:
        """Walk each group from its first entity: each other one with the pair by which it is reached."""
        reasons: dict[str, EntityPair] = {}
        for group in self._of.values():
            if len(group) > 1:
                came = self._walk(min(group))
                reasons |= {key: step[1] for key, step in came.items() if step}
        return reasons

    def chain(self, one: str, other: str, last: EntityPair) -> Iterator[EntityPair]:
        """Give the pairs that lead from one entity to another of a second group, which the last pair would join."""
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


_LEAST_DOUBT: Final = 1e-4  # doubt that is left of any pair but a curator's, so that none outweighs everything else
_DECIDED: Final = 1e6  # what a curator's word weighs
_LITTLE: Final = 1e-6  # what a move must gain, so that rounding moves nothing to and fro


class Weighing:
    """Groups whose entities can move, by pairs that are sure enough to join; `terms` and `apart` are as of `Forest`."""

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
        """Move entities until no move says more, and give the number of each one's group."""
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


CERTAIN: Final = threshold("linking.joining.certain")
# How what is a list's own word is found, the surest first: it counts where it leads to one thing only.
_TORN: Final = ("title", "initials")
_MISSPELT: Final = 85.0  # likeness in percent from which on a title is another's, misspelt


@dataclass(frozen=True, slots=True)
class RefusedPair:
    """A pair that would have joined two terms of one vocabulary, or what a curator keeps apart, by a chain of pairs."""

    pair: EntityPair
    terms: tuple[str, str]
    chain: tuple[EntityPair, ...]


@dataclass(frozen=True, slots=True)
class JoinedGroups:
    """What came of all pairs."""

    groups: list[list[str]]
    # Id of an entity → the pair that brought it into its group; none for the first of each.
    reasons: dict[str, EntityPair]
    proposals: list[EntityPair]
    refused: list[RefusedPair]
    # Pairs that are not sure enough, those included that would bring two terms of a vocabulary together.
    alike: list[EntityPair]


def join(members: Iterable[Member], decisions: Mapping[tuple[str, str], bool] | None = None) -> JoinedGroups:
    """Join entities that mean the same, in any order, and by what curators decided of two ids, sorted."""
    by_id = {member.id: member for member in members}
    decided = dict(decisions or {})
    rejected = {ids for ids, same in decided.items() if not same}
    found = [*pairs_of(by_id), *_accepted(by_id, decided)]
    pairs = sorted(pair for pair in found if (pair.one, pair.other) not in rejected)
    terms = {member.id: member.term for member in by_id.values()}
    first = Forest(terms, rejected)
    waiting, kept_out = _grow(first, pairs, by_id)
    sure = [pair for pair in pairs if waiting.get((pair.one, pair.other)) is not pair and pair.score >= CERTAIN]
    torn = {key for one in kept_out for key in (one.pair.one, one.pair.other, *one.terms)}
    group = Weighing(first.groups(), terms, sure, rejected).settle(torn)
    forest = Forest(terms, rejected)
    refused: dict[tuple[str, str], RefusedPair] = {}
    for pair in sorted(sure, key=lambda pair: group[pair.one] != group[pair.other]):
        _join(forest, pair, refused)
    alike = [pair for pair in waiting.values() if not forest.same(pair)]
    proposals = [pair for pair in alike if not forest.clash(pair)]
    return JoinedGroups(forest.groups(), forest.reasons(), proposals, list(refused.values()), alike)


def _grow(
    forest: Forest, pairs: Sequence[EntityPair], members: Mapping[str, Member]
) -> tuple[dict[tuple[str, str], EntityPair], list[RefusedPair]]:
    """Let groups grow pair by pair; and give the pairs that wait, and those that were not let in."""
    refused: dict[tuple[str, str], RefusedPair] = {}
    waiting: dict[tuple[str, str], EntityPair] = {}
    for _, step in groupby(sorted(pairs, key=_step), key=_step):
        together = list(step)
        torn = _Torn(forest, [pair for pair in together if pair.method in _TORN], members)
        for pair in together:
            if pair.score < CERTAIN or (pair.method in _TORN and torn(pair)):
                waiting.setdefault((pair.one, pair.other), pair)
            else:
                _join(forest, pair, refused)
    return waiting, list(refused.values())


def _join(forest: Forest, pair: EntityPair, refused: dict[tuple[str, str], RefusedPair]) -> None:
    ids = (pair.one, pair.other)
    if ids not in refused and (terms := forest.clash(pair)):
        refused[ids] = RefusedPair(pair, terms, tuple(forest.chain(*terms, pair)))
    elif ids not in refused:
        forest.join(pair)


def _step(pair: EntityPair) -> int:
    """Tell when a pair's turn is: after those by which it is seen whether a list's word leads to one thing only."""
    return _TORN.index(pair.method) + 1 if pair.method in _TORN else 0


class _Torn:
    """Titles of lists whose other names are those of several things, which they then cannot all be."""

    def __init__(self, forest: Forest, pairs: Sequence[EntityPair], members: Mapping[str, Member]) -> None:
        self._forest, self._members = forest, members
        self._roots = {key: forest.root(key) for pair in pairs for key in (pair.one, pair.other)}
        self._known = {forest.root(key) for key, member in members.items() if not is_list(member.vocabulary)}
        self._found: dict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            for title, there in self._sides(pair):
                self._found[title].add(there)

    def __call__(self, pair: EntityPair) -> bool:
        if self._forest.same(pair) or _is_misspelt(self._members[pair.one], self._members[pair.other]):
            return False
        return any(len(self._found[title]) > 1 or {title, there} <= self._known for title, there in self._sides(pair))

    def _sides(self, pair: EntityPair) -> Iterator[tuple[str, str]]:
        """Give the groups of a title that has the other's name or initials, and of the other."""
        for title, there in ((pair.one, pair.other), (pair.other, pair.one)):
            member = self._members[title]
            called = key_of(member.name) == pair.evidence
            if is_list(member.vocabulary) and called is (pair.method == "initials"):
                yield self._roots[title], self._roots[there]


def _is_misspelt(one: Member, other: Member) -> bool:
    from rapidfuzz import fuzz

    return fuzz.ratio(key_of(one.name), key_of(other.name)) >= _MISSPELT


def _accepted(members: Mapping[str, Member], decided: Mapping[tuple[str, str], bool]) -> Iterator[EntityPair]:
    for (one, other), same in decided.items():
        if same and one in members and other in members:
            yield EntityPair(-2.0, one, other, ACCEPTED, "a curator's decision", 1.0)
