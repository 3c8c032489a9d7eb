"""What other evidence says of the same: who agrees, and who says the opposite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .chances import BY_WORDS, SUPPORTS, Chances
from .claims import claims_of
from .rules import compare
from .statement import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...queries.retriever import SectionText
    from ..answer import Sentence
    from ..evidence import Evidence, Said
    from .rules import Comparison

    Place = tuple[Evidence, Said]

NEAR: Final = 0.85
"""Cosine from which on a sentence of another document can say the same; chosen on the half dev, by reading."""

OPPOSITE_NEAR: Final = 0.8
"""Cosine from which on one can say the opposite; chosen on the half dev, by reading."""

COVERED: Final = 0.85
"""The share of a claim's words, the subject's name apart, that another sentence must have to say the same, and both
must have of each other to say the opposite; chosen on the half dev, by reading."""

OPPOSITE_SURE: Final = 0.9
"""How likely sentences must contradict each other, read either way round, to be told of; set by hand."""

LEAST: Final = 3
"""Words that a claim must have besides the name of its subject; set by hand."""

SHOWN: Final = 3
"""Other documents that are named, at most; set by hand."""

_PLAIN: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Others:
    """What other evidence says.

    Attributes:
        sources: How many sources say so, with the one that is cited.
        agreeing: Sentences of other sources that say so, one a source.
        contradicting: Sentences of other documents that say the opposite, one a document.
    """

    sources: int
    agreeing: Sequence[Place]
    contradicting: Sequence[Place]


def others_of(sentence: Sentence, evidence: Sequence[Evidence], chances: Chances = BY_WORDS) -> Others:
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
        return Others(len({c.source for c in sentence.citations}) or 1, (), ())
    cited, mine = place
    agreeing: dict[tuple[str, str], Place] = {}
    contradicting: dict[str, Place] = {}
    for item, one, cosine in _near(cited, mine, evidence):
        apart = _names(cited.section, item.section)
        source = _source(item.section)
        if cosine >= NEAR and source != _source(cited.section) and _agrees(mine, one, apart, chances):
            agreeing.setdefault(source, (item, one))
        elif _contradicts(mine, one, apart, chances):
            contradicting.setdefault(item.section.document, (item, one))
    return Others(1 + len(agreeing), [*agreeing.values()][:SHOWN], [*contradicting.values()][:SHOWN])


def read_for(sentence: Sentence, evidence: Sequence[Evidence]) -> Iterator[tuple[str, str]]:
    """Give what has to be read to say what other evidence says.

    Args:
        sentence: A sentence that cites a section of the evidence.
        evidence: All that was read.

    Yields:
        Text and claim.
    """
    place = _place(sentence, evidence)
    if place is None:
        return
    cited, mine = place
    for _, other, _ in _near(cited, mine, evidence):
        for claim in claims_of(mine.candidate.text):
            yield other.candidate.text, claim.text
            for back in claims_of(other.candidate.text):
                yield back.text, claim.text
                yield claim.text, back.text


def _place(sentence: Sentence, evidence: Sequence[Evidence]) -> Place | None:
    for citation in sentence.citations:
        for item in evidence:
            if item.section.section == citation.section:
                for one in item.said:
                    if (one.candidate.start, one.candidate.end) == (citation.start, citation.end):
                        return item, one
    return None


def _near(cited: Evidence, mine: Said, evidence: Sequence[Evidence]) -> Iterator[tuple[Evidence, Said, float]]:
    """Give sentences of other documents about the same that are near enough, the nearest first."""
    found = [
        (item, one, float(mine.vector @ one.vector))
        for item in evidence
        if item.section.document != cited.section.document and _same_subject(cited.section, item.section)
        for one in item.said
    ]
    yield from sorted((one for one in found if one[2] >= OPPOSITE_NEAR), key=lambda one: -one[2])


def _same_subject(one: SectionText, other: SectionText) -> bool:
    """Tell whether two sections are of documents about the same: by name, and by concept where both have one."""
    if _keys(one).isdisjoint(_keys(other)):
        return False
    if one.concepts and other.concepts:
        return not set(one.concepts).isdisjoint(other.concepts)
    return True


def _keys(section: SectionText) -> set[str]:
    return {_PLAIN.sub("", name.lower()) for name in (section.title, *section.aliases)}


def _names(*sections: SectionText) -> frozenset[str]:
    names = (name for section in sections for name in (section.title, *section.aliases))
    return frozenset(word for name in names for word in statement(name).words)


def _source(section: SectionText) -> tuple[str, str]:
    return section.source, section.collection


def _agrees(mine: Said, other: Said, apart: frozenset[str], chances: Chances) -> bool:
    """Tell whether a sentence says all that another one claims."""
    text = other.candidate.text
    if text == mine.candidate.text:
        return True
    compared = [(claim.text, compare(claim.text, text, apart)) for claim in claims_of(mine.candidate.text)]
    return all(
        found.fits and _says_enough(claim, apart) and _covers(claim, text, found, chances) for claim, found in compared
    )


def _covers(claim: str, text: str, found: Comparison, chances: Chances) -> bool:
    """Tell whether a text has what a claim says: as it is read, or else by the share of words."""
    return chances.of(claim, text, found)[0] >= SUPPORTS if chances.reads else found.covered >= COVERED


def _contradicts(mine: Said, other: Said, apart: frozenset[str], chances: Chances) -> bool:
    """Tell whether a claim of a sentence says the opposite of one of another: all else is the same."""
    return any(
        _opposite(one.text, two.text, apart, chances)
        for one in claims_of(mine.candidate.text)
        for two in claims_of(other.candidate.text)
    )


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
        and _says_enough(one, apart)
        and _says_enough(other, apart)
    )


def _says_enough(claim: str, apart: frozenset[str]) -> bool:
    return len(set(statement(claim).words) - apart) >= LEAST
