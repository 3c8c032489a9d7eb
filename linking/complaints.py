"""Recognises complaints about a body part as symptoms: `my fingers tingle`, `numb fingers`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines
from .words import normalise, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .words import Word

_TABLE: Final = Path(__file__).with_name("complaints.tsv")
_PARTS: Final = "@parts"
_ANY: Final = "*"

_NONE: Final = "-"

# What stands between a part of the body and what is said of it.
_BETWEEN: Final = re.compile(
    r"(?: (?:is|are|was|were|am|been|has been|have been|gets?|getting|go|goes|going|got|went|feels?|felt|keeps?|kept|"
    r"starts?|started|looks?|really|very|so|always|often|constantly|sometimes|also|just|still|all|a bit|a lot|both|too|"
    r"to))*? ",
    re.IGNORECASE,
)
# What stands between how a part is and the part.
_OF: Final = re.compile(
    r" (?:(?:in|on|of|around|behind|under|below|above|inside|near|both|all) )*"
    r"(?:(?:the|my|your|his|her|our|their|both|left|right|one) )*",
    re.IGNORECASE,
)
# What stands before a part of which something is said: a hand burn is none.
_OWN: Final = re.compile(
    r"\b(?:my|your|his|her|our|their|the|one|both|left|right|do|does|why)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE
)
_LONGEST: Final = 40  # characters between a part and what is said of it, and before the part, that are looked at


@dataclass(frozen=True, slots=True)
class _Complaint:
    parts: frozenset[str]
    names: tuple[str, ...]
    does: bool


@cache
def _complaints() -> Mapping[str, Sequence[_Complaint]]:
    """Read the table: each word that is said of a part → what it may be."""
    lines = [line.split("\t") for _, line in table_lines(_TABLE)]
    every = _normal(next(cells[1] for cells in lines if cells[0] == _PARTS))
    found: dict[str, list[_Complaint]] = defaultdict(list)
    for does, is_so, parts, names in (cells for cells in lines if cells[0] != _PARTS):
        its = every if parts == _ANY else _normal(parts)
        for said, verb in ((does, True), (is_so, False)):
            for word in said.split() if said != _NONE else ():
                found[word].append(_Complaint(its, tuple(names.split("; ")), verb))
    return found


def _normal(parts: str) -> frozenset[str]:
    return frozenset(map(normalise, parts.split()))


def complaints(text: str, found: Sequence[Word]) -> Iterator[tuple[int, int, list[list[Word]]]]:
    """Find what a question says of parts of the body.

    Yields:
        Number of the first word and of the one behind the last, and the names of the symptom, the likeliest first.
    """
    known = _complaints()
    for at, word in enumerate(found):
        for one in known.get(text[word.start : word.end].lower(), ()):
            part = _part(text, found, at, one)
            if part is not None:
                name = text[found[part].start : found[part].end].lower()
                names = [words(each.format(name)) for each in one.names]
                yield min(at, part), max(at, part) + 1, names
                break


def _part(text: str, found: Sequence[Word], at: int, one: _Complaint) -> int | None:
    """Find the part of the body of which something is said."""
    start, end = found[at].start, found[at].end
    for part in range(at - 1, -1, -1):
        between = text[found[part].end : start]
        if len(between) > _LONGEST:
            break
        if found[part].normal in one.parts and _BETWEEN.fullmatch(between):
            return part if not one.does or _is_own(text, found[part]) else None
    for part in range(at + 1, len(found) if not one.does else 0):
        between = text[end : found[part].start]
        if len(between) > _LONGEST:
            break
        if found[part].normal in one.parts and _OF.fullmatch(between):
            return part
    return None


def _is_own(text: str, part: Word) -> bool:
    """Tell whether a part stands where something is said of it, and is no first half of a name (`hand burns`)."""
    return bool(_OWN.search(text[max(0, part.start - _LONGEST) : part.start]))
