"""Check sentences that rest on facts: each says what its relations say, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim
from ..facts import is_named, sureness, worded
from .rules import compare

if TYPE_CHECKING:
    from ..answer import CitedFact, Sentence, Verdict


def checked(sentence: Sentence) -> Sentence:
    """Check a sentence against the relations that it cites.

    Returns:
        The sentence with a claim for each fact. It is supported where it is how they are said, or else where it names
        all of them, and no number, unit, negation, direction, part of the body or name in it is another than theirs.
    """
    verdict = _verdict(sentence)
    claims = tuple(_claim(fact, sentence.text, verdict) for fact in sentence.facts)
    worst: Verdict = NO_EVIDENCE if any(claim.verdict == NO_EVIDENCE for claim in claims) else verdict
    return replace(sentence, verdict=worst, probability=min(claim.probability for claim in claims), claims=claims)


def _verdict(sentence: Sentence) -> Verdict:
    if sentence.text in {worded(sentence.facts), worded(sentence.facts, also=True)}:
        return SUPPORTED
    found = compare(sentence.text, " ".join(fact.text for fact in sentence.facts))
    return SUPPORTED if found.fits else CONTRADICTED if found.opposed else NO_EVIDENCE


def _claim(fact: CitedFact, text: str, verdict: Verdict) -> Claim:
    """Judge one fact; how likely it is right is how sure its voices are that they say so."""
    if fact.object_name not in text and not is_named(fact, text.lower()):
        return Claim(fact.text, NO_EVIDENCE, 1.0, None)
    return Claim(fact.text, verdict, round(sureness(fact), 3) if verdict == SUPPORTED else 1.0, None)
