"""The sentences of sections that support one which a language model wrote, claim by claim, and say it themselves."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ...embeddings.candidate_sentences import CandidateSentence, plain_quote
from ...logistic import read_models
from ...patterns import read_patterns, threshold
from ...text import spaced
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED, Claim, Sentence, Span
from ..citing import citation_of
from .claims import VERB, about_of, claims_of, name_in, names_of
from .claims import likely as opposing
from .naming import short_forms, without_date, written_out
from .passages import LEAD, lists, statements
from .rules import NEGATION, compare, form, informativeness, statement, table, turns
from .strength import names_people, overstates, people_in, same_people
from .verifier import LEAST, WORST, judge_claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...logistic import LogisticModel
    from ...queries.retriever import SectionText
    from ..answer import Verdict
    from ..scoring import ScoredSection
    from .claims import Chances
    from .rules import Comparison

MODEL: Final = "together"

# What it is made of, each from 0 to 1: the shares of the claim's words that all chosen sentences have, and that one
# has; whether these are two or three, and how far they are apart; the shares of pairs of words, and of neighbours, that
# one sentence of the section has; of the sentence that has most of the predicate, the share of the subject's words,
# that of the predicate's, and their product; and the share of all words that one sentence has. Where a sentence leans
# on the one before, its words count as well, as do those of title and heading, unless a sentence's own words are meant.
SIGNS: Final = (
    "covered", "single", "second", "third", "apart", "joined", "next", "subject", "predicate", "same", "within",
)  # fmt: skip

MOST: Final = 3  # sentences that say a claim together, at most; set by hand
_GAIN: Final = threshold("answers.verify.supporting.gain")
_FAR: Final = 10  # sentences that count as far apart; set by hand


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section as claims are checked against it: its sentences, what they say, and what stands over them."""

    section: SectionText
    sentences: Sequence[CandidateSentence]
    texts: Sequence[str]
    about: Sequence[str]
    own: Sequence[frozenset[str]]  # words of each sentence
    each: Sequence[frozenset[str]]  # the same with those of title, heading and what it leans on
    forms: Mapping[str, str]  # short forms, which texts and titles have written out


def gathered(claim: str, texts: Sequence[str]) -> Iterator[list[int]]:
    """Choose texts that have most of a claim's words together: the one that has most, then what adds most."""
    words = _words(claim)
    total, known, chosen = _sum(words), [words & _words(text) for text in texts], list[int]()
    while len(chosen) < min(MOST, len(texts)):
        had = frozenset[str]().union(*(known[place] for place in chosen))
        gains = [_sum(one - had) for one in known]
        best = max(range(len(texts)), key=lambda place: (round(gains[place], 4), -len(texts[place])))
        if chosen and gains[best] < _GAIN * total:
            return
        chosen = sorted((*chosen, best))
        yield chosen


def signs_of(claim: str, reading: CheckedSection, chosen: Sequence[int], found: Comparison) -> list[float]:
    """Describe by `SIGNS` how a claim's words spread over a section, of which `chosen` sentences say it together."""
    own, each = reading.own, reading.each
    words = list(dict.fromkeys(statement(claim).words))
    whole = frozenset(words)
    verb = VERB.search(claim)
    subject = _words(claim[: verb.start()]) if verb else frozenset[str]()
    predicate = whole - subject
    says = max(range(len(own)), key=lambda place: _sum(predicate & own[place]))
    there = [word for word in words if any(word in one for one in each)]
    pairs = {pair: any(pair[0] in one and pair[1] in one for one in each) for pair in itertools.combinations(there, 2)}
    weights = {pair: informativeness(pair[0]) * informativeness(pair[1]) for pair in pairs}
    near = [pairs[pair] for pair in itertools.pairwise(there)]
    named, stated = _share(subject, each[says]), _share(predicate, own[says])
    return [
        found.covered,
        max(_share(whole, own[place]) for place in chosen),
        float(len(chosen) == 2),
        float(len(chosen) > 2),
        min((chosen[-1] - chosen[0]) / _FAR, 1.0),
        sum(weights[pair] for pair in pairs if pairs[pair]) / (sum(weights.values()) or 1) if pairs else 1.0,
        sum(near) / len(near) if near else 1.0,
        named,
        stated,
        named * stated,
        max(_share(whole, one) for one in each),
    ]


def likely(signs: Sequence[float]) -> float:
    """Give the probability that sentences say a claim together, by what `signs_of` found."""
    return model().likely(dict(zip(SIGNS, signs, strict=True)))


@cache
def model() -> LogisticModel:
    """Read the weights that the package has."""
    path = Path(__file__).with_name("together.tsv")
    return read_models(path, "medgraph train verifier FILE --written TABLE", {MODEL: SIGNS})[MODEL]


def _words(text: str) -> frozenset[str]:
    return frozenset(statement(text).words)


def _sum(words: frozenset[str]) -> float:
    return sum(map(informativeness, words))


def _share(words: frozenset[str], there: frozenset[str]) -> float:
    return _sum(words & there) / (_sum(words) or 1) if words else 1.0


_RULES: Final = read_patterns(Path(__file__).with_name("supporting.tsv"))


def is_framed(claim: str, text: str) -> bool:
    """Tell whether a claim stands word for word in a text, and only within a frame (`Write that …`)."""
    words = re.findall(r"\w+", claim)
    found = list(re.finditer(r"\W+".join(words), text, re.IGNORECASE)) if words else []
    before = [text[: place.start()] for place in found]
    return bool(found) and not any(
        not re.search(r"\w", one) or (_RULES["asserts"].search(one) and not _RULES["doubts"].search(one))
        for one in before
    )


SUPPORTS: Final = threshold("answers.verify.supporting.supports")

# How much a word of a claim may tell, at most, that sentences lack which support it; set on the half dev of sentences
# that were written from the sample's pages.
MOST_MISSING: Final = 3.25
ITSELF: Final = threshold("answers.verify.supporting.itself")

# Single sentences that are judged for a claim, at most: those that have most of its words; set by hand.
JUDGED: Final = 6
NEARLY: Final = threshold("answers.verify.supporting.nearly")
COVERED: Final = threshold("answers.verify.supporting.covered")

# Words of a claim, at least, that several sentences may say together where they do not lean on each other: of a short
# one each has too little. Chosen on the half dev.
LONG: Final = 6

# Words of what says something, at least: somebody does something. Set by hand.
SHORTEST: Final = 3
_GAP: Final = 2  # characters between sentences that are quoted as one, at most


@dataclass(frozen=True, slots=True)
class Judgement:
    """What some sentences of a section, by place, say of a claim, and how likely that is right."""

    verdict: Verdict
    sure: float
    reading: CheckedSection
    chosen: Sequence[int]


def citing(text: str, sections: Sequence[ScoredSection], chances: Chances) -> Sentence:
    """Check a sentence in words of its own, and cite what supports it: at most `MOST` sentences of a section a claim.

    It is one claim where it is supported as a whole only, or stands in a section word for word.
    """
    said, of = without_date(text, sections)
    return replace(_checked(said, of, chances), text=text)


def _checked(text: str, sections: Sequence[ScoredSection], chances: Chances) -> Sentence:
    verbatim = ((item.section, _find_verbatim(text, item.section)) for item in sections)
    if found := next(((section, place) for section, place in verbatim if place), None):
        citation = citation_of(*found)
        span = Span(citation.section, citation.start, citation.end, citation.quote)
        return Sentence(text, (citation,), SUPPORTED, claims=(Claim(text, SUPPORTED, 1.0, span),))
    forms = dict(short_forms(text))  # what a source explains counts before what the sentence says of it
    for item in sections:
        forms |= short_forms(explaining(item.section))
    readings = [reading_of(item.section, forms) for item in sections]
    parts = claims_of(text)
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


_ADDRESS: Final = re.compile(r"\w\.[a-z]{2,}|https?:|www\.")  # where a text leads elsewhere
_NAMES: Final = 8  # names of a page that a sentence may have besides what a section says, at most
# What joins a name to what is said: the dose (of lactulose) may be increased, a drug (such as lactulose) may help.
_JOINS: Final = r"(?:of|for|with|in|on|to|from|by|such as|called|the|a|an)"


def _find_verbatim(text: str, section: SectionText) -> CandidateSentence | None:
    """Find a whole statement that a section has word for word, but for a name of what its page is about."""
    if text.endswith("?") or _ADDRESS.search(text):
        return None
    names = sorted(names_of(section), key=len, reverse=True)[:_NAMES]
    name = "|".join(re.escape(one) for one in names if one.strip())
    named = re.compile(rf",?(?:\s*\b{_JOINS})*\s*\(?\b(?:{name})\b(?:\s*\((?:{name})\))?\)?,?", re.IGNORECASE)
    for said in dict.fromkeys((text, named.sub("", text)) if name else (text,)):
        words = said.strip().rstrip(" .;,")
        if len(words.split()) >= SHORTEST and len(set(statement(said).words)) >= LEAST:
            place = re.search(
                rf"(?:\A(?:{LEAD.pattern})?|\n|[.!?]\s)\W*(?=(?-i:[^a-z]))({spaced(words)}(?:[.!](?!\w)|(?=\s*(?:\n|\Z))))",
                section.text,
                re.IGNORECASE,
            )
            if place:
                return CandidateSentence(0, 0, *place.span(1), place[1])
    return None


def reading_of(section: SectionText, forms: Mapping[str, str] = MappingProxyType({})) -> CheckedSection:
    """Read all statements of a section, to check claims against it; `forms` are short forms explained elsewhere."""
    known = {**forms, **short_forms(explaining(section))}
    sentences = statements(section.text)
    about = [written_out(one, known) for one in about_of(section)]
    texts = [written_out(_plain(section.text[one.start : one.end] or one.text), known) for one in sentences]
    own, over = [_words(one) for one in texts], _words(" ".join(about))
    before = [frozenset[str](), *own]
    leaning = (one.needs or one.leans for one in sentences)
    each = [
        mine | over | (last if leans else frozenset()) for mine, last, leans in zip(own, before, leaning, strict=False)
    ]
    return CheckedSection(section, sentences, texts, about, own, each, known)


def explaining(section: SectionText) -> str:
    """Give what of a section may explain short forms."""
    return f"{section.title}. {section.heading}. {section.text}"


def _plain(quote: str) -> str:
    """Write a quotation in one line; each item of a list is a statement."""
    lines = quote.splitlines()
    return plain_quote(". ".join(lines) if lines[1:] and lines[0].rstrip().endswith(":") else quote)


def _best(claim: str, readings: Sequence[CheckedSection], chances: Chances) -> Judgement | None:
    claim = written_out(claim, {name: long for reading in readings for name, long in reading.forms.items()})
    judged = [_judged(claim, reading, chosen, chances) for reading, chosen in candidates_of(claim, readings)]
    supporting = [one for one in judged if one.verdict == SUPPORTED]
    if supporting and (denying := next((one for one in judged if _denies(claim, one)), None)):
        return denying
    return min(supporting, key=lambda one: (-round(one.sure, 2), len(one.chosen)), default=next(iter(judged), None))


def _denies(claim: str, one: Judgement) -> bool:
    """Tell whether a sentence has all words of a claim and denies it."""
    found = compare(claim, " ".join(one.reading.texts[place] for place in one.chosen))
    return len(one.chosen) == 1 and one.verdict == CONTRADICTED and NEGATION in found.opposed and not found.missing


def candidates_of(claim: str, readings: Sequence[CheckedSection]) -> Iterator[tuple[CheckedSection, Sequence[int]]]:
    """Choose what may say a claim: sentences that have most of its words, then several that have most together."""
    single = [
        (-compare(claim, text, apart).covered, number, place)
        for number, reading in enumerate(readings)
        for apart, _ in [_apart(claim, reading)]
        for place, text in enumerate(reading.texts)
    ]
    single.sort()
    for share, number, place in single[:JUDGED]:
        if share <= single[0][0] + NEARLY:
            yield readings[number], (place,)
    long = len(set(statement(claim).words)) >= LONG
    for reading in readings:
        for chosen in gathered(claim, reading.texts):
            told = reading.sentences
            leaning = all(two == one + 1 and told[two].needs for one, two in itertools.pairwise(chosen))
            if len(chosen) > 1 and (long or leaning):  # or each leans on the one before it
                yield reading, chosen


def allowed(claim: str, reading: CheckedSection, chosen: Sequence[int]) -> Comparison | None:
    """Compare a claim with sentences that may say it; None where a rule objects, however likely all else is."""
    text = " ".join(reading.texts[place] for place in chosen)
    if not (_stands(claim, text) and _says_itself(claim, text, reading)) or turns(claim, text):
        return None
    spans = [reading.sentences[place] for place in chosen]
    if sum(lists(reading.section.text[one.start : one.end]) for one in spans) > 1:  # items of one stand in no other
        return None
    if overstates(claim, [reading.texts[place] for place in chosen], " ".join(reading.about)):
        return None
    about = _lent(claim, reading)
    found = compare(claim, text, about=about)
    enough = _has_each(claim, text, about, found) or len(set(statement(claim).words)) >= LONG
    return found if found.fits and found.missing <= MOST_MISSING and enough else None


def _says_itself(claim: str, text: str, reading: CheckedSection) -> bool:
    """Tell whether sentences have most of a claim, whatever title and heading say; of a dose its numbers are enough."""
    apart, people = _apart(claim, reading)
    if people and _RULES["restricts"].search(text) and not _RULES["restricts"].search(claim):
        return False
    return (people and apart.issuperset(statement(claim).words)) or compare(claim, text, apart).covered >= ITSELF


def _apart(claim: str, reading: CheckedSection) -> tuple[frozenset[str], bool]:
    """Give forms of words that sentences need not repeat, and whether title or heading name for whom a dose is."""
    name = name_in(claim, reading.section)
    if not (statement(claim).numbers and names_people(claim)):
        return name, False
    name = name.union(map(form, table().plain["dosing"]))
    if not any(any(people_in(claim, over)) for over in reading.about):
        return name, False
    return name.union(statement(_lent(claim, reading)).words), True


def _lent(claim: str, reading: CheckedSection) -> str:
    """Give what of title and heading a claim has as a whole, which sentences need not repeat, and whom these name."""
    words = set(statement(claim).words)
    whole = (f"{one}." for one in reading.about if words.issuperset(statement(one).words))
    return " ".join((*whole, *(f"{people}." for one in reading.about for people in people_in(claim, one))))


def _has_each(claim: str, text: str, about: str, found: Comparison) -> bool:
    """Tell whether sentences have the words of a short claim, as they are counted and as they are weighed."""
    words, had = set(statement(claim).words), {*statement(text).words, *statement(about).words}
    return min(found.covered, len(words & had) / len(words)) >= COVERED


def _stands(claim: str, text: str) -> bool:
    """Tell whether a claim says enough to be checked, asks nothing, and is not only said within a frame."""
    says = len(claim.split()) >= SHORTEST and not _RULES["asks"].search(claim)
    return says and len(set(statement(claim).words)) >= LEAST and not is_framed(claim, text)


def _judged(claim: str, reading: CheckedSection, chosen: Sequence[int], chances: Chances) -> Judgement:
    text = " ".join(reading.texts[place] for place in chosen)
    if chances.has_reader and _stands(claim, text):
        return Judgement(*judge_claim(claim, text, chances), reading, chosen)
    found = allowed(claim, reading, chosen)
    supports = likely(signs_of(claim, reading, chosen, found)) if found else 0.0
    if supports >= SUPPORTS:
        return Judgement(SUPPORTED, supports, reading, chosen)
    opposed = compare(claim, text, about=_lent(claim, reading))
    contradicts = opposing("contradicts", opposed) if opposed.opposed and same_people(claim, text) else 0.0
    if contradicts >= SUPPORTS:
        return Judgement(CONTRADICTED, contradicts, reading, chosen)
    return Judgement(NO_EVIDENCE, 1 - max(supports, contradicts), reading, chosen)


def _spans(one: Judgement) -> list[CandidateSentence]:
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
    if judged is None:
        return Claim(text, NO_EVIDENCE, 1.0, None)
    section = judged.reading.section
    best = max(_spans(judged), key=lambda span: compare(text, plain_quote(span.text)).covered)
    quote = section.text[best.start : best.end]
    return Claim(text, judged.verdict, round(judged.sure, 3), Span(section.section, best.start, best.end, quote))
