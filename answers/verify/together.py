"""Probability that sentences of one section together support a claim in a language model's own words.

A logistic model weighs how the claim's words spread over the sentences: who summarizes takes them from several, but who
mixes up what is said of what takes subject and predicate from different ones. Its weights stand in `together.tsv`; they
are fitted to sentences that a large language model wrote, and to such sentences with faults
(`medgraph train verifier FILE --written TABLE`).
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...embeddings.candidate_sentences import said
from ...logistic import read_models
from .claims import VERB
from .rules import tells
from .statement import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...embeddings.candidate_sentences import CandidateSentence
    from ...logistic import LogisticModel
    from .rules import Comparison

FILE: Final = Path(__file__).with_name("together.tsv")
MODEL: Final = "together"
REMEDY: Final = "medgraph train verifier FILE --written TABLE"

# What it is made of, each from 0 to 1: the shares of the claim's words that all chosen sentences have, and that one
# has; whether these are two or three, and how far they are apart; the shares of pairs of words, and of neighbours, that
# one sentence of the section has; of the sentence that has most of the predicate, the share of the subject's words,
# that of the predicate's, and their product; and the share of all words that one sentence has. Where a sentence leans
# on the one before, its words count as well, as do those of title and heading, unless a sentence's own words are meant.
SIGNS: Final = (
    "covered", "single", "second", "third", "apart", "joined", "next", "subject", "predicate", "same", "within",
)  # fmt: skip

MOST: Final = 3  # sentences that say a claim together, at most; set by hand
_GAIN: Final = 0.04  # the share of a claim's words that a further sentence adds, at least; set by hand
_FAR: Final = 10  # sentences that count as far apart; set by hand
_PREDICATE: Final = re.compile(VERB, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SectionWords:
    """The words of each sentence of a section, and the same with those of title, heading and what it leans on."""

    own: Sequence[frozenset[str]]
    each: Sequence[frozenset[str]]


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


def read_section(sentences: Sequence[CandidateSentence], about: str) -> SectionWords:
    """Read the sentences of a section, each with what it leans on, under their title and heading."""
    own = [_words(said(one.text)) for one in sentences]
    over = _words(about)
    before = [frozenset[str](), *own]
    leaning = (one.needs or one.leans for one in sentences)
    each = [
        mine | over | (last if leans else frozenset()) for mine, last, leans in zip(own, before, leaning, strict=False)
    ]
    return SectionWords(tuple(own), tuple(each))


def signs_of(claim: str, told: SectionWords, chosen: Sequence[int], found: Comparison) -> list[float]:
    """Describe by `SIGNS` how a claim's words spread over a section.

    Args:
        told: The words of the section's sentences.
        chosen: Places of those that may say it together, in order.
        found: What comparing the claim with these found.
    """
    words = list(dict.fromkeys(statement(claim).words))
    whole = frozenset(words)
    verb = _PREDICATE.search(claim)
    subject = _words(claim[: verb.start()]) if verb else frozenset[str]()
    predicate = whole - subject
    says = max(range(len(told.own)), key=lambda place: _sum(predicate & told.own[place]))
    there = [word for word in words if any(word in one for one in told.each)]
    pairs = {
        pair: any(pair[0] in one and pair[1] in one for one in told.each) for pair in itertools.combinations(there, 2)
    }
    weights = {pair: tells(pair[0]) * tells(pair[1]) for pair in pairs}
    near = [pairs[pair] for pair in itertools.pairwise(there)]
    named, stated = _share(subject, told.each[says]), _share(predicate, told.own[says])
    return [
        found.covered,
        max(_share(whole, told.own[place]) for place in chosen),
        float(len(chosen) == 2),
        float(len(chosen) > 2),
        min((chosen[-1] - chosen[0]) / _FAR, 1.0),
        sum(weights[pair] for pair in pairs if pairs[pair]) / (sum(weights.values()) or 1) if pairs else 1.0,
        sum(near) / len(near) if near else 1.0,
        named,
        stated,
        named * stated,
        max(_share(whole, one) for one in told.each),
    ]


def likely(signs: Sequence[float]) -> float:
    """Give the probability that sentences say a claim together, by what `signs_of` found."""
    return model().likely(dict(zip(SIGNS, signs, strict=True)))


@cache
def model() -> LogisticModel:
    """Read the weights that the package has."""
    return read_models(FILE, REMEDY, {MODEL: SIGNS})[MODEL]


def _words(text: str) -> frozenset[str]:
    return frozenset(statement(text).words)


def _sum(words: frozenset[str]) -> float:
    return sum(map(tells, words))


def _share(words: frozenset[str], there: frozenset[str]) -> float:
    return _sum(words & there) / (_sum(words) or 1) if words else 1.0
