"""Check sentences that rest on facts: each says what its relations say, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ...queries.relation_sentences import wordings
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim
from ..facts import bare, is_named, sureness, worded
from .rules import compare, turns
from .statement import form, statement, table

if TYPE_CHECKING:
    from ..answer import CitedFact, Sentence, Verdict


def checked(sentence: Sentence) -> Sentence:
    """Check a sentence against the relations that it cites.

    Returns:
        The sentence with a claim for each fact. It is supported where it is how they are said, or else where it names
        all of them, has no other words than they have or their relations are said by, and no number, unit, negation,
        direction, part of the body or name in it is another than theirs. What a name has in brackets counts only where
        the sentence has the whole name.
    """
    verdict = _verdict(sentence)
    claims = tuple(_claim(fact, sentence.text, verdict) for fact in sentence.facts)
    worst: Verdict = NO_EVIDENCE if any(claim.verdict == NO_EVIDENCE for claim in claims) else verdict
    return replace(sentence, verdict=worst, probability=min(claim.probability for claim in claims), claims=claims)


def _verdict(sentence: Sentence) -> Verdict:
    if sentence.text in {worded(sentence.facts), worded(sentence.facts, also=True)}:
        return SUPPORTED
    said = " ".join(_said(fact, sentence.text) for fact in sentence.facts)
    found = compare(sentence.text, said)
    words, saying = set(statement(sentence.text).words), _plain().union(*map(_saying, sentence.facts))
    if found.fits and saying & words and words <= saying.union(statement(said).words):
        turned = any(turns(sentence.text, _said(fact, sentence.text)) for fact in sentence.facts)
        return CONTRADICTED if turned else SUPPORTED
    return CONTRADICTED if found.opposed else NO_EVIDENCE


def _said(fact: CitedFact, text: str) -> str:
    return fact.text if fact.object_name in text else fact.text.replace(fact.object_name, bare(fact.object_name))


def _saying(fact: CitedFact) -> frozenset[str]:
    """Give forms of the words by which a fact says how its two ends are related."""
    ends = (word for name in (fact.subject_name, fact.object_name) for word in statement(name).words)
    return _words_of(fact.relation).union(statement(fact.text).words).difference(ends)


@cache
def _words_of(relation: str) -> frozenset[str]:
    """Give forms of the words that a relation is said by, from either end."""
    return frozenset(word for wording in wordings(relation) for word in statement(wording).words)


@cache
def _plain() -> frozenset[str]:
    return frozenset(map(form, table().plain["saying"]))


def _claim(fact: CitedFact, text: str, verdict: Verdict) -> Claim:
    """Judge one fact; how likely it is right is how sure its voices are that they say so."""
    if fact.object_name not in text and not is_named(fact, text.lower()):
        return Claim(fact.text, NO_EVIDENCE, 1.0, None)
    return Claim(fact.text, verdict, round(sureness(fact), 3) if verdict == SUPPORTED else 1.0, None)
