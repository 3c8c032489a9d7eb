"""A sentence in claims: the clauses of it that can be checked by themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MIN_WORDS: Final = 4
"""Words of a claim, at least; what is shorter stays with the clause before it."""

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
