"""Check the claims of sentences against what they cite, and those on facts against what the relations say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from ...embeddings.candidate_sentences import plain_quote
from ...queries.relation_sentences import wordings
from ...settings import UNSUPPORTED
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim, Span
from ..facts import bare, is_named, sureness, worded
from .claims import BY_WORDS, SUPPORTS, Chances, claims_of, name_in, pairs_of, pairs_to_judge, with_others
from .rules import compare, form, statement, table, turns
from .strength import overstates, same_people

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...queries.retriever import SectionText
    from ..answer import CitedFact, Sentence, Verdict
    from ..scoring import ScoredSection
    from .reader import ClaimReader


def checked_facts(sentence: Sentence) -> Sentence:
    """Check a sentence against the relations that it cites, a claim for each fact.

    It is supported where it is how they are said, or else where it names all of them, has no other words than they have
    or their relations are said by, and no number, unit, negation, direction, part of the body or name in it is another
    than theirs. What a name has in brackets counts only where the sentence has the whole name.
    """
    verdict = _verdict(sentence)
    claims = tuple(_fact_claim(fact, sentence.text, verdict) for fact in sentence.facts)
    worst: Verdict = NO_EVIDENCE if any(claim.verdict == NO_EVIDENCE for claim in claims) else verdict
    return replace(sentence, verdict=worst, probability=min(claim.probability for claim in claims), claims=claims)


def _verdict(sentence: Sentence) -> Verdict:
    forms: tuple[dict[str, bool], ...] = ({}, {"also": True}, {"beside": True})
    if any(sentence.text == worded(sentence.facts, **form) for form in forms):
        return SUPPORTED
    said = " ".join(_plain_text(fact, sentence.text) for fact in sentence.facts)
    found = compare(sentence.text, said)
    words, saying = set(statement(sentence.text).words), _plain().union(*map(_saying, sentence.facts))
    if found.fits and saying & words and words <= saying.union(statement(said).words):
        turned = any(turns(sentence.text, _plain_text(fact, sentence.text)) for fact in sentence.facts)
        return CONTRADICTED if turned else SUPPORTED
    return CONTRADICTED if found.opposed else NO_EVIDENCE


def _plain_text(fact: CitedFact, text: str) -> str:
    return fact.text if fact.object_name in text else fact.text.replace(fact.object_name, bare(fact.object_name))


def _saying(fact: CitedFact) -> frozenset[str]:
    """Give forms of the words by which a fact says how its two ends are related."""
    ends = (word for name in (fact.subject_name, fact.object_name) for word in statement(name).words)
    return _words_of(fact.relation).union(statement(fact.text).words).difference(ends)


@cache
def _words_of(relation: str) -> frozenset[str]:
    return frozenset(word for wording in wordings(relation) for word in statement(wording).words)


@cache
def _plain() -> frozenset[str]:
    return frozenset(map(form, table().plain["saying"]))


def _fact_claim(fact: CitedFact, text: str, verdict: Verdict) -> Claim:
    """Judge one fact; how likely it is right is how sure its voices are that they say so."""
    if fact.object_name not in text and not is_named(fact, text.lower()):
        return Claim(fact.text, NO_EVIDENCE, 1.0, None)
    return Claim(fact.text, verdict, round(sureness(fact), 3) if verdict == SUPPORTED else 1.0, None)


DROP, FLAG = UNSUPPORTED
LEAST: Final = 2  # different words that a reworded claim must have, and any besides the name of what its page is about
WORST: Final[tuple[Verdict, ...]] = (CONTRADICTED, NO_EVIDENCE, SUPPORTED)  # verdicts, the worst first


def judge(sentence: str, text: str, chances: Chances = BY_WORDS) -> tuple[Verdict, float]:
    """Judge whether a text says what a sentence does: the worst verdict of its claims, and how likely that is right."""
    judged = [judge_claim(claim, text, chances) for claim in claims_of(sentence)]
    return min(judged, key=lambda one: (WORST.index(one[0]), one[1]), default=(NO_EVIDENCE, 1.0))


def judge_claim(
    claim: str, text: str, chances: Chances = BY_WORDS, name: frozenset[str] = frozenset()
) -> tuple[Verdict, float]:
    """Judge whether a text says what a claim does, and how likely the verdict is right.

    What differs in a number, a unit, a negation, a direction, a part of the body or a name is never supported, however
    likely all else makes it. A clause of the text supports by itself: what another clause denies is not denied in it.
    Words of `name`, which is what the text's page is about, need not be repeated.
    """
    whole = _judged(claim, text, chances)
    texts = (text, *claims_of(text)) if whole[0] != SUPPORTED else ()
    named = (name,) if name and len(set(statement(claim).words) - name) >= LEAST else ()
    again = (_judged(claim, part, chances, apart) for apart in (frozenset[str](), *named) for part in texts)
    return max((one for one in again if one[0] == SUPPORTED), key=lambda one: one[1], default=whole)


def _judged(claim: str, text: str, chances: Chances, apart: frozenset[str] = frozenset()) -> tuple[Verdict, float]:
    if not claim.strip() or not text.strip():
        return NO_EVIDENCE, 1.0
    found = compare(claim, text, apart)
    supports, contradicts = chances.of(claim, text, found)
    opposed = (bool(found.opposed) or chances.has_reader) and same_people(claim, text)
    if found.fits and supports >= SUPPORTS and not overstates(claim, [text], ""):
        return SUPPORTED, supports
    if opposed and contradicts >= SUPPORTS:
        return CONTRADICTED, contradicts
    return NO_EVIDENCE, 1 - max(contradicts if opposed else 0.0, supports if found.fits else 0.0)


def verified(
    sentences: Sequence[Sentence],
    evidence: Sequence[ScoredSection],
    unsupported: str = DROP,
    reader: ClaimReader | None = None,
) -> tuple[Sentence, ...]:
    """Check the claims of sentences, and add what other documents (`evidence`) agree or contradict.

    Those that what they cite does not support are left out, or marked by their verdict (`unsupported`). A `reader`
    reads claims together with what they cite and what is near; without one words judge them.
    """
    chances = Chances(reader)
    chances.ahead(_pairs_to_judge(sentences, evidence) if chances.has_reader else ())
    pages = {item.section.section: item.section for item in evidence}
    checked = (with_others(_checked(sentence, chances, pages), evidence, chances) for sentence in sentences)
    return tuple(one for one in checked if unsupported == FLAG or one.verdict == SUPPORTED)


def _pairs_to_judge(sentences: Sequence[Sentence], evidence: Sequence[ScoredSection]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        if not sentence.facts and not sentence.claims and sentence.verdict == SUPPORTED:
            for claim in claims_of(sentence.text):
                for citation in sentence.citations:
                    yield from pairs_of(claim, plain_quote(citation.quote))
            yield from pairs_to_judge(sentence, evidence)


def _checked(sentence: Sentence, chances: Chances, pages: Mapping[str, SectionText]) -> Sentence:
    """Check the claims of a sentence against what it cites; where a citation does not hold, nothing is supported."""
    if sentence.facts:
        return checked_facts(sentence)
    if sentence.claims:  # in words of its own: `supporting.citing` has checked it
        return sentence
    claims = tuple(_claim(claim, sentence, chances, pages) for claim in claims_of(sentence.text))
    worst: Verdict = min((one.verdict for one in claims), key=WORST.index, default=NO_EVIDENCE)
    verdict: Verdict = worst if sentence.verdict == SUPPORTED else sentence.verdict
    sure = min((one.probability for one in claims if one.verdict == worst), default=1.0)
    return replace(sentence, verdict=verdict, probability=sure, claims=claims)


def _claim(text: str, sentence: Sentence, chances: Chances, pages: Mapping[str, SectionText]) -> Claim:
    judged = []
    for citation in sentence.citations:
        page = pages.get(citation.section)
        name = name_in(text, page) if page else frozenset[str]()
        judged.append((*judge_claim(text, plain_quote(citation.quote), chances, name), citation))
    if not judged or sentence.verdict != SUPPORTED:
        return Claim(text, NO_EVIDENCE, 1.0, None)
    verdict, sure, cited = min(judged, key=lambda one: ((SUPPORTED, CONTRADICTED, NO_EVIDENCE).index(one[0]), -one[1]))
    return Claim(text, verdict, round(sure, 3), Span(cited.section, cited.start, cited.end, cited.quote))
