"""Entities of different sources that mean the same, joined on evidence that anybody can check.

Pairs of entities are looked at from the surest to the least sure: what a source states itself, one's id among the
other's cross-references, cross-references that both have, concepts of the UMLS, names. A pair joins the groups that its
two are in, unless that would bring together two terms of one vocabulary, which it tells apart, or what a curator keeps
apart; such a pair is refused, and kept with the chain that would have done it. What is less sure than `CERTAIN` waits
as a proposal. What a curator accepted comes first, and may join two terms of one vocabulary.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ..schema.prefixes import is_list
from .forest import ACCEPTED, EntityPair, Forest, Weighing
from .member import key_of
from .pairing import pairs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .member import Member

CERTAIN: Final = 0.9  # from this score on, a pair joins; below, it waits for a curator
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
    """What came of all pairs.

    Attributes:
        groups: Members of each group in the order of their ids, groups of one included.
        reasons: Id of an entity → the pair that brought it into its group; none for the first of each.
        proposals: Pairs that are not sure enough, of entities in different groups.
        alike: Pairs that are not sure enough, those included that would bring two terms of a vocabulary together.
    """

    groups: list[list[str]]
    reasons: dict[str, EntityPair]
    proposals: list[EntityPair]
    refused: list[RefusedPair]
    alike: list[EntityPair]


def join(members: Iterable[Member], decisions: Mapping[tuple[str, str], bool] | None = None) -> JoinedGroups:
    """Join entities that mean the same; the same groups for the same entities in any order.

    Args:
        decisions: What curators decided: two ids in alphabetical order → whether they mean the same.
    """
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
    """Join two groups, or note why they were not joined."""
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
