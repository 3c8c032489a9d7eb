"""The net: what differs between a claim and what it is checked against, so that the one does not say the other."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from ...queries import fusion
from ...queries.salience import stem
from .statement import LABEL, statement, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .statement import Direction, Number, Statement

NUMBER: Final = "number"
UNIT: Final = "unit"
NEGATION: Final = "negation"
DIRECTION: Final = "direction"
PART: Final = "part"
NAME: Final = "name"

# What can differ, and what of it can be said the other way round.
KINDS: Final = (NUMBER, UNIT, NEGATION, DIRECTION, PART, NAME)
OPPOSABLE: Final = (NUMBER, UNIT, NEGATION, DIRECTION)

RARE: Final = 5.0  # how much a word must tell to count as the name of something; chosen on the half dev

# A verb whose two sides are not the same.
_ONE_WAY: Final = re.compile(
    r"\b(?P<passive>(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+|also\s+|often\s+|sometimes\s+)?)?"
    r"\b(?P<verb>(?!(?:associated|related|connected|linked|called|named|compared|combined)\b)[a-z]{3,}ed"
    r"|(?:cause|treat|prevent|lower|raise|reduce|increase|worsen|affect|produce|need)s?)\b",
    re.IGNORECASE,
)

_UNTOLD: Final = frozenset(("1", "0.5"))  # numbers that stand for a word as often: one of them, half of it


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a claim compares with what it is checked against.

    Attributes:
        covered: The share of its words that the other text has, rare words counting more.
        missing: How much the word tells that the other text lacks and that tells most; 0 where it lacks none.
        differ: What differs: what the claim says and the other text does not.
        opposed: What of it the other text says otherwise.
    """

    covered: float
    missing: float
    differ: frozenset[str]
    opposed: frozenset[str]

    @property
    def fits(self) -> bool:
        """Whether nothing differs."""
        return not self.differ


def compare(claim: str, evidence: str, apart: frozenset[str] = frozenset(), about: str = "") -> Comparison:
    """Compare a claim with a text that may say so.

    Args:
        apart: Forms of words that count for nothing, such as the name of what both are about.
        about: The title and heading over the text, for a claim in words of its own, which may say what these say.
    """
    mine, other, over = statement(claim), statement(evidence), statement(about)
    words = set(mine.words) - apart - (set(over.words) - set(other.words))
    missing = words - set(other.words)
    most = max(map(tells, missing), default=0.0)
    left = [n for n in (Counter(mine.numbers) - Counter(other.numbers)) if n.value not in _UNTOLD or n.unit]
    left = [n for n in left if n.unit != LABEL or n not in over.numbers]
    found = {
        NUMBER: bool(left) and not _same_values(left, other),
        UNIT: bool(left) and _same_values(left, other),
        NEGATION: mine.negations > other.negations or bool((mine.negated ^ other.negated) & words & set(other.words)),
        DIRECTION: _unmatched(mine, other, over),
        PART: not set(Counter(mine.parts) - Counter(other.parts)) <= set(over.parts),
        NAME: most >= RARE or not missing.isdisjoint(table().substances),
    }
    opposed = {
        NUMBER: found[NUMBER] and _counts_otherwise(mine, other),
        UNIT: found[UNIT] and all(number.unit for number in left) and all(n.unit for n in other.numbers),
        NEGATION: found[NEGATION] and bool(mine.negations) != bool(other.negations),
        DIRECTION: found[DIRECTION] and _turned(mine, other),
    }
    total, lost = (sum(map(tells, some)) for some in (words, missing))
    return Comparison(
        1 - lost / total if total else 0.0,
        most,
        frozenset(name for name, is_so in found.items() if is_so),
        frozenset(name for name, is_so in opposed.items() if is_so),
    )


def turns(claim: str, evidence: str) -> bool:
    """Tell whether a claim has the two sides of a verb the other way round: who treats what."""
    there: dict[tuple[bool, str], tuple[frozenset[str], frozenset[str]]] = {}
    for place in _ONE_WAY.finditer(evidence):
        there.setdefault(_verb(place), _sides(evidence, place))
    for place in _ONE_WAY.finditer(claim):
        before, behind = _sides(claim, place)
        first, last = there.get(_verb(place), (frozenset(), frozenset()))
        if before & (last - first) and behind & (first - last):
            return True
    return False


def _verb(place: re.Match[str]) -> tuple[bool, str]:
    return bool(place["passive"]), place["verb"].lower()


def _sides(text: str, place: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(statement(text[: place.start()]).words), frozenset(statement(text[place.end() :]).words)


@cache
def tells(word: str) -> float:
    """Tell how much a word tells."""
    model = fusion.model()
    return model.rarity(stem(word))


def _same_values(left: Sequence[Number], other: Statement) -> bool:
    """Tell whether the numbers that are left of a claim stand in the other text, only with another unit."""
    return {number.value for number in left} <= {number.value for number in other.numbers}


def _counts_otherwise(mine: Statement, other: Statement) -> bool:
    """Tell whether the other text counts or measures the same by other numbers alone."""
    theirs = {unit: {n.value for n in other.numbers if n.unit == unit} for unit in {n.unit for n in other.numbers}}
    units = {number.unit for number in mine.numbers} & theirs.keys() - {""}
    return any(theirs[unit].isdisjoint({n.value for n in mine.numbers if n.unit == unit}) for unit in units)


def _unmatched(mine: Statement, other: Statement, over: Statement) -> bool:
    """Tell whether a claim has more words of one direction than the other texts, or has one turned round."""
    left = Counter(side for one in (*other.directions, *over.directions) for side in one.sides)
    for one in mine.directions:
        side = max(one.sides, key=lambda side: left[side])
        if left[side] <= 0:
            return True
        left[side] -= 1
    return _turned(mine, other)


def _turned(mine: Statement, other: Statement) -> bool:
    """Tell whether both texts say opposite things of one word."""
    return any(_opposes(one, two) for one in mine.directions for two in other.directions) and not all(
        any(one.sides & two.sides and one.about == two.about for two in other.directions) for one in mine.directions
    )


def _opposes(one: Direction, other: Direction) -> bool:
    if one.sides & other.sides or one.about != other.about:
        return False
    return any((pair, 1 - side) in other.sides for pair, side in one.sides)
