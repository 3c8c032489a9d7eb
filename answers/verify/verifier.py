"""Check the claims of sentences against what they cite, and look for what other evidence says of the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...settings import UNSUPPORTED
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim, Span
from ..citing import citation_of
from ..sentences import said
from .claims import claims_of
from .model import model
from .others import others_of
from .rules import compare
from .stated import checked as checked_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answer import Sentence, Verdict
    from ..evidence import Evidence

SUPPORTS: Final = 0.5
"""How likely a text must support a claim for it to count as supported, if no rule objects; chosen on the half dev."""

DROP, FLAG = UNSUPPORTED

_WORST: Final[tuple[Verdict, ...]] = (CONTRADICTED, NO_EVIDENCE, SUPPORTED)


def judge(sentence: str, text: str) -> tuple[Verdict, float]:
    """Judge whether a text says what a sentence does, claim by claim.

    Args:
        sentence: The sentence.
        text: A sentence, or a few.

    Returns:
        The worst verdict of its claims, and how likely it is right.
    """
    judged = [judge_claim(claim.text, text) for claim in claims_of(sentence)]
    return min(judged, key=lambda one: (_WORST.index(one[0]), one[1]), default=(NO_EVIDENCE, 1.0))


def judge_claim(claim: str, text: str) -> tuple[Verdict, float]:
    """Judge whether a text says what a claim does.

    Args:
        claim: The claim.
        text: A sentence, or a few.

    Returns:
        The verdict, and how likely it is right. What differs in a number, a unit, a negation, a direction, a part of
        the body or a name is never supported, however likely all else makes it. A clause of the text supports by
        itself: what another clause denies is not denied in it.
    """
    whole = _judged(claim, text)
    parts = (_judged(claim, part.text) for part in claims_of(text) if whole[0] != SUPPORTED)
    return max((one for one in parts if one[0] == SUPPORTED), key=lambda one: one[1], default=whole)


def _judged(claim: str, text: str) -> tuple[Verdict, float]:
    found, weigh = compare(claim, text), model()
    supports, contradicts = (weigh.likely(level, found) for level in ("supports", "contradicts"))
    if found.fits and supports >= SUPPORTS and claim.strip() and text.strip():
        return SUPPORTED, supports
    if found.opposed and contradicts >= SUPPORTS:
        return CONTRADICTED, contradicts
    return NO_EVIDENCE, 1 - max(contradicts if found.opposed else 0.0, supports if found.fits else 0.0)


def verified(
    sentences: Sequence[Sentence], evidence: Sequence[Evidence], unsupported: str = DROP
) -> tuple[Sentence, ...]:
    """Check sentences, and add what other evidence says.

    Args:
        sentences: Sentences that cite sections of the evidence.
        evidence: All that was read for the question.
        unsupported: One of `UNSUPPORTED`.

    Returns:
        The sentences with their claims, and with other documents that agree or contradict; those that what they cite
        does not support are left out, or marked by their verdict.
    """
    checked = (_with_others(_checked(sentence), evidence) for sentence in sentences)
    return tuple(one for one in checked if unsupported == FLAG or one.verdict == SUPPORTED)


def _checked(sentence: Sentence) -> Sentence:
    """Check the claims of a sentence against what it cites; where a citation does not hold, nothing is supported."""
    if sentence.facts:
        return checked_facts(sentence)
    claims = tuple(_claim(claim.text, sentence) for claim in claims_of(sentence.text))
    worst: Verdict = min((one.verdict for one in claims), key=_WORST.index, default=NO_EVIDENCE)
    verdict: Verdict = worst if sentence.verdict == SUPPORTED else sentence.verdict
    sure = min((one.probability for one in claims if one.verdict == worst), default=1.0)
    return replace(sentence, verdict=verdict, probability=sure, claims=claims)


def _claim(text: str, sentence: Sentence) -> Claim:
    """Judge a claim by the citation that decides: one that supports it, else one that contradicts it."""
    judged = [(*judge_claim(text, said(citation.quote)), citation) for citation in sentence.citations]
    if not judged or sentence.verdict != SUPPORTED:
        return Claim(text, NO_EVIDENCE, 1.0, None)
    verdict, sure, cited = min(judged, key=lambda one: ((SUPPORTED, CONTRADICTED, NO_EVIDENCE).index(one[0]), -one[1]))
    return Claim(text, verdict, round(sure, 3), Span(cited.section, cited.start, cited.end, cited.quote))


def _with_others(sentence: Sentence, evidence: Sequence[Evidence]) -> Sentence:
    """Add where other evidence says the same, or the opposite; who says a fact stands with the fact."""
    if sentence.facts:
        return sentence
    found = others_of(sentence, evidence)
    return replace(
        sentence,
        sources=found.sources,
        agreeing=tuple(citation_of(item.section, one.candidate) for item, one in found.agreeing),
        contradicting=tuple(citation_of(item.section, one.candidate) for item, one in found.contradicting),
    )
