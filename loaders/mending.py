"""What of a record can be held where its source says something that cannot: a date that does not exist, no title.

Each function notes what it changed or left out, for a remark: the record stays.
"""

from __future__ import annotations

import re
from datetime import date as calendar_date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..errors import RecordError
from ..schema.checks import check_date
from .base import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UNTITLED: Final = "[No title available]"
"""What PubMed shows for a citation without a title."""

_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_NUMBERS: Final = re.compile(r"(\d{4})[-/.](\d{1,2})(?!\d)(?:[-/.](\d{1,2})(?!\d))?")
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_ENDS: Final = "uary|ruary|ch|il|e|y|ust|t|tember|ober|ember"
_MONTH: Final = re.compile(
    rf"(?:(?<!\d)(?P<before>\d{{1,2}})(?:st|nd|rd|th)?[-. ]+)?\b(?P<month>{'|'.join(_MONTHS)})(?:{_ENDS})?\b"
    r"(?:[-., ]+(?P<after>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?! ?[-\u2013] ?\d{1,2}(?!\d)))?",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 14)
def partial_date(said: str) -> str:
    """Give a date as far as it is one.

    Args:
        said: Such as `2012-09-31`, `Sep 31, 2012`, `2012/9`, `Spring 2012`, `1998 Dec-1999 Jan`.

    Returns:
        Its first day, month or year in ISO's form, `2012-09` for a day that does not exist; empty where there is no
        year.
    """
    if not (year := _YEAR.search(said)):
        return _iso(*found.groups()) if (found := _COMPACT.fullmatch(said)) else ""
    if named := _MONTH.search(said):
        month = _MONTHS.index(named["month"][:3].lower()) + 1
        return _iso(year[0], month, named["after"] or named["before"])
    found = _NUMBERS.search(said)
    return _iso(*found.groups()) if found else year[0]


def _iso(year: str, month: int | str | None = None, day: str | None = None) -> str:
    """Give a year with its month and day as far as they exist."""
    for parts in ((year, month, day), (year, month, 1), (year, 1, 1)):
        if None not in parts:
            try:
                found = calendar_date(*map(int, parts)).isoformat()  # type: ignore[arg-type]
            except ValueError:
                continue
            return found if parts[2] == day else found[:7] if parts[1] == month else year
    return ""


def date(said: str, notes: list[str]) -> str:
    """Read a date; a note tells where it is not what was said."""
    said = said.strip()
    try:
        if said:
            check_date(said)
    except RecordError:
        found = partial_date(said)
        notes.append(f"the date {said[:60]!r} is kept as {found}" if found else f"{said[:60]!r} is no date; left out")
        return found
    return said


def title(said: str, notes: list[str]) -> str:
    """Give a title, or what stands for none."""
    if said.strip():
        return said
    notes.append(f"it has no title, and is called {UNTITLED!r}")
    return UNTITLED


def remarks(notes: Iterable[str], what: str, file: str, line: int) -> Iterator[Remark]:
    """Make remarks of notes.

    Args:
        what: The record, for people.
    """
    for note in notes:
        yield Remark(file, line, f"{what}: {note}")
