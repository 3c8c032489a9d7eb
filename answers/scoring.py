"""Sections and their sentences, scored by what speaks for them as the answer to a question.

A sentence and its section are described once (`signs.FEATURES`, `SENTENCE_FEATURES`), and logistic models weigh that:
how likely the section answers, what its sentences promise before they are read, and, where they were read, how likely
each helps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..embeddings.rerankers.sentence_reader import headed
from ..queries.filters import DERIVED
from .answer import FoundSection
from .confidence import ANSWERS, LEVELS, READ, kind_of, likely, promises, reads
from .signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .retrieving import Quotable, QuotableSentences

    Describe = Callable[[str, Sequence[str]], NDArray[np.float32]]
    """Gives (sentences, dimension) for a question and sentences."""

CHOSEN: Final = 12
"""Sentences that are chosen, and read; more find little more, by measured times and graded ones."""

EACH: Final = 6
"""Sections, the likeliest ones, of which a sentence is chosen at least; set by hand."""

NEAR_MISS: Final = 0.25
NEAR_MISS_READ: Final = 0.8
"""What is left of how likely a section answers of which something says that it does not, by hand; and where its
sentences were read, on graded ones."""

LEANING: Final = 3
"""Sentences that are quoted for one that leans on another, itself among them, though fewer are asked for; by hand."""

METHODS: Final = "methods"
"""The kind of section that tells how a study was done; of 87 that were graded for real questions none answered."""

_LONG: Final = 400
_RESEARCH: Final = re.compile(r"\b(?:stud(?:y|ies)|research\w*|(?:clinical )?trials?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence that could be quoted.

    Attributes:
        cosine: How near it is to the question, read under its document's title.
        told: Whether it has words with which one says what is asked for.
        named: The share of what the question names that it has, or its document is about.
        worded: The share of the question's words that it has.
        vector: (dimension,) float32 of unit length.
        helps: How likely it helps to answer, as reading tells; None where nothing was read.
    """

    candidate: CandidateSentence
    cosine: float
    told: bool
    named: float
    worded: float
    vector: NDArray[np.float32]
    helps: float | None = None

    @property
    def place(self) -> tuple[int, int]:
        """The number of its section, and its own in that."""
        return self.candidate.section, self.candidate.order


@dataclass(frozen=True, slots=True)
class ScoredSection:
    """A section with what speaks for it.

    Attributes:
        features: By `signs.FEATURES`.
        answers: How likely it answers; where sentences are read, how likely the best of them helps to.
        related: How likely it is about what is asked.
        sentences: Its sentences that can be quoted and were chosen, in order.
        of_kind: Whether it is of the kind asked for as a whole, not only where a sentence tells such things.
        about: Whether its page is about all that is named, and not about a form of it or something near.
        naming: Which of the things asked about its page is about, or has in its title or heading.
        doubt: What is left of how likely it answers, where it is of a kind that seldom does.
        near_miss: Whether something says that it does not answer, however near it comes.
    """

    section: SectionText
    features: Mapping[str, float]
    answers: float
    related: float
    sentences: Sequence[ScoredSentence]
    of_kind: bool = True
    about: bool = False
    naming: frozenset[str] = frozenset()
    other_sentences: Sequence[CandidateSentence] = ()
    doubt: float = 1.0
    near_miss: bool = False

    def shown(self) -> FoundSection:
        """Give what an answer shows of it: the section without its text."""
        row, score = self.section, round(self.answers, 4)
        named = row.section, row.document, row.title, row.url, row.source, row.licence, row.type, row.question
        return FoundSection(*named, score)

    def chosen(self, places: Iterable[tuple[int, int]]) -> ScoredSection:
        """Keep the sentences at some places; a section without any answers nothing."""
        kept = [said for said in self.sentences if said.place in places]
        others = [said.candidate for said in self.sentences if said.place not in places]
        answers, related = (self.answers, self.related) if kept else (0.0, 0.0)
        return replace(self, answers=answers, related=related, sentences=kept, other_sentences=others)


def features_of(said: ScoredSentence, item: ScoredSection, *, best: bool) -> dict[str, float]:
    """Describe a sentence by `SENTENCE_FEATURES`; `best` in the likeliest section."""
    one = said.candidate
    return {
        "near": said.cosine,
        "told": float(said.told),
        "names": said.named,
        "words": said.worded,
        "vague": float(one.vague),
        "leans": float(one.leans),
        "lead": 1 / (1 + one.order),
        "length": min(1.0, len(one.text) / _LONG),
        "research": float(bool(_RESEARCH.search(one.text))),
        "section": item.answers,
        "best section": float(best),
        "exact": item.features["exact"],
        "apart": float(not (said.told or item.of_kind)),
    }


def sentences_of(item: ScoredSection) -> list[CandidateSentence]:
    """Give the sentences of a section that can be quoted, in order."""
    return sorted((*(one.candidate for one in item.sentences), *item.other_sentences), key=lambda one: one.order)


def score(
    question: Question,
    sections: Sequence[SectionText],
    near: Sequence[float],
    sentences: QuotableSentences,
    clause: Question | None = None,
    most: int = CHOSEN,
    *,
    apart: bool = False,
) -> list[ScoredSection]:
    """Score sections, in the same order, and choose their most promising sentences.

    Args:
        near: How near the best passage of each comes to the question, as cosine.
        clause: What was typed, where the question is a plainer one made of it.
        most: Sentences that are chosen, at most; of each section by itself where they are taken `apart`.
    """
    signs = Signs(question, clause)
    described = zip(sections, near, sentences.of(sections), strict=True)
    every = [_scored(question, signs, *of_section) for of_section in described]
    ranked = sorted((item for item in every if item.sentences), key=lambda item: (-item.answers, -item.related))
    promising = [
        [(promises(features_of(said, item, best=not rank)), said) for said in item.sentences]
        for rank, item in enumerate(ranked)
    ]
    groups = [[each] for each in promising] if apart else [promising]
    places = {place for group in groups for place in _most_promising(group, most)}
    return [item.chosen(places) for item in every]


def _scored(
    question: Question, signs: Signs, section: SectionText, meaning: float, quotable: Quotable
) -> ScoredSection:
    """Score a section by what it and its sentences say."""
    head = " ".join([section.title, *section.aliases]).lower()
    said = []
    for one, vector in zip(*quotable, strict=True):
        text = f"{head} {one.text.lower()}"
        named, worded = signs.named(text, section), signs.worded(text)
        cosine = float(vector @ question.vector)
        said.append(ScoredSentence(one, cosine, signs.told(one.text), named, worded, vector))
    features = signs.of(
        section,
        meaning,
        max((one.cosine for one in said), default=0.0),
        told=any(one.told for one in said),
        together=max((one.named for one in said), default=0.0),
    )
    answers, related = (likely(kind_of(question), level, features) for level in LEVELS)
    near_miss, of_kind, about = signs.is_near_miss(features), signs.of_kind(section), signs.about(section)
    answers = NEAR_MISS * min(answers, related) if near_miss else answers
    doubt = 1.0
    if section.type == METHODS:
        doubt, related = NEAR_MISS, NEAR_MISS * related
    if section.source == DERIVED and not (of_kind and about):
        # Relations of one thing and kind tell nothing of others, which texts may.
        doubt = NEAR_MISS * doubt
    naming = signs.naming(section)
    return ScoredSection(
        section, features, doubt * answers, related, said, of_kind, about, naming, (), doubt, near_miss
    )


def _most_promising(found: Sequence[Sequence[tuple[float, ScoredSentence]]], most: int) -> set[tuple[int, int]]:
    """Choose the places of `most` sentences: the most promising, and the best of each first section.

    What one of them leans on, and what limits it, comes besides.
    """
    every = {said.place: said for each in found for _, said in each}
    best = [max(each, key=lambda one: one[0]) for each in found[:EACH]]
    others = sorted((one for each in found for one in each), key=lambda one: -one[0])
    first = list(dict.fromkeys(said.place for _, said in (*best, *others)))[:most]
    kept = set(first)
    for section, order in first:
        for place in range(order, order - LEANING + 1, -1):
            if not every[section, place].candidate.needs or (section, place - 1) not in every:
                break
            kept.add((section, place - 1))
        if (behind := every.get((section, order + 1))) and behind.candidate.limits:
            kept.add(behind.place)
    return kept


def in_order(gathered: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Order sections, those that answer most likely first."""
    return sorted(gathered, key=lambda item: (-item.answers, item.section.section))


def read_together(asked: str, evidence: Sequence[ScoredSection], describe: Describe) -> list[ScoredSection]:
    """Read sentences together with the question, and order sections by the best that they say."""
    places = [(place, number) for place, item in enumerate(evidence) for number in range(len(item.sentences))]
    if not places:
        return list(evidence)
    found = describe(asked, [text_of(evidence[place], evidence[place].sentences[number]) for place, number in places])
    vectors = dict(zip(places, found, strict=True))
    gathered = []
    for place, item in enumerate(evidence):
        sentences = [
            replace(said, helps=reads(features_of(said, item, best=place == 0), vectors[place, number]))
            for number, said in enumerate(item.sentences)
        ]
        best = max((said.helps or 0.0 for said in sentences), default=0.0)
        answers = max(item.doubt * (NEAR_MISS_READ if item.near_miss else 1.0) * best, _plainly(item))
        gathered.append(replace(item, sentences=sentences, answers=answers))
    return in_order(gathered)


def _plainly(item: ScoredSection) -> float:
    """Say how likely a section of exactly the kind asked for answers, on a page about exactly what is named."""
    if not item.features["exact"] or item.features["rest"] < 1 or item.near_miss:
        return 0.0
    # What else speaks for it is enough, where it would be without reading; carried over so that thresholds meet.
    over = (item.answers - ANSWERS["question"]) / (1 - ANSWERS["question"])
    return READ + over * (1 - READ) if over >= 0 else 0.0


def text_of(item: ScoredSection, said: ScoredSentence) -> str:
    """Write a sentence as it is read: under its page's title and its section's heading."""
    return headed(item.section.title, item.section.heading, said.candidate.text)
