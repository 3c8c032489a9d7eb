"""Salvages records with values that cannot be held: a date that does not exist, no title.

What was changed or left out is noted for a remark, which is made once, not about each thing: the record stays.
"""

from __future__ import annotations

import math
import re
from dataclasses import fields
from datetime import date as calendar_date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..errors import RecordError
from ..schema.checks import check_date
from ..schema.records import Entity, Relation, Value
from .base import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Kind = TypeVar("Kind", Entity, Relation)


UNTITLED: Final = "[No title available]"  # What PubMed shows for a citation without a title
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_BEFORE_DOI: Final = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"(\d{4})[-/.](\d{1,2})(?!\d)(?:[-/.](\d{1,2})(?!\d))?")
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_ENDS: Final = "uary|ruary|ch|il|e|y|ust|t|tember|ober|ember"
_MONTH: Final = re.compile(
    rf"(?:(?<!\d)(?P<before>\d{{1,2}})(?:st|nd|rd|th)?[-. ]+)?\b(?P<month>{'|'.join(_MONTHS)})(?:{_ENDS})?\b"
    r"(?:[-., ]+(?P<after>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?! ?[-\u2013] ?\d{1,2}(?!\d)))?",
    re.IGNORECASE,
)

_NEEDED: Final = {Entity: ("id", "label", "name"), Relation: ("subject", "type", "object", "predicate")}
_WIDEST: Final = 1 << 63


@lru_cache(maxsize=1 << 14)
def partial_date(said: str) -> str:
    """Give a date as far as it is one: of `Sep 31, 2012`, `2012/9`, `Spring 2012` or `1998 Dec-1999 Jan`.

    In ISO's form: its first day, month or year, `2012-09` for a day that does not exist; empty where there is no year.
    """
    if not (year := _YEAR.search(said)):
        return _iso(*found.groups()) if (found := _COMPACT.fullmatch(said)) else ""
    if named := _MONTH.search(said):
        month = _MONTHS.index(named["month"][:3].lower()) + 1
        return _iso(year[0], month, named["after"] or named["before"])
    found = _NUMBERS.search(said)
    return _iso(*found.groups()) if found else year[0]


def _iso(year: str, month: int | str | None = None, day: str | None = None) -> str:
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


def dated(said: str, notes: list[str]) -> str:
    """Read a date in whatever form; a note tells where there is none, or no such month or day."""
    found = partial_date(said)
    numbers = _COMPACT.fullmatch(said.strip()) or _NUMBERS.search(said)
    stated = sum(map(bool, numbers.groups())) - 1 if numbers else 0
    if said.strip() and (not found or found.count("-") < stated):
        notes.append(f"the date {said[:60]!r} is kept as {found}" if found else f"{said[:60]!r} is no date; left out")
    return found


def doi(said: str, _: list[str]) -> str:
    """Give a DOI without the address, or the word, in front of it."""
    return _BEFORE_DOI.sub("", said.strip())


def title(said: str, notes: list[str]) -> str:
    """Give a title, or what stands for none."""
    if said.strip():
        return said
    notes.append(f"it has no title, and is called {UNTITLED!r}")
    return UNTITLED


def remarks(notes: Iterable[str], what: str, file: str, line: int) -> Iterator[Remark]:
    """Make remarks of notes on a record, which `what` names for people."""
    for note in notes:
        yield Remark(file, line, f"{what}: {note}")


def storable(value: Value) -> Value:
    """Give a number as a text that the graph cannot hold as a number: one of more than 64 bits, infinity, nan."""
    if isinstance(value, int):
        return value if -_WIDEST <= value < _WIDEST else str(value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def finite(value: Any) -> float | None:
    """Read a finite number; None for anything else."""
    try:
        found = None if isinstance(value, bool | list | dict) or value is None else float(value)
    except (ValueError, OverflowError):
        return None
    return found if found is not None and math.isfinite(found) else None


def salvaged(kind: type[Kind], values: Mapping[str, Any]) -> tuple[Kind, list[str]]:
    """Make a record of what can be held, if it has what it needs; give it, and why each other thing is left out."""
    try:
        return kind(**values), []
    except RecordError:
        kept = {name: values[name] for name in _NEEDED[kind] if name in values}
        kind(**kept)
    lost: list[str] = []
    for field in fields(kind):
        if field.name in values and field.name not in kept:
            value = values[field.name]
            items = value if isinstance(value, tuple) else (value,)
            good = [item for item in items if _fits(kind, kept, field.name, item, lost, several=value is items)]
            if good:
                kept[field.name] = tuple(good) if value is items else good[0]
    return kind(**kept), lost


def _fits(kind: type[Kind], kept: Mapping[str, Any], name: str, item: Any, lost: list[str], *, several: bool) -> bool:
    try:
        kind(**{**kept, name: (item,) if several else item})
    except RecordError as error:
        lost.append(str(error))
        return False
    return True


class Remarks:
    """Collects remarks until they are taken, each once for a load."""

    def __init__(self) -> None:
        self._made: set[str] = set()
        self._new: list[Remark] = []

    def add(self, key: str, file: str, line: int, text: str) -> None:
        """Make a remark, unless one of the same key was made before."""
        if key not in self._made:
            self._made.add(key)
            self._new.append(Remark(file, line, text))

    def take(self) -> Iterator[Remark]:
        """Hand out the remarks that were made since the last time, in their order."""
        new, self._new = self._new, []
        yield from new


class LeftOut:
    """Counts what a reader leaves out, by kind, with the first of each; `medgraph audit --check unread` lists it."""

    def __init__(self) -> None:
        self.total = 0
        self._found: dict[str, tuple[int, str, str, int]] = {}

    def add(self, what: str, example: str, file: str, line: int, count: int = 1) -> None:
        """Count something, in the plural and with the reason."""
        if count:
            before = self._found.get(what, (0, example, file, line))
            self._found[what] = before[0] + count, *before[1:]
            self.total += count

    @classmethod
    def columns(cls, names: Sequence[str], file: str) -> Iterator[Remark]:
        """Make the remark on columns that no reader takes up."""
        left_out = cls()
        left_out.add(f"columns are not read ({', '.join(names)})", "", file, 0, len(names))
        return left_out.remarks()

    @classmethod
    def files(cls, names: Sequence[str], folder: str) -> Iterator[Remark]:
        """Make the remark on files of a folder or an archive that no reader takes up."""
        left_out = cls()
        listed = ", ".join(sorted(name.replace("\\", "/").rpartition("/")[2] for name in names))
        left_out.add(f"files are not read ({listed[:200]})", "", folder, 0, len(names))
        return left_out.remarks()

    def remarks(self) -> Iterator[Remark]:
        """Make a remark for each kind of thing that was left out, with its count, at the place of the first."""
        for what, (count, example, file, line) in sorted(self._found.items()):
            first = f", the first is {example[:200]}" if example else ""
            yield Remark(file, line, f"{what}: {count:,}{first}", what, count, example[:200])
