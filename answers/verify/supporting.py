"""The sentences of sections that support one which a language model wrote, claim by claim, and say it themselves."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...embeddings.candidate_sentences import CandidateSentence, said
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim, Sentence, Span
from ..citing import citation_of
from ..scoring import sentences_of
from .claims import claims_of
from .claims import likely as opposing
from .others import about_of
from .rules import compare, turns
from .statement import statement
from .together import gathered, likely, read_section, signs_of
from .verifier import LEAST, WORST, judge_claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...queries.retriever import SectionText
    from ..answer import Verdict
    from ..scoring import ScoredSection
    from .claims import Chances
    from .rules import Comparison
    from .together import SectionWords

_ASSERTS: Final = re.compile(
    # what only leads to a clause of its own: a sentence before, an aside, a conjunction
    r"[.!?,;)]\W*\Z|\b(?:and|but|or|so|as|because|since|although|though|while|whereas|when|where|if|after|before|until"
    r"|unless|which means that)\W*\Z"
    # who reports what was found
    r"|\A\W*(?:[\w-]+ ){0,2}?(?:stud(?:y|ies)|research(?:ers)?|results?|data|trials?|findings?|reviews?|reports?"
    r"|doctors|experts|scientists|physicians|clinicians|authors|we|evidence|it is|it was)\b[^:\"\u201c]*"
    r"\b(?:that|whether|how|why)\W*\Z"
    r"|\A\W*(?:also|usually|often|sometimes|however|rarely|generally|in general|for example)\W*\Z"
    r"|\A\W*(?:the|an?)\s+\Z",
    re.IGNORECASE,
)


def is_framed(claim: str, text: str) -> bool:
    """Tell whether a claim stands word for word in a text, and only within a frame (`Write that …`)."""
    words = re.findall(r"\w+", claim)
    found = list(re.finditer(r"\W+".join(words), text, re.IGNORECASE)) if words else []
    before = [text[: place.start()] for place in found]
    return bool(found) and not any(not re.search(r"\w", one) or _ASSERTS.search(one) for one in before)


# How likely sentences must say a claim to support it, where no rule objects; chosen on the half dev of what a large
# language model wrote: as many sentences that mix up what is said of what pass as by words alone.
SUPPORTS: Final = 0.45

# How much a word of a claim may tell, at most, that sentences lack which support it; set on the half dev of sentences
# that were written from the sample's pages.
TOLD: Final = 3.25

# The share of a claim's words that sentences must have themselves, besides what their title and heading say; chosen on
# the half dev of what a large language model wrote.
ITSELF: Final = 0.6

# Single sentences that are judged for a claim, at most: those that have most of its words; set by hand.
JUDGED: Final = 6

# What a sentence may have less of a claim's words than the one that has most: where that one differs in a number or a
# negation, one that is only about the same does not stand in for it. Chosen on the same half.
NEARLY: Final = 0.2

# The share of a short claim's words that sentences must have: there each word counts. Set with `TOLD`.
COVERED: Final = 0.8

# Words of a claim, at least, that several sentences may say together where they do not lean on each other: of a short
# one each has too little. Chosen on the same half.
LONG: Final = 6

# Words of what says something, at least: somebody does something. Set by hand.
SHORTEST: Final = 3

_ASKS: Final = re.compile(r"\?\s*\Z|\A\W*(?:what|how|why|which|who|where)\b[^,]*\Z", re.IGNORECASE)

_GAP: Final = 2  # characters between sentences that are quoted as one, at most


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section as claims are checked against it: its sentences, what they say, what stands over them, and words."""

    section: SectionText
    sentences: Sequence[CandidateSentence]
    texts: Sequence[str]
    about: Sequence[str]
    told: SectionWords


@dataclass(frozen=True, slots=True)
class Judgement:
    """What some sentences of a section, by place, say of a claim, and how likely that is right."""

    verdict: Verdict
    sure: float
    reading: CheckedSection
    chosen: Sequence[int]


def citing(text: str, sections: Sequence[ScoredSection], chances: Chances) -> Sentence:
    """Check a sentence in words of its own, and cite what supports it.

    Returns:
        The sentence with its claims, their verdicts, and what decides on each: at most `together.MOST` sentences of one
        section. It is one claim where it is supported as a whole only.
    """
    readings = [reading_of(item.section, sentences_of(item)) for item in sections]
    parts = [claim.text for claim in claims_of(text)]
    judged = [_best(part, readings, chances) for part in parts]
    if len(parts) > 1 and any(one is None or one.verdict != SUPPORTED for one in judged):
        whole = _best(text, readings, chances)
        if whole and whole.verdict == SUPPORTED:
            parts, judged = [text], [whole]
    claims = tuple(_claim(part, one) for part, one in zip(parts, judged, strict=True))
    cited = dict.fromkeys(citation_of(one.reading.section, span) for one in judged if one for span in _spans(one))
    worst: Verdict = min((claim.verdict for claim in claims), key=WORST.index, default=NO_EVIDENCE)
    sure = min((claim.probability for claim in claims if claim.verdict == worst), default=1.0)
    return Sentence(text, tuple(cited), worst, probability=sure, claims=claims)


def reading_of(section: SectionText, sentences: Sequence[CandidateSentence]) -> CheckedSection:
    """Read a section, by its sentences that can be quoted, to check claims against it."""
    about = about_of(section)
    texts = [said(one.text) for one in sentences]
    return CheckedSection(section, sentences, texts, about, read_section(sentences, " ".join(about)))


def _best(claim: str, readings: Sequence[CheckedSection], chances: Chances) -> Judgement | None:
    """Choose what says a claim, or else what comes nearest to it."""
    judged = [_judged(claim, reading, chosen, chances) for reading, chosen in candidates_of(claim, readings)]
    supporting = [one for one in judged if one.verdict == SUPPORTED]
    return min(supporting, key=lambda one: (-round(one.sure, 2), len(one.chosen)), default=next(iter(judged), None))


def candidates_of(claim: str, readings: Sequence[CheckedSection]) -> Iterator[tuple[CheckedSection, Sequence[int]]]:
    """Choose what may say a claim: sentences that have most of its words, then several that have most together."""
    single = [
        (-compare(claim, text).covered, number, place)
        for number, reading in enumerate(readings)
        for place, text in enumerate(reading.texts)
    ]
    single.sort()
    for share, number, place in single[:JUDGED]:
        if share <= single[0][0] + NEARLY:
            yield readings[number], (place,)
    long = len(set(statement(claim).words)) >= LONG
    for reading in readings:
        for chosen in gathered(claim, reading.texts):
            if len(chosen) > 1 and (long or _leaning(reading.sentences, chosen)):
                yield reading, chosen


def _leaning(sentences: Sequence[CandidateSentence], chosen: Sequence[int]) -> bool:
    """Tell whether each sentence but the first leans on the one before it, which is chosen as well."""
    return all(two == one + 1 and sentences[two].needs for one, two in itertools.pairwise(chosen))


def allowed(claim: str, reading: CheckedSection, chosen: Sequence[int]) -> Comparison | None:
    """Compare a claim with sentences that may say it; None where a rule objects, however likely all else is."""
    text = " ".join(reading.texts[place] for place in chosen)
    if not _stands(claim, text) or compare(claim, text).covered < ITSELF or turns(claim, text):
        return None
    about = _lent(claim, reading)
    found = compare(claim, text, about=about)
    enough = _has_each(claim, text, about, found) or len(set(statement(claim).words)) >= LONG
    return found if found.fits and found.missing <= TOLD and enough else None


def _lent(claim: str, reading: CheckedSection) -> str:
    """Give what of title and heading a claim has as a whole, which sentences need not repeat."""
    words = set(statement(claim).words)
    return " ".join(f"{one}." for one in reading.about if words.issuperset(statement(one).words))


def _has_each(claim: str, text: str, about: str, found: Comparison) -> bool:
    """Tell whether sentences have the words of a short claim, as they are counted and as they are weighed."""
    words, had = set(statement(claim).words), {*statement(text).words, *statement(about).words}
    return min(found.covered, len(words & had) / len(words)) >= COVERED


def _stands(claim: str, text: str) -> bool:
    """Tell whether a claim says enough to be checked, asks nothing, and is not only said within a frame."""
    says = len(claim.split()) >= SHORTEST and not _ASKS.search(claim)
    return says and len(set(statement(claim).words)) >= LEAST and not is_framed(claim, text)


def _judged(claim: str, reading: CheckedSection, chosen: Sequence[int], chances: Chances) -> Judgement:
    text = " ".join(reading.texts[place] for place in chosen)
    if chances.reads and _stands(claim, text):
        return Judgement(*judge_claim(claim, text, chances), reading, chosen)
    found = allowed(claim, reading, chosen)
    supports = likely(signs_of(claim, reading.told, chosen, found)) if found else 0.0
    if supports >= SUPPORTS:
        return Judgement(SUPPORTED, supports, reading, chosen)
    opposed = compare(claim, text, about=_lent(claim, reading))
    contradicts = opposing("contradicts", opposed) if opposed.opposed else 0.0
    if contradicts >= SUPPORTS:
        return Judgement(CONTRADICTED, contradicts, reading, chosen)
    return Judgement(NO_EVIDENCE, 1 - max(supports, contradicts), reading, chosen)


def _spans(one: Judgement) -> list[CandidateSentence]:
    """Give what is quoted: sentences that follow each other as one."""
    merged: list[CandidateSentence] = []
    text = one.reading.section.text
    for sentence in (one.reading.sentences[place] for place in one.chosen):
        if merged and sentence.start - merged[-1].end <= _GAP:
            last = merged.pop()
            merged.append(replace(last, end=sentence.end, text=text[last.start : sentence.end]))
        else:
            merged.append(sentence)
    return merged


def _claim(text: str, judged: Judgement | None) -> Claim:
    """Tell what was judged, with the quotation that has most of the claim."""
    if judged is None:
        return Claim(text, NO_EVIDENCE, 1.0, None)
    section = judged.reading.section
    best = max(_spans(judged), key=lambda span: compare(text, said(span.text)).covered)
    quote = section.text[best.start : best.end]
    return Claim(text, judged.verdict, round(judged.sure, 3), Span(section.section, best.start, best.end, quote))
