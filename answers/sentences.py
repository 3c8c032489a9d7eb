"""Sentences of evidence: which can be quoted, and which of them answer best without repeating one another."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..text import sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MIN_WORDS: Final = 4
MAX_CHARACTERS: Final = 600
MAX_LIST: Final = 420
MAX_SCANNED: Final = 60
STEM: Final = 5
ENDS: Final = ".!;)\"'\u201d"
TOO_ALIKE: Final = 0.92
_WORD: Final = re.compile(r"[^\W_]+")
_ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
_POINTS: Final = re.compile(r"\bfollowing (?:list|table)\b|\b(?:(?:list|table|chart)|listed) below\b", re.IGNORECASE)
_ROW: Final = re.compile(r"\s*([A-Z\d][^.!?%]{2,140}?\s(?:\d{1,3}(?:\.\d+)?%|-))(?=\s)")
"""A row of a table that was flattened into running text, such as how often a symptom is seen."""

MIN_ROWS: Final = 3
_REFERRAL: Final = re.compile(
    r"these resources|click (?:here|on)|for more information|learn more|see also|genetic testing registry"
    r"|clinicaltrials\.gov|more information (?:about|on)|national library of medicine|orphanet|http|www\.",
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


def candidates(number: int, section: dict[str, Any]) -> list[Candidate]:
    """Find the sentences of a section that can be quoted by themselves.

    A sentence that announces a list is quoted with the items that follow it, as far as they fit; one that only points
    at a list or table elsewhere is not. The first rows of a table are quoted like a sentence.

    Args:
        number: The section's number in the evidence.
        section: A row of `section_texts`.

    Returns:
        The sentences in order, without questions, referrals elsewhere and fragments.
    """
    text = section["text"]
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


def shortlist(pool: Sequence[Candidate], words: Sequence[str], most: int) -> list[Candidate]:
    """Keep the sentences worth encoding: those with words of the question, and those that open their section.

    Args:
        pool: Sentences of all sections.
        words: The question's content words.
        most: How many at most.

    Returns:
        The sentences kept, in their order.
    """
    stems = {word[:STEM] for word in words}

    def promise(candidate: Candidate) -> float:
        there = {word[:STEM] for word in _WORD.findall(candidate.text.lower())}
        return len(stems & there) + 2 / (1 + candidate.order) + 1 / (1 + candidate.section)

    best = sorted(pool, key=lambda c: (-promise(c), c.section, c.order))[:most]
    return sorted(best, key=lambda c: (c.section, c.order))


def choose(
    relevance: NDArray[np.float32], similarity: NDArray[np.float32], most: int, *, novelty: float, floor: float
) -> list[int]:
    """Pick sentences one after another: relevant, and unlike those already picked (maximal marginal relevance).

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing
    summaries", SIGIR 1998.

    Args:
        relevance: How well each of n sentences answers.
        similarity: How alike each two are, n by n.
        most: How many at most.
        novelty: How much likeness to a picked sentence counts against one, from 0 to 1.
        floor: The part of the best relevance below which none is picked.

    Returns:
        Indexes in the order they were picked.
    """
    picked: list[int] = []
    if not len(relevance):
        return picked
    least = float(relevance.max()) * floor
    left = [i for i in range(len(relevance)) if relevance[i] >= least]
    while left and len(picked) < most:
        likeness = similarity[:, picked].max(axis=1) if picked else np.zeros(len(relevance), dtype=np.float32)
        gain = (1 - novelty) * relevance - novelty * likeness
        best = max(left, key=lambda i: (float(gain[i]), -i))
        left.remove(best)
        if not picked or likeness[best] < TOO_ALIKE:
            picked.append(best)
    return picked


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
    there = set(_WORD.findall(text.lower()))
    hits = 0
    for word in words:
        plain = word.removesuffix("'s").removesuffix("\u2019s")
        begin = plain[: max(STEM, int(len(plain) * stem))]
        hits += (
            plain in there
            or (len(plain) >= STEM and any(other.startswith(begin) for other in there))
            or bool(len(plain) >= STEM and process.extractOne(plain, there, scorer=fuzz.ratio, score_cutoff=84))
        )
    return hits / len(words)
