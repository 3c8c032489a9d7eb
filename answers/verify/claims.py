"""A sentence in claims, each checked by itself, how likely a text supports one, and what other evidence says of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...logistic import read_models
from ...patterns import read_patterns, threshold
from ..citing import citation_of
from .rules import KINDS, NEGATION, NUMBER, OPPOSABLE, UNIT, compare, form, statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...embeddings.candidate_sentences import CandidateSentence
    from ...logistic import LogisticModel
    from ...queries.retriever import SectionText
    from ..answer import Sentence
    from ..scoring import ScoredSection, ScoredSentence
    from .reader import ClaimReader
    from .rules import Comparison

    Place = tuple[ScoredSection, CandidateSentence]

MIN_WORDS: Final = 4  # words of a claim, at least; what is shorter stays with the clause before it
_RULES: Final = read_patterns(Path(__file__).with_name("claims.tsv"))
VERB: Final = _RULES["verb"]


def claims_of(sentence: str) -> list[str]:
    """Split a sentence into claims, in order; together they have every word but what joins them.

    A clause is cut off only where both halves have words enough and look as if they had a verb of their own; what
    stands in brackets, in quotation marks or in a list stays whole.
    """
    claims, start = [], 0
    for cut in _RULES["cut"].finditer(sentence):
        if _stands(sentence[start : cut.start()]) and _stands(sentence[cut.end() :]):
            claims.append(sentence[start : cut.start()])
            start = cut.end()
    return list(filter(None, map(str.strip, (*claims, sentence[start:]))))


def _stands(text: str) -> bool:
    whole = text.count("(") == text.count(")") and text.count('"') % 2 == 0 and ":" not in text
    return whole and len(text.split()) >= MIN_WORDS and bool(_RULES["finite"].search(text))


LEVELS: Final = ("supports", "contradicts")

# What a claim is judged by: the share of its words that the text has, how much the word tells that is missing and tells
# most, and what differs or is opposed, 1 or 0.
SIGNS: Final = ("covered", "missing", *(f"other {kind}" for kind in KINDS), *(f"opposite {kind}" for kind in OPPOSABLE))


def likely(level: str, found: Comparison) -> float:
    """Tell how likely a text supports a claim, or contradicts it (`LEVELS`), by what comparing them found."""
    return models()[level].likely(dict(zip(SIGNS, signs_of(found), strict=True)))


def signs_of(found: Comparison) -> Sequence[float]:
    """Describe a comparison by numbers, in the order of `SIGNS`."""
    return (
        found.covered,
        found.missing,
        *(float(kind in found.differ) for kind in KINDS),
        *(float(kind in found.opposed) for kind in OPPOSABLE),
    )


@cache
def models() -> dict[str, LogisticModel]:
    """Read the models: level → what weighs `SIGNS`."""
    return read_models(
        Path(__file__).with_name("verifier.tsv"), "medgraph train verifier FILE", dict.fromkeys(LEVELS, SIGNS)
    )


SUPPORTS: Final = threshold("answers.verify.claims.supports")


class Chances:
    """Gives probabilities for one answer: each is read once, none of what is quoted; rules stand in for a reader."""

    def __init__(self, reader: ClaimReader | None = None) -> None:
        self._reader = reader
        self.has_reader = reader is not None
        self._known: dict[tuple[str, str], tuple[float, float]] = {}

    def ahead(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Read pairs at once, where pairs are read."""
        if self._reader is None:
            return
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known and not _quotes(*pair)]
        if new:
            for pair, chances in zip(new, self._reader.chances(new).tolist(), strict=True):
                self._known[pair] = chances[0], chances[1]

    def of(self, claim: str, text: str, found: Comparison) -> tuple[float, float]:
        """Say how likely a text supports a claim, and how likely it contradicts it."""
        if self._reader is None or _quotes(text, claim):
            supports, contradicts = (likely(level, found) for level in LEVELS)
            return supports, contradicts
        self.ahead([(text, claim)])
        return self._known[text, claim]


def _quotes(text: str, claim: str) -> bool:
    """Tell whether a claim stands in a text word for word; whether that says so is no question for what reads."""
    return " ".join(claim.split()).strip(" .;,").lower() in " ".join(text.split()).lower()


BY_WORDS: Final = Chances()  # where nothing reads


def pairs_of(claim: str, text: str) -> list[tuple[str, str]]:
    """Give what has to be read to judge a claim: the text and its clauses, each with the claim."""
    return [(text, claim), *((part, claim) for part in claims_of(text) if part != text)]


COVERED: Final = threshold("answers.verify.claims.covered")
NEAR: Final = threshold("answers.verify.claims.near")
CONTAINED: Final = threshold("answers.verify.claims.contained")
SHARED: Final = threshold("answers.verify.claims.shared")
LONGEST_NAME: Final = 6  # words of a title that is a name, at most; a longer one may state something
LEAST: Final = 3  # words that a claim must have besides the name of its subject; set by hand

# What names of diseases have or lack without naming another.
_KINDS: Final = frozenset(map(form, ("condition", "disease", "disorder", "syndrome")))


# Words that tell nothing of what is said of a disease, and of whom.
_PLAIN: Final = _KINDS | frozenset(
    map(form, ("affected", "form", "individuals", "manner", "patients", "pattern", "people", "person", "way"))
)


def same_subject(one: SectionText, other: SectionText) -> bool:
    """Tell whether two sections are of documents about the same: by name, and by concept where both have one.

    `Huntington's Disease` and `Huntington disease` are one name, as `Thalassemias` is.
    """
    if _names(*_called(one)).isdisjoint(_names(*_called(other))):
        return False
    if one.concepts and other.concepts:
        return not set(one.concepts).isdisjoint(other.concepts)
    return True


def names_of(section: SectionText) -> tuple[str, ...]:
    """Give all names of what a section's document is about, its title first."""
    return tuple(dict.fromkeys((*_called(section), *section.names)))


def _called(section: SectionText) -> tuple[str, ...]:
    return (section.title, *section.aliases)


@lru_cache(maxsize=1024)
def _names(*names: str) -> frozenset[frozenset[str]]:
    words = (
        [
            form(_RULES["owner"].sub("", word))
            for word in _RULES["name"].findall(_RULES["booklet"].sub("", name).lower())
        ]
        for name in names
    )
    return frozenset(frozenset(each) - _KINDS or frozenset(each) for each in words if each)


def apart_of(*sections: SectionText) -> frozenset[str]:
    """Give forms of the words that do not count between sentences of sections: names, initials, and empty words."""
    return _PLAIN.union(*(_name_words(*_called(section)) for section in sections))


def name_in(claim: str, section: SectionText) -> frozenset[str]:
    """Give forms of the words by which a claim names what a section's page is about, where it has a name as a whole."""
    words = set(statement(claim).words)
    names = (statement(name).words for name in names_of(section) if len(name.split()) <= LONGEST_NAME)
    return frozenset(word for name in names if words.issuperset(name) for word in name)


def about_of(section: SectionText) -> list[str]:
    """Give what stands over a section, its page's title and its question or heading, if that states nothing."""
    over = (*names_of(section), *(section.question or section.heading).split(" > "))
    return [one for one in over if one and not any(map(_RULES["states"].match, _RULES["parts"].split(one)))]


@lru_cache(maxsize=1024)
def _name_words(*names: str) -> frozenset[str]:
    initials = ("".join(word[0] for word in _RULES["name"].findall(name)).lower() for name in names)
    return frozenset(initials).union(*(statement(name).words for name in names))


def has_content(claim: str, apart: frozenset[str]) -> bool:
    """Tell whether a claim says enough besides its subject to be found again."""
    return len(set(statement(claim).words) - apart) >= LEAST


def restates(text: str, claimed: str, apart: frozenset[str], cosine: float, chances: Chances = BY_WORDS) -> bool:
    """Tell whether a sentence says what another one claims; `apart` is from `apart_of`.

    Word for word, by having nearly all of its words and nothing that differs, or, where both are near by `cosine`, by
    having most of them with no number or negation that differs.
    """
    if text == claimed:
        return True
    plain = _RULES["explained"].sub("", claimed)
    claims = [(claim, compare(claim, text, apart)) for claim in claims_of(plain)]
    if not all(has_content(claim, apart) for claim, _ in claims):
        return False
    if all(found.fits and _covers(claim, text, found, chances) for claim, found in claims):
        return True
    return not chances.has_reader and cosine >= NEAR and _nearly(plain, _RULES["explained"].sub("", text), apart)


def _covers(claim: str, text: str, found: Comparison, chances: Chances) -> bool:
    return chances.of(claim, text, found)[0] >= SUPPORTS if chances.has_reader else found.covered >= COVERED


def _nearly(one: str, other: str, apart: frozenset[str]) -> bool:
    ways = compare(one, other, apart), compare(other, one, apart)
    shares = [way.covered for way in ways]
    if max(shares) < CONTAINED or min(shares) < SHARED or any(way.opposed for way in ways):
        return False
    # Where each names what the other does not, they speak of different things: joints here, kidneys there.
    swapped = ways[0].differ & ways[1].differ
    return not swapped and (ways[0].differ | ways[1].differ).isdisjoint((NUMBER, UNIT, NEGATION))


NEAR_OTHER: Final = threshold("answers.verify.claims.near_other")
OPPOSITE_SURE: Final = threshold("answers.verify.claims.opposite_sure")
SHARED_OTHER: Final = threshold("answers.verify.claims.shared_other")
SHOWN: Final = 3  # other documents that are named, at most; set by hand


def with_others(sentence: Sentence, evidence: Sequence[ScoredSection], chances: Chances) -> Sentence:
    """Add where other evidence says the same of the same subject, or the opposite; who says a fact stands with it."""
    if sentence.facts:
        return sentence
    place = _place(sentence, evidence)
    if place is None:
        return replace(sentence, sources=len({one.source for one in sentence.citations}) or 1)
    cited, mine = place
    claimed = mine.candidate.text
    agreeing: dict[tuple[str, str], Place] = {}
    contradicting: dict[str, Place] = {}
    for item, one, cosine in _near(cited, mine, evidence):
        apart = apart_of(cited.section, item.section)
        source = _source(item.section)
        if source != _source(cited.section) and restates(one.text, claimed, apart, cosine, chances):
            agreeing.setdefault(source, (item, one))
        elif cosine >= NEAR_OTHER and any(
            _opposite(mine, other, apart, chances) for mine in claims_of(claimed) for other in claims_of(one.text)
        ):
            contradicting.setdefault(item.section.document, (item, one))
    for item, one in () if chances.has_reader else _elsewhere(cited, claimed, evidence):
        if _source(item.section) not in agreeing and restates(
            one.text, claimed, apart_of(cited.section, item.section), 0
        ):
            agreeing[_source(item.section)] = (item, one)
    agrees, contradicts = (
        tuple(citation_of(item.section, one) for item, one in [*found.values()][:SHOWN])
        for found in (agreeing, contradicting)
    )
    return replace(sentence, sources=1 + len(agreeing), agreeing=agrees, contradicting=contradicts)


def pairs_to_judge(sentence: Sentence, evidence: Sequence[ScoredSection]) -> Iterator[tuple[str, str]]:
    """Give the pairs that have to be read to say what other evidence says."""
    place = _place(sentence, evidence)
    if place is None:
        return
    cited, mine = place
    for _, other, _ in _near(cited, mine, evidence):
        for claim in claims_of(mine.candidate.text):
            yield other.text, claim
            for back in claims_of(other.text):
                yield back, claim
                yield claim, back


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
    found = [
        (item, one.candidate, float(mine.vector @ one.vector))
        for item in _about_the_same(cited, evidence)
        for one in item.sentences
    ]
    yield from sorted((one for one in found if one[2] >= NEAR_OTHER), key=lambda one: -one[2])


def _elsewhere(cited: ScoredSection, claimed: str, evidence: Sequence[ScoredSection]) -> Iterator[Place]:
    """Give sentences of other sources about the same, near or not, that have most words of a sentence."""
    own = set(statement(claimed).words) - apart_of(cited.section)
    for item in _about_the_same(cited, evidence):
        if _source(item.section) != _source(cited.section):
            for one in (*(said.candidate for said in item.sentences), *item.other_sentences):
                text = one.text.lower()
                if sum(word in text for word in own) >= SHARED_OTHER * len(own):
                    yield item, one


def _about_the_same(cited: ScoredSection, evidence: Sequence[ScoredSection]) -> list[ScoredSection]:
    return [
        item
        for item in evidence
        if item.section.document != cited.section.document and same_subject(cited.section, item.section)
    ]


def _source(section: SectionText) -> tuple[str, str]:
    return section.source, section.collection


def _opposite(one: str, other: str, apart: frozenset[str], chances: Chances) -> bool:
    there, back = compare(one, other, apart), compare(other, one, apart)
    if chances.has_reader:
        opposed = min(chances.of(one, other, there)[1], chances.of(other, one, back)[1]) >= OPPOSITE_SURE
    else:
        opposed = bool(there.opposed) and there.opposed == back.opposed == there.differ == back.differ
        opposed = opposed and min(there.covered, back.covered) >= COVERED
    return (
        opposed
        and statement(one).hedged == statement(other).hedged
        and has_content(one, apart)
        and has_content(other, apart)
    )
