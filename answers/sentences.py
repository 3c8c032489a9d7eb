"""Sentences of evidence that can be quoted, and how much of a question they cover."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..text import sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MIN_WORDS: Final = 4
MAX_CHARACTERS: Final = 600
MAX_LIST: Final = 420
MAX_SCANNED: Final = 60
STEM: Final = 5
ENDS: Final = ".!;)\"'\u201d"
_WORD: Final = re.compile(r"[^\W_]+")
_ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
_POINTS: Final = re.compile(r"\bfollowing (?:list|table)\b|\b(?:(?:list|table|chart)|listed) below\b", re.IGNORECASE)
_ROW: Final = re.compile(r"\s*([A-Z\d][^.!?%]{2,140}?\s(?:\d{1,3}(?:\.\d+)?%|-))(?=\s)")
"""A row of a table that was flattened into running text, such as how often a symptom is seen."""

MIN_ROWS: Final = 3
_REFERRAL: Final = re.compile(
    r"these resources|click (?:here|on)|for more information|learn more|see also|genetic testing registry"
    r"|clinicaltrials\.gov|more information (?:about|on)|national library of medicine|orphanet|http|www\."
    r"|gene ?reviews|medscape|emedicine|in-depth review"
    r"|ha(?:s|ve) an? (?:\w+ ){0,2}(?:page|article|fact sheet|brochure|pamphlet)\b"
    r"|register to view|registration is free|frequency of a sign or symptom is|sign or symptom may be rare or common"
    r"|(?:additional|detailed|further|specific) information (?:about|on|regarding|related to)"
    r"|you can (?:also )?(?:read|find|view|access) (?:\w+ ){0,4}(?:information|articles?|about|resources)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that could be part of an answer.

    Attributes:
        section: Number of its section in the evidence, best first.
        order: Its number in the section, from 0.
        start: Offset of its first character in the section's text.
        end: Offset behind its last one.
        text: The section's text between them, its white space made single blanks.
    """

    section: int
    order: int
    start: int
    end: int
    text: str


def candidates(number: int, text: str) -> list[Candidate]:
    """Find the sentences of a section that can be quoted by themselves.

    A sentence that announces a list is quoted with the items that follow it, as far as they fit; one that only points
    at a list or table elsewhere is not. The first rows of a table are quoted like a sentence.

    Args:
        number: The section's number in the evidence.
        text: The section's text.

    Returns:
        The sentences in order, without questions, referrals elsewhere and fragments.
    """
    found: list[Candidate] = []
    for start, end, listed in itertools.islice(_with_lists(text), MAX_SCANNED):
        plain = " ".join(text[start:end].split())
        if len(plain) > MAX_CHARACTERS or plain.endswith(("?", ":")) or _REFERRAL.search(plain):
            continue
        if not listed and (plain[-1:] not in ENDS or _POINTS.search(plain)):
            continue
        if len(plain.split()) >= MIN_WORDS:
            found.append(Candidate(number, len(found), start, end, plain))
    return found


def _with_lists(text: str) -> Iterator[tuple[int, int, bool]]:
    """Give the spans of sentences, lists with what announces them, and tables; and whether it is one of the latter."""
    spans = sentences(text)
    at = 0
    while at < len(spans):
        start, end = without_bullet(text, spans[at][0]), spans[at][1]
        at += 1
        if rows := _table(text, start, end):
            yield start, rows, True
            continue
        first = end
        if _ANNOUNCES.search(text, start, end):
            while at < len(spans) and spans[at][1] - start <= MAX_LIST:
                end = spans[at][1]
                at += 1
        yield start, end, end > first and text[end - 1] in ENDS


def _table(text: str, start: int, end: int) -> int:
    """Find the end of the rows that a span begins with, as many as fit; 0 where it is no table."""
    at, rows = start, 0
    while (row := _ROW.match(text, at, end)) and row.end() - start <= MAX_LIST:
        at, rows = row.end(), rows + 1
    return len(text[:at].removesuffix(" -").rstrip()) if rows >= MIN_ROWS else 0


def covered(words: Sequence[str], text: str, stem: float = 0.0) -> float:
    """Measure how many of a question's words a text has, inflected or slightly misspelt ones too.

    Args:
        words: The question's content words.
        text: The text.
        stem: The part of a word, from its beginning, that an inflected one shares; five letters at least.

    Returns:
        A share from 0 to 1; 1 for no words.
    """
    from rapidfuzz import fuzz, process

    if not words:
        return 1.0
    own = set(_WORD.findall(text.lower()))
    hits = 0
    for word in words:
        plain = word.removesuffix("'s").removesuffix("\u2019s")
        begin = plain[: max(STEM, int(len(plain) * stem))]
        hits += (
            plain in own
            or (len(plain) >= STEM and any(other.startswith(begin) for other in own))
            or bool(len(plain) >= STEM and process.extractOne(plain, own, scorer=fuzz.ratio, score_cutoff=84))
        )
    return hits / len(words)
