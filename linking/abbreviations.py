"""Short forms that a text explains itself: `glucose-6-phosphate dehydrogenase (G6PD) deficiency`.

The algorithm is that of Schwartz and Hearst (A simple algorithm for identifying abbreviation definitions in biomedical
text, Pacific Symposium on Biocomputing 2003), which scispaCy's detector uses too: the letters of the short form are
looked for from right to left in the words before the bracket, the first at the beginning of a word. Where they are not
there in this order, the words' first letters may be, in any order, as DM for myotonic dystrophy.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from .words import Word, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_BRACKET: Final = re.compile(r"\(([^()\[\]]{1,60})\)")
_SHORT: Final = re.compile(r"[^\W_][^\s,;:]{0,9}(?: [^\s,;:]{1,5})?")
_FIRST: Final = re.compile(r"[,;:]| or ")
_WORD: Final = re.compile(r"\S+")
_MAX_EXTRA: Final = 5  # words that a long form may have more than its short form has letters
_AROUND: Final = 6  # words before and behind a short form that may belong to one name with it
_NO_WORD: Final = "\0"

_NEAR: Final = 300  # characters before a bracket in which its long form is looked for


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form, and where what it stands for begins and ends in the text."""

    short: str
    start: int
    end: int


def find_abbreviations(text: str) -> list[Abbreviation]:
    """Find the short forms that a text explains, each once with its first long form, in the order of the text."""
    found: dict[str, Abbreviation] = {}
    for bracket in _BRACKET.finditer(text):
        inside = _FIRST.split(bracket[1])[0].strip(" \"'")
        if not _is_short(inside):
            continue
        words = min(len(_letters(inside)) + _MAX_EXTRA, 2 * len(_letters(inside)))
        start = _words_before(text, bracket.start(), words)
        end = start + len(text[start : bracket.start()].rstrip())
        if (begin := _aligned(inside, text, start, end)) is not None or (
            begin := _initials(inside, text, start, end)
        ) is not None:
            found.setdefault(inside, Abbreviation(inside, begin, end))
    return list(found.values())


def expanded(text: str, found: Sequence[Word], short: Mapping[str, Abbreviation]) -> list[Word]:
    """Write the long forms out where their short forms stand, each with what stands around it, at its place.

    A word that no name has is between one short form and the next. Words inside a long form begin where the short form
    ends, and end where it begins, so that a run that has only some of them does not hold the short form.
    """
    written: list[Word] = []
    for name, abbreviation in short.items():
        long = words(text[abbreviation.start : abbreviation.end])
        for match in re.finditer(rf"(?<![\w-]){re.escape(name)}s?(?!\w)", text):
            start, end = match.span()
            inside = [replace(word, start=end, end=start) for word in long]
            inside[0] = replace(inside[0], start=start)
            inside[-1] = replace(inside[-1], end=end)
            first = bisect_left(found, start, key=attrgetter("start"))
            last = bisect_left(found, end, key=attrgetter("start"))
            around = found[max(0, first - _AROUND) : first], found[last : last + _AROUND]
            written += [*around[0], *inside, *around[1], Word(end, end, _NO_WORD)]
    return written


def is_explained(word: Word, short: Iterable[Abbreviation], text: str) -> bool:
    """Tell whether a word is one of the `short` forms that stand in brackets behind their long forms."""
    return any(
        a.end < word.start <= a.end + len(a.short) + 3
        and "(" in text[a.end : word.start]
        and word.end <= text.find(")", a.end)
        for a in short
    )


def _is_short(text: str) -> bool:
    letters = _letters(text)
    return bool(_SHORT.fullmatch(text)) and 2 <= len(letters) <= 10 and any(c.isupper() for c in text)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _words_before(text: str, end: int, count: int) -> int:
    """Find where the last words before a place begin; a sentence's end stops it."""
    start, begin = end, max(0, end - _NEAR)
    for match in reversed(list(_WORD.finditer(text, begin, end))):
        if count <= 0 or (match[0].endswith((".", ";", ")")) and start != end):
            break
        start = match.start()
        count -= 1
    return start


def _aligned(short: str, text: str, start: int, end: int) -> int | None:
    """Find where the long form begins; None when the letters are not there in their order."""
    letters = _letters(short).lower()
    position = end
    for number in range(len(letters) - 1, -1, -1):
        position -= 1
        while position >= start and not (
            text[position].lower() == letters[number]
            and (number > 0 or position == start or not text[position - 1].isalnum())
        ):
            position -= 1
        if position < start:
            return None
    long = text[position:end]
    if len(long) <= len(short) or short.lower() in re.split(r"\W+", long.lower()):
        return None
    return position


def _initials(short: str, text: str, start: int, end: int) -> int | None:
    """Find where the words begin whose first letters the short form has in another order: DM, myotonic dystrophy."""
    letters = sorted(_letters(short).lower())
    words = list(re.finditer(r"[^\W_]+", text[start:end]))[-len(letters) :]
    if len(words) < len(letters) or len(letters) > _MAX_EXTRA:
        return None
    return start + words[0].start() if sorted(word[0][0].lower() for word in words) == letters else None
