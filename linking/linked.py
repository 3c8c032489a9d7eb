"""Result of entity linking for a span of text, and the choice among overlapping spans."""

from __future__ import annotations

import sys
from bisect import bisect, bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..patterns import threshold

if TYPE_CHECKING:
    from collections.abc import Iterable

SYNONYM_SCORE: Final = threshold("linking.linked.synonym")
SPELLING: Final = "spelling"  # the method of what is misspelt
WORDING: Final = "wording"  # the method of names in other words
# The methods of names that stand in a text as vocabularies have them, and in another order or other forms.
AS_IT_STANDS: Final = "name"
OTHERWISE: Final = ("word order", "same sense")


@dataclass(frozen=True, slots=True)
class Linked:
    """What a run of a text, or a name, stands for: the numbers of an entity and of its name that was recognised."""

    start: int
    end: int
    entity: int
    name: int
    matched: str
    method: str
    score: float  # how sure it is, from 0 to 1
    doubtful: bool = False  # whether the words may be everyday ones, so that something else has to speak for the name


def apart(spans: Iterable[Linked]) -> list[Linked]:
    """Choose from what overlaps the longest, then the surest.

    But a name in other words or in another order takes no part of one as it stands: `Wilson disease inherited` is no
    inherited disease.
    """
    kept: list[Linked] = []
    taken: set[int] = set()
    spans = list(spans)
    named = [(span.start, span.end) for span in spans if span.method == AS_IT_STANDS]
    starts, ends = sorted(named), sorted((end, start) for start, end in named)
    whole = [span for span in spans if span.method not in OTHERWISE or not _is_cut(span, starts, ends)]
    for span in sorted(whole, key=lambda s: (-(s.end - s.start), -s.score, s.start)):
        if taken.isdisjoint(range(span.start, span.end)):
            kept.append(span)
            taken.update(range(span.start, span.end))
    return kept


def _is_cut(span: Linked, starts: list[tuple[int, int]], ends: list[tuple[int, int]]) -> bool:
    """Tell whether a name overlaps the span, and neither holds the other; names stand by their starts, and by ends."""
    inside = starts[bisect(starts, (span.start, sys.maxsize)) : bisect_left(starts, (span.end,))]
    before = ends[bisect(ends, (span.start, sys.maxsize)) : bisect_left(ends, (span.end,))]
    return any(end > span.end for _, end in inside) or any(start < span.start for _, start in before)
