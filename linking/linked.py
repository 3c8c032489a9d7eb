"""What a run of a text stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

SYNONYM_SCORE: Final = 0.97
"""How sure an exact synonym is."""

SPELLING: Final = "spelling"
"""The method of what is misspelt."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What a run of a text, or a name, stands for.

    Attributes:
        start: Where it begins, in characters of the text.
        end: Where it ends.
        entity: Number of the entity.
        name: Number of its name that was recognised.
        matched: That name.
        method: How.
        score: How sure it is, from 0 to 1.
    """

    start: int
    end: int
    entity: int
    name: int
    matched: str
    method: str
    score: float


def apart(spans: Iterable[Linked]) -> list[Linked]:
    """Choose from what overlaps.

    Args:
        spans: What runs of a text stand for.

    Returns:
        The longest of those that overlap, then the surest.
    """
    kept: list[Linked] = []
    taken: set[int] = set()
    for span in sorted(spans, key=lambda s: (-(s.end - s.start), -s.score, s.start)):
        if taken.isdisjoint(range(span.start, span.end)):
            kept.append(span)
            taken.update(range(span.start, span.end))
    return kept
