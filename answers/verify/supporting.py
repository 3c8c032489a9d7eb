"""The sentences of some sections that support one which a language model wrote, claim by claim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...embeddings.sentences import Candidate, said
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim, Sentence, Span
from ..citing import citation_of
from ..evidence import sentences_of
from .agreement import about_of
from .claims import claims_of
from .framed import is_framed
from .model import model
from .rules import compare
from .statement import statement
from .together import gathered, likely, read_section, signs_of
from .verifier import LEAST, WORST, judge_claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..answer import Verdict
    from ..evidence import Evidence
    from .chances import Chances
    from .together import Told

SUPPORTS: Final = 0.5
"""How likely sentences must say a claim to support it, where no rule objects."""

TOLD: Final = 3.25
"""How much a word of a claim may tell, at most, that sentences lack which support it; set on the half dev of sentences
that were written from the sample's pages."""

ITSELF: Final = 0.6
"""The share of a claim's words that sentences must have themselves, besides what their title and heading say; chosen on
the half dev of what a large language model wrote."""

JUDGED: Final = 6
"""Single sentences that are judged for a claim, at most: those that have most of its words; set by hand."""

NEARLY: Final = 0.2
"""What a sentence may have less of a claim's words than the one that has most: where that one differs in a number or a
negation, one that is only about the same does not stand in for it. Chosen on the same half."""

_GAP: Final = 2
"""Characters between sentences that are quoted as one, at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A section as claims are checked against it.

    Attributes:
        item: The section.
        sentences: Its sentences in order.
        texts: What they say.
        about: The title and the heading over them.
        told: Their words.
    """

    item: Evidence
    sentences: Sequence[Candidate]
    texts: Sequence[str]
    about: str
    told: Told


@dataclass(frozen=True, slots=True)
class Judged:
    """What some sentences of a section say of a claim.

    Attributes:
        verdict: Whether they support it.
        sure: How likely that is right.
        reading: The section.
        chosen: Places of the sentences, in order.
    """

    verdict: Verdict
    sure: float
    reading: Reading
    chosen: Sequence[int]


def citing(text: str, sections: Sequence[Evidence], chances: Chances) -> Sentence:
    """Check a sentence in words of its own, and cite what supports it.

    Args:
        text: The sentence.
        sections: The sections that it may cite.
        chances: Says how likely a text supports a claim, where something reads both together.

    Returns:
        The sentence with its claims, their verdicts, and what decides on each: at most `together.MOST` sentences of one
        section. It is one claim where it is supported as a whole only.
    """
    readings = [_read(item) for item in sections]
    parts = [claim.text for claim in claims_of(text)]
    judged = [_best(part, readings, chances) for part in parts]
    if len(parts) > 1 and any(one is None or one.verdict != SUPPORTED for one in judged):
        whole = _best(text, readings, chances)
        if whole and whole.verdict == SUPPORTED:
            parts, judged = [text], [whole]
    claims = tuple(_claim(part, one) for part, one in zip(parts, judged, strict=True))
    cited = dict.fromkeys(citation_of(one.reading.item.section, span) for one in judged if one for span in _spans(one))
    worst: Verdict = min((claim.verdict for claim in claims), key=WORST.index, default=NO_EVIDENCE)
    sure = min((claim.probability for claim in claims if claim.verdict == worst), default=1.0)
    return Sentence(text, tuple(cited), worst, probability=sure, claims=claims)


def _read(item: Evidence) -> Reading:
    sentences = sentences_of(item)
    about = about_of(item.section)
    return Reading(item, sentences, [said(one.text) for one in sentences], about, read_section(sentences, about))


def _best(claim: str, readings: Sequence[Reading], chances: Chances) -> Judged | None:
    """Choose what says a claim, or else what comes nearest to it."""
    judged = [_judged(claim, reading, chosen, chances) for reading, chosen in _candidates(claim, readings)]
    supporting = [one for one in judged if one.verdict == SUPPORTED]
    return min(supporting, key=lambda one: (-round(one.sure, 2), len(one.chosen)), default=next(iter(judged), None))


def _candidates(claim: str, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Sequence[int]]]:
    """Give single sentences that have most of a claim's words, then several of one section that have most together."""
    single = [
        (-compare(claim, text).covered, number, place)
        for number, reading in enumerate(readings)
        for place, text in enumerate(reading.texts)
    ]
    single.sort()
    for share, number, place in single[:JUDGED]:
        if share <= single[0][0] + NEARLY:
            yield readings[number], (place,)
    for reading in readings:
        yield from ((reading, chosen) for chosen in gathered(claim, reading.texts) if len(chosen) > 1)


def _judged(claim: str, reading: Reading, chosen: Sequence[int], chances: Chances) -> Judged:
    """Judge whether sentences say a claim; what a rule objects to is never supported, however likely all else is."""
    text = " ".join(reading.texts[place] for place in chosen)
    if len(set(statement(claim).words)) < LEAST or is_framed(claim, text):
        return Judged(NO_EVIDENCE, 1.0, reading, chosen)
    if chances.reads:
        return Judged(*judge_claim(claim, text, chances), reading, chosen)
    found = compare(claim, text, about=reading.about)
    fits = found.fits and found.missing <= TOLD and compare(claim, text).covered >= ITSELF
    supports = likely(signs_of(claim, reading.told, chosen, found)) if fits else 0.0
    if supports >= SUPPORTS:
        return Judged(SUPPORTED, supports, reading, chosen)
    contradicts = model().likely("contradicts", found) if found.opposed else 0.0
    if contradicts >= SUPPORTS:
        return Judged(CONTRADICTED, contradicts, reading, chosen)
    return Judged(NO_EVIDENCE, 1 - max(supports, contradicts), reading, chosen)


def _spans(one: Judged) -> list[Candidate]:
    """Give what is quoted: sentences that follow each other as one."""
    merged: list[Candidate] = []
    text = one.reading.item.section.text
    for sentence in (one.reading.sentences[place] for place in one.chosen):
        if merged and sentence.start - merged[-1].end <= _GAP:
            last = merged.pop()
            merged.append(replace(last, end=sentence.end, text=text[last.start : sentence.end]))
        else:
            merged.append(sentence)
    return merged


def _claim(text: str, judged: Judged | None) -> Claim:
    """Tell what was judged, with the quotation that has most of the claim."""
    if judged is None:
        return Claim(text, NO_EVIDENCE, 1.0, None)
    section = judged.reading.item.section
    best = max(_spans(judged), key=lambda span: compare(text, said(span.text)).covered)
    quote = section.text[best.start : best.end]
    return Claim(text, judged.verdict, round(judged.sure, 3), Span(section.section, best.start, best.end, quote))
