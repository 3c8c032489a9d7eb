"""Whether a sentence says of a thing what its section is about: that it is a cause, a complication, a treatment.

The words that tell stand in `statements.tsv`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE: Final = Path(__file__).with_name("statements.tsv")

_LIST: Final = 400
"""Characters from the head of a list to what stands in it, at most."""

_BEFORE: Final = 250
_BEHIND: Final = 80
"""Characters of the sentence that are looked at for what tells of something else: lists come as one long sentence."""

_HEAD: Final = re.compile(r":(?=\s)|\b(?:are|include|including)\s*\n")
"""What ends the head of a list: `You should avoid eating:`, or a line `Signs of dehydration are`."""

_BEGINS: Final = re.compile(r"[.:\n]")
"""What stands before the head of a list."""

_ITEM: Final = re.compile(
    r"(?:^|\n|[:;.]\s|\s[-•*_])[\s\d().*•_-]*(?:(?:an?|the|severe|chronic|having)\s)?\Z", re.IGNORECASE
)
"""What ends where a line or an item of a list begins."""

_WORD: Final = re.compile(r"[^\W_]+")


def states(relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether a sentence says that a thing has a relation to what its section is about.

    Args:
        relation: The relation that is told of where the section stands, such as `CAUSED_BY`.
        text: The section's text.
        sentence: Where the sentence begins and ends in it.
        place: Where the thing is named.

    Returns:
        False where the words around it tell of something else, or do not tell.
    """
    (begin, stop), (start, end) = sentence, place
    before, behind = small(text[begin:start]), small(text[end : max(stop, end)])
    around = f"{before[-_BEFORE:]}{small(text[start:end])}{behind[:_BEHIND]}"
    if any(_found(f"{relation} not", words) for words in (around, small(_head(text, start)))):
        return False
    if _touches(f"{relation} before", before, at_end=True) or _touches(f"{relation} behind", behind, at_end=False):
        return False
    needed = _patterns().get(f"{relation} needed")
    return needed is None or bool(needed.search(before)) or bool(_ITEM.search(text[:start][-_LIST:]))


def names_subject(title: str, surface: str) -> bool:
    """Tell whether words name what a page is about, or a part or kind of it, and so nothing that goes with it.

    Args:
        title: The page's title.
        surface: The words.

    Returns:
        Whether all words of one stand in the other.
    """
    mine, theirs = (frozenset(_WORD.findall(small(words))) for words in (title, surface))
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)


def _found(kind: str, text: str) -> bool:
    pattern = _patterns().get(kind)
    return pattern is not None and bool(pattern.search(text))


def _touches(kind: str, text: str, *, at_end: bool) -> bool:
    """Tell whether words of a kind stand at the end of a text, or at its beginning."""
    pattern = _patterns().get(kind)
    if pattern is None:
        return False
    if not at_end:
        return bool(pattern.match(text.lstrip()))
    last = len(text.rstrip())
    return any(match.end() >= last for match in pattern.finditer(text))


def _head(text: str, start: int) -> str:
    """Give the head of the list that a place is in; nothing where there is none near."""
    window = text[max(0, start - _LIST) : start]
    ends = [found.end() for found in _HEAD.finditer(window)]
    return _BEGINS.split(window[: ends[-1]].rstrip(": \n\t"))[-1] if ends else ""
