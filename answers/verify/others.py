"""What other evidence says of the same: who agrees, and who says the opposite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .agreement import COVERED, apart_of, same_subject, says, says_enough
from .chances import BY_WORDS, Chances
from .claims import claims_of
from .rules import compare
from .statement import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...embeddings.candidate_sentences import CandidateSentence
    from ...queries.retriever import SectionText
    from ..answer import Sentence
    from ..scored_sections import ScoredSection
    from ..scored_sentences import ScoredSentence

    Place = tuple[ScoredSection, CandidateSentence]

NEAR: Final = 0.8
"""Cosine from which on a sentence of another document can say the opposite; chosen on the half dev, by reading."""

OPPOSITE_SURE: Final = 0.9
"""How likely sentences must contradict each other, read either way round, to be told of; set by hand."""

SHARED: Final = 0.6
"""The share of a sentence's words that others, near or not, must have to be looked at; set by hand."""

SHOWN: Final = 3
"""Other documents that are named, at most; set by hand."""


@dataclass(frozen=True, slots=True)
class OtherEvidence:
    """What other evidence says.

    Attributes:
        sources: How many sources say so, with the one that is cited.
        agreeing: Sentences of other sources that say so, one a source.
        contradicting: Sentences of other documents that say the opposite, one a document.
    """

    sources: int
    agreeing: Sequence[Place]
    contradicting: Sequence[Place]


def others_of(sentence: Sentence, evidence: Sequence[ScoredSection], chances: Chances = BY_WORDS) -> OtherEvidence:
    """Look for what other evidence says of the same subject.

    Args:
        sentence: A sentence that cites a section of the evidence.
        evidence: All that was read, with vectors of its sentences.
        chances: Says how likely a text supports a claim, or contradicts it.

    Returns:
        What was found; nothing for a sentence that is none of the evidence's own.
    """
    place = _place(sentence, evidence)
    if place is None:
        return OtherEvidence(len({c.source for c in sentence.citations}) or 1, (), ())
    cited, mine = place
    claimed = mine.candidate.text
    agreeing: dict[tuple[str, str], Place] = {}
    contradicting: dict[str, Place] = {}
    for item, one, cosine in _near(cited, mine, evidence):
        apart = apart_of(cited.section, item.section)
        source = _source(item.section)
        if source != _source(cited.section) and says(one.text, claimed, apart, cosine, chances):
            agreeing.setdefault(source, (item, one))
        elif cosine >= NEAR and _contradicts(claimed, one.text, apart, chances):
            contradicting.setdefault(item.section.document, (item, one))
    for item, one in () if chances.reads else _elsewhere(cited, claimed, evidence):
        if _source(item.section) not in agreeing and says(one.text, claimed, apart_of(cited.section, item.section), 0):
            agreeing[_source(item.section)] = (item, one)
    return OtherEvidence(1 + len(agreeing), [*agreeing.values()][:SHOWN], [*contradicting.values()][:SHOWN])


def read_for(sentence: Sentence, evidence: Sequence[ScoredSection]) -> Iterator[tuple[str, str]]:
    """Give what has to be read to say what other evidence says.

    Args:
        sentence: A sentence that cites a section of the evidence.
    """
    place = _place(sentence, evidence)
    if place is None:
        return
    cited, mine = place
    for _, other, _ in _near(cited, mine, evidence):
        for claim in claims_of(mine.candidate.text):
            yield other.text, claim.text
            for back in claims_of(other.text):
                yield back.text, claim.text
                yield claim.text, back.text


def _place(sentence: Sentence, evidence: Sequence[ScoredSection]) -> tuple[ScoredSection, ScoredSentence] | None:
    for citation in sentence.citations:
        for item in evidence:
            if item.section.section == citation.section:
                for one in item.sentences:
                    if (one.candidate.start, one.candidate.end) == (citation.start, citation.end):
                        return item, one
    return None


def _near(
    cited: ScoredSection, mine: ScoredSentence, evidence: Sequence[ScoredSection]
) -> Iterator[tuple[ScoredSection, CandidateSentence, float]]:
    """Give sentences of other documents about the same that are near enough, the nearest first."""
    found = [
        (item, one.candidate, float(mine.vector @ one.vector))
        for item in _about_the_same(cited, evidence)
        for one in item.sentences
    ]
    yield from sorted((one for one in found if one[2] >= NEAR), key=lambda one: -one[2])


def _elsewhere(cited: ScoredSection, claimed: str, evidence: Sequence[ScoredSection]) -> Iterator[Place]:
    """Give sentences of other sources about the same, near or not, that have most words of a sentence."""
    own = set(statement(claimed).words) - apart_of(cited.section)
    for item in _about_the_same(cited, evidence):
        if _source(item.section) != _source(cited.section):
            for one in (*(said.candidate for said in item.sentences), *item.other_sentences):
                text = one.text.lower()
                if sum(word in text for word in own) >= SHARED * len(own):
                    yield item, one


def _about_the_same(cited: ScoredSection, evidence: Sequence[ScoredSection]) -> list[ScoredSection]:
    return [
        item
        for item in evidence
        if item.section.document != cited.section.document and same_subject(cited.section, item.section)
    ]


def _source(section: SectionText) -> tuple[str, str]:
    return section.source, section.collection


def _contradicts(claimed: str, text: str, apart: frozenset[str], chances: Chances) -> bool:
    """Tell whether a claim of a sentence says the opposite of one of another: all else is the same."""
    return any(_opposite(one.text, two.text, apart, chances) for one in claims_of(claimed) for two in claims_of(text))


def _opposite(one: str, other: str, apart: frozenset[str], chances: Chances) -> bool:
    there, back = compare(one, other, apart), compare(other, one, apart)
    if chances.reads:
        opposed = min(chances.of(one, other, there)[1], chances.of(other, one, back)[1]) >= OPPOSITE_SURE
    else:
        opposed = bool(there.opposed) and there.opposed == back.opposed == there.differ == back.differ
        opposed = opposed and min(there.covered, back.covered) >= COVERED
    return (
        opposed
        and statement(one).hedged == statement(other).hedged
        and says_enough(one, apart)
        and says_enough(other, apart)
    )
