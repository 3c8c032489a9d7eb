"""Titles of health pages: whether one names a condition that people have, or speaks about something else.

The words that tell stand in `titles.tsv`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns, small

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

_TABLE: Final = Path(__file__).with_name("titles.tsv")

_LONGEST: Final = 300
"""Characters of the longest title that may name a condition; the longest in MedQuAD has half as many."""


def names_condition(title: str, category: str, *, of_diseases: bool = False) -> bool:
    """Tell whether a title names one condition that people have: a disease, injury, finding or complaint.

    Args:
        title: A page's title, such as `Gout` or `Gout - discharge`.
        category: What its source takes it for: `Disease`, `Other` or nothing.
        of_diseases: Whether its collection has pages on diseases only.

    Returns:
        False for what is about a condition (`Diabetes and exercise`), for tests, treatments, body parts and ways of
        life, and for what is longer than any title.
    """
    title = small(title.strip())
    plain = _patterns()["form"].sub("", title)
    if not plain or len(title) > _LONGEST or _has("about", title) or _has("begins", title if of_diseases else plain):
        return False
    if of_diseases and category == "Disease":
        return True
    return _names_one(plain) and (_is_not_against_one(plain) if category == "Disease" else _is_condition(title, plain))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)


def _has(kind: str, text: str) -> bool:
    return bool(_patterns()[kind].search(text))


def _names_one(title: str) -> bool:
    """Tell whether a title names one thing, and not two, nor only a quality."""
    if _has("two", title.partition(" - ")[0]) and not _has("one of two", title):
        return False
    return not _has("quality", title) or _has("condition", title)


def _is_not_against_one(title: str) -> bool:
    """Tell whether what a source takes for a disease is not rather something against it."""
    if not _has("means", title):
        return True
    for_what = " for " in title and _has("means", title.partition(" for ")[0])
    return not for_what and _has("condition", title.partition(" - ")[0].split()[-1])


def _is_condition(title: str, plain: str) -> bool:
    """Tell whether what a source does not take for a disease is one."""
    return (_has("condition", plain) or _has("state", title)) and not _has("means", plain)
