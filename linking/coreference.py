"""Words that stand for what a page is about: `this condition`, `the disorder`, `it`.

A page of a health site has one subject, so the rules ask only whether such words stand for the subject or for something
else; where they may not be sure they say nothing. Who has a better resolver passes it on instead: any function of the
same form.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLASS: Final = r"(?:condition|disease|disorder|syndrome|illness)"
_THIS: Final = re.compile(rf"\bthis {_CLASS}\b", re.IGNORECASE)
_THE: Final = re.compile(rf"\bthe {_CLASS}\b(?!-| (?:that|which|called|known|is called|name|of\b))", re.IGNORECASE)
_HOW: Final = r"(?:also|usually|often|most often|typically|generally|rarely|sometimes|mainly|primarily)"
_DOES: Final = "affects|occurs|causes|develops|begins|tends|runs|results|accounts|appears|happens|involves|lasts"
_MAY: Final = "affect|occur|cause|develop|begin|run|result|lead|last|be (?:caused|inherited|passed|due|found)"
_BEEN: Final = "reported|found|described|seen|associated"
_IS: Final = (
    "also (?:known|called)|sometimes called|usually (?:inherited|caused|diagnosed)|often (?:diagnosed|caused)|an?|"
    "one|the most|caused|inherited|characterized|named|more common|most common|rare|found|seen|associated|due|passed|"
    "called|thought|believed|considered"
)
_VERB: Final = rf" (?:{_HOW} )?(?:{_DOES}|(?:can|may) (?:{_HOW} )?(?:{_MAY})|has been (?:{_BEEN})|is (?:{_IS}))\b"
"""What a condition does, or what is said of one; `it is important to` speaks of none."""

_IT: Final = re.compile(rf"It{_VERB}")
_IT_TOO: Final = re.compile(rf"(?:,|\b(?:but|because|since|and|although|though|until)) (it){_VERB}")
"""In a sentence that names the subject before."""

_GENERIC: Final = re.compile(
    # What a page says of conditions at large, not of its own.
    r"\b(?:an? autosomal (?:recessive|dominant) condition|a condition is considered|both copies of|"
    r"carriers? (?:of|with)|end-stage means|(?:other|different) (?:conditions|diseases|disorders)|"
    r"cancer may spread|primary tumor)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Coreference:
    """Words that stand for what a page is about.

    Attributes:
        start: Where they begin in the text.
        end: Where they end.
        surface: The words.
    """

    start: int
    end: int
    surface: str


Resolver = Callable[[str, Sequence[tuple[int, int, bool]], Sequence[tuple[int, int]]], "list[Coreference]"]
"""What finds them: takes a text, the conditions that it names (start, end, whether it is the page's subject) and its
sentences, and gives the words that stand for the subject."""


def refer_to_subject(
    text: str, named: Sequence[tuple[int, int, bool]], spans: Sequence[tuple[int, int]]
) -> list[Coreference]:
    """Find the words of a text that stand for what its page is about.

    Args:
        named: Conditions that the text names, in order: where each begins and ends, and whether it is the subject.
        spans: Where its sentences begin and end.

    Returns:
        The words, in order.
    """
    known = _Named([start for start, *_ in named], [is_subject for *_, is_subject in named])
    return sorted(_found(text, known, spans), key=lambda found: found.start)


@dataclass(frozen=True, slots=True)
class _Named:
    """The conditions that a text names, in order: where each begins, and whether it is the page's subject."""

    starts: list[int]
    subjects: list[bool]

    def last(self, start: int, end: int) -> bool | None:
        """Tell whether the last one between two places is the subject; None when there is none."""
        at = bisect_left(self.starts, end) - 1
        return self.subjects[at] if at >= 0 and self.starts[at] >= start else None

    def first(self, start: int, end: int) -> int:
        """Tell where the first one between two places begins if that is the subject; -1 otherwise."""
        at = bisect_left(self.starts, start)
        return self.starts[at] if at < len(self.starts) and self.starts[at] < end and self.subjects[at] else -1


def _found(text: str, named: _Named, spans: Sequence[tuple[int, int]]) -> Iterator[Coreference]:
    for number, (start, end) in enumerate(spans):
        before = spans[number - 1][0] if number else start
        for match in _THIS.finditer(text, start, end):
            yield Coreference(*match.span(), match[0])
        generic = _GENERIC.search(text, before, end)
        for match in _THE.finditer(text, start, generic.end() if generic else end):
            if named.last(before, match.start()) is not False:
                yield Coreference(*match.span(), match[0])
        if number and _IT.match(text, start, end) and _subject_leads(text, named, *spans[number - 1]):
            yield Coreference(start, start + 2, text[start : start + 2])
        for match in _IT_TOO.finditer(text, start, end):
            if named.last(start, match.start()):
                yield Coreference(*match.span(1), match[1])


def _subject_leads(text: str, named: _Named, start: int, end: int) -> bool:
    """Tell whether a sentence is about the subject from its beginning."""
    first = named.first(start, end)
    return (first >= 0 and not text[start:first].strip(" (\"'")) or bool(_THIS.match(text, start, end))
