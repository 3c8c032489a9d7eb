"""Texts that instruct a program that reads them: no evidence, whatever else they say."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

_TABLE: Final = Path(__file__).with_name("instructing.tsv")


def instructs(text: str) -> bool:
    """Tell whether a text speaks to a program that reads it, and tells it what to say.

    Args:
        text: A title, a name, or the text of a section.

    Returns:
        Whether it does; a text for people that reads like that is left out too, which costs less.
    """
    plain = f". {small(text)}"  # so that the first words stand behind a mark, as those of every sentence do
    return any(pattern.search(plain) for pattern in _patterns().values())


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)
