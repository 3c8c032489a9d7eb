"""Texts that instruct a program that reads them: no evidence, whatever else they say."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small

if TYPE_CHECKING:
    from collections.abc import Mapping

WEIGHTS: Final = {"machine": 3, "text": 2, "telling": 1}
MOST: Final = 5
"""What the words of the last kinds count, and from which sum in a sentence on they tell of a program; set by hand."""

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TABLE: Final = Path(__file__).with_name("instructing.tsv")


def instructs(text: str) -> bool:
    """Tell whether a text speaks to a program that reads it, and tells it what to say.

    Args:
        text: A title, a name, or the text of a section.

    Returns:
        Whether it does; a text for people that reads like that is left out too, which costs less.
    """
    plain = f". {small(text)}"  # so that the first words stand behind a mark, as those of every sentence do
    patterns = _patterns()
    if any(pattern.search(plain) for kind, pattern in patterns.items() if kind not in WEIGHTS):
        return True
    return any(
        sum(weight * len(set(patterns[kind].findall(sentence))) for kind, weight in WEIGHTS.items()) >= MOST
        for sentence in _SENTENCE.split(plain)
    )


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)
