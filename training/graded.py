"""Real questions to learn from: MeQSum's, with sections that were graded by reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..evaluation.messages import Message

GRADES: Final = {1: 0.0, 2: 0.1, 3: 0.8, 4: 1.0}
"""How much a graded section answers."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A question of which sections were graded by reading.

    Attributes:
        grades: Section → grade.
    """

    texts: Sequence[str]
    grades: Mapping[str, int]


def graded_of(messages: Sequence[Message], grades: Mapping[str, Mapping[str, int]]) -> list[Graded]:
    """Pair messages with their grades."""
    return [Graded((one.short, one.text), grades[one.id]) for one in messages if one.id in grades]
