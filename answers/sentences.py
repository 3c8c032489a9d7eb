"""Sentences of evidence: which can be quoted, and which of them answer best without repeating one another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..text import sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MIN_WORDS: Final = 4
MAX_CHARACTERS: Final = 600
_REFERRAL: Final = re.compile(
    r"these resources|click (?:here|on)|for more information|learn more|see also|genetic testing registry|clinicaltrials\.gov"
    r"|more information (?:about|on)|national library of medicine|orphanet|http|www\.",
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


def candidates(number: int, section: dict[str, Any], most: int) -> list[Candidate]:
    """Find the sentences of a section that can be quoted by themselves.

    Args:
        number: The section's number in the evidence.
        section: A row of `section_texts`.
        most: How many at most, from the beginning.

    Returns:
        The sentences in order, without questions, referrals elsewhere and fragments.
    """
    text = section["text"]
    found: list[Candidate] = []
    for start, end in sentences(text):
        start = without_bullet(text, start)  # noqa: PLW2901 - the sentence proper begins behind its list mark
        plain = " ".join(text[start:end].split())
        if len(plain) > MAX_CHARACTERS or plain.endswith("?") or _REFERRAL.search(plain):
            continue
        if len(plain.split()) >= MIN_WORDS and plain[-1] in ".!:;)\"'\u201d":
            found.append(Candidate(number, len(found), start, end, plain))
            if len(found) == most:
                break
    return found


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


TOO_ALIKE: Final = 0.92


def covered(words: Sequence[str], text: str) -> float:
    """Measure how many of a question's words a text has, inflected or slightly misspelt ones too.

    Args:
        words: The question's content words.
        text: The text.

    Returns:
        A share from 0 to 1; 1 for no words.
    """
    from rapidfuzz import fuzz, process

    if not words:
        return 1.0
    there = set(re.findall(r"[^\W_]+", text.lower()))
    stems = {word[:5] for word in there}
    hits = 0
    for word in words:
        plain = word.removesuffix("'s").removesuffix("\u2019s")
        hits += (
            plain in there
            or (len(plain) >= 5 and plain[:5] in stems)
            or bool(len(plain) >= 5 and process.extractOne(plain, there, scorer=fuzz.ratio, score_cutoff=84))
        )
    return hits / len(words)
