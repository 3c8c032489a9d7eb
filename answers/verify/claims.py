"""A sentence in claims, each checked by itself, and how likely a text supports one, or contradicts it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...logistic import read_models
from .rules import KINDS, OPPOSABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...logistic import LogisticModel
    from .reader import ClaimReader
    from .rules import Comparison

MIN_WORDS: Final = 4  # words of a claim, at least; what is shorter stays with the clause before it
VERB: Final = (
    r"(?:is|are|was|were|has|have|had|can|cannot|may|might|could|will|would|should|must|do|does|did|causes?|affects?"
    r"|occurs?|includes?|helps?|makes?|leads?|needs?|becomes?)\b"
)
_SUBJECT: Final = r"(?:(?!(?:which|who|that)\b)[^\W\d_][\w'\u2019-]*\s+){1,4}?"
_CUT: Final = re.compile(
    r";\s+(?:and |but |or )?"
    rf"|,?\s+(?:but|whereas|while|although|though)\s+(?={_SUBJECT}{VERB})"
    rf"|,\s+(?:and|so|yet)\s+(?={_SUBJECT}{VERB})",
    re.IGNORECASE,
)
_FINITE: Final = re.compile(rf"\b{VERB}|\b[^\W\d_]{{3,}}(?:ed|s)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimSpan:
    """A claim, and where it begins and ends in the sentence."""

    start: int
    end: int
    text: str


def claims_of(sentence: str) -> tuple[ClaimSpan, ...]:
    """Split a sentence into claims, in order; together they have every word but what joins them.

    A clause is cut off only where both halves have words enough and look as if they had a verb of their own; what
    stands in brackets, in quotation marks or in a list stays whole.
    """
    cuts: list[tuple[int, int]] = []
    start = 0
    for cut in _CUT.finditer(sentence):
        if _stands(sentence, start, cut.start()) and _stands(sentence, cut.end(), len(sentence)):
            cuts.append(cut.span())
            start = cut.end()
    begins, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(sentence)]
    spans = (_trimmed(sentence, *span) for span in zip(begins, ends, strict=True))
    return tuple(span for span in spans if span.text)


def _stands(sentence: str, start: int, end: int) -> bool:
    text = sentence[start:end]
    whole = text.count("(") == text.count(")") and text.count('"') % 2 == 0 and ":" not in text
    return whole and len(text.split()) >= MIN_WORDS and bool(_FINITE.search(text))


def _trimmed(sentence: str, start: int, end: int) -> ClaimSpan:
    text = sentence[start:end]
    start += len(text) - len(text.lstrip())
    return ClaimSpan(start, start + len(text.strip()), text.strip())


FILE: Final = Path(__file__).with_name("verifier.tsv")
LEVELS: Final = ("supports", "contradicts")

# What a claim is judged by: the share of its words that the text has, how much the word tells that is missing and tells
# most, and what differs or is opposed, 1 or 0.
SIGNS: Final = ("covered", "missing", *(f"other {kind}" for kind in KINDS), *(f"opposite {kind}" for kind in OPPOSABLE))


def likely(level: str, found: Comparison) -> float:
    """Tell how likely a text supports a claim, or contradicts it (`LEVELS`), by what comparing them found."""
    return models()[level].likely(dict(zip(SIGNS, signs_of(found), strict=True)))


def signs_of(found: Comparison) -> Sequence[float]:
    """Describe a comparison by numbers, in the order of `SIGNS`."""
    return (
        found.covered,
        found.missing,
        *(float(kind in found.differ) for kind in KINDS),
        *(float(kind in found.opposed) for kind in OPPOSABLE),
    )


@cache
def models(path: Path = FILE) -> dict[str, LogisticModel]:
    """Read the models: level → what weighs `SIGNS`."""
    return read_models(path, "medgraph train verifier FILE", dict.fromkeys(LEVELS, SIGNS))


# How likely a text must support a claim for it to count as supported, if no rule objects; chosen on the half dev.
SUPPORTS: Final = 0.5


class Chances:
    """Gives probabilities for one answer; what was read once is not read again, and what is quoted not at all.

    Args:
        reader: Reads claims together with their evidence; None weighs what rules find.
    """

    def __init__(self, reader: ClaimReader | None = None) -> None:
        self._reader = reader
        self._known: dict[tuple[str, str], tuple[float, float]] = {}

    @property
    def reads(self) -> bool:
        """Whether claims and evidence are read together."""
        return self._reader is not None

    def ahead(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Read pairs at once, where pairs are read."""
        if self._reader is None:
            return
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known and not _quotes(*pair)]
        if new:
            for pair, chances in zip(new, self._reader.chances(new).tolist(), strict=True):
                self._known[pair] = chances[0], chances[1]

    def of(self, claim: str, text: str, found: Comparison) -> tuple[float, float]:
        """Say how likely a text supports a claim, and how likely it contradicts it."""
        if self._reader is None or _quotes(text, claim):
            supports, contradicts = (likely(level, found) for level in LEVELS)
            return supports, contradicts
        self.ahead([(text, claim)])
        return self._known[text, claim]


def _quotes(text: str, claim: str) -> bool:
    """Tell whether a claim stands in a text word for word; whether that says so is no question for what reads."""
    return " ".join(claim.split()).strip(" .;,").lower() in " ".join(text.split()).lower()


BY_WORDS: Final = Chances()  # where nothing reads


def pairs_of(claim: str, text: str) -> list[tuple[str, str]]:
    """Give what has to be read to judge a claim: the text and its clauses, each with the claim."""
    return [(text, claim), *((part.text, claim) for part in claims_of(text) if part.text != text)]
