"""Decides whether a sentence states its section's relation (cause, complication, treatment) for a thing.

The words that tell stand in `statements.tsv`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small
from .roles import head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TABLE: Final = Path(__file__).with_name("statements.tsv")

_LIST: Final = 400  # characters from the head of a list to what stands in it, at most
# Characters of the sentence that are looked at for what tells of something else: lists come as one long sentence.
_BEFORE: Final = 250
_BEHIND: Final = 80
# What ends where a line or an item of a list begins.
_ITEM: Final = re.compile(
    r"(?:^|\n|[:;.]\s|\s[-•*_])[\s\d().*•_-]*(?:(?:an?|the|severe|chronic|having)\s)?\Z", re.IGNORECASE
)
# Relations that a sentence may deny.
_RISKS: Final = ("CAUSED_BY", "HAS_RISK_FACTOR", "HAS_COMPLICATION", "WORSENED_BY")
# Relations of which the rules are more often right than the model.
_CHECKED: Final = ("TREATED_BY", "PREVENTED_BY", "CONTRAINDICATED_WITH", "DIAGNOSED_BY")
_WORD: Final = re.compile(r"[^\W_]+")


def states(relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether a sentence says that a thing has a relation (`CAUSED_BY`) to what its section is about.

    Not where the words around it tell of something else, or do not tell.
    """
    if refuses(relation, text, sentence, place):
        return False
    begin, start = sentence[0], place[0]
    needed = _patterns().get(f"{relation} needed")
    return needed is None or bool(needed.search(small(text[begin:start]))) or bool(_ITEM.search(text[:start][-_LIST:]))


def refuses(relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether words around a thing say that it has not a relation to what its section is about.

    It is avoided, only studied, or part of another name, and the like.
    """
    (begin, stop), (start, end) = sentence, place
    before, behind = small(text[begin:start]), small(text[end : max(stop, end)])
    around = f"{before[-_BEFORE:]}{small(text[start:end])}{behind[:_BEHIND]}"
    if any(_found(f"{relation} not", words) for words in (around, small(head_of(text, start)))):
        return True
    return _touches(f"{relation} before", before, at_end=True) or _touches(f"{relation} behind", behind, at_end=False)


def overrules(
    relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int], *, condition: bool = False
) -> bool:
    """Tell whether rules refuse what the model of roles tells: it is denied, or they are more often right."""
    (begin, stop), (start, end) = sentence, place
    before, behind = small(text[begin:start])[-_BEFORE:], small(text[end : max(stop, end)])
    if relation and (_touches("any likened", before, at_end=True) or _touches("any name", behind, at_end=False)):
        return True
    if relation in _RISKS and (
        any(_found("any denied", words) for words in (before, small(head_of(text, start))))
        or _touches("any treated", before, at_end=True)
        or _touches("any lowered", behind, at_end=False)
        or (condition and _touches("any drug", behind, at_end=False))
    ):
        return True
    return relation in _CHECKED and refuses(relation, text, sentence, place)


def tells_of_another(
    text: str, sentence: tuple[int, int], start: int, names: Iterable[tuple[int, bool | None]]
) -> bool:
    """Tell whether a sentence, or the head of the list that a place is in, tells the symptoms of another condition.

    Args:
        start: The place.
        names: Where each name begins, in order, and whether it is another condition than the section is about; None for
            what is no condition or may be the same. A sentence that names the section's own first tells of that.
    """
    begin, another = sentence[0], False
    if (head := head_of(text, start)) and (at := text.rfind(head, 0, start)) >= 0:
        begin = min(begin, at)
    for place, is_another in names:
        if begin <= place < start:
            if is_another is False:
                return False
            if _touches("any of", small(text[max(begin, place - _BEHIND) : place]), at_end=True):
                another = bool(is_another)
    return another


def names_subject(title: str, surface: str) -> bool:
    """Tell whether words name what a page is about, or a part or kind of it: all of one stand in the other."""
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
