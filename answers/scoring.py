"""Reads sections that were found, and scores them and their sentences by what speaks for them as the answer.

A section and its sentences are described once, and logistic models weigh that (`signs.FEATURES`, `SENTENCE_FEATURES`):
how likely the section answers by all that it says, what each sentence promises, how likely the section answers by the
sentences chosen of it, and, where they were read, how likely each helps.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.candidate_sentences import CandidateSentence, as_encoded, candidates, found_at, sentences_by, unpack
from ..patterns import threshold
from ..queries.filters import DERIVED
from ..queries.hits import dated, retired
from ..queries.lookups import exact_medicines
from ..queries.message import has_answer_words
from ..schema.vocabulary import studies_of
from ..text import headed
from .answer import FoundSection
from .signs import ANSWERS, FEATURES, LEVELS, READ, Signs, helps_when_paired, is_about, kind_of, likely, promises

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..queries.entities import Mention
    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText

    Quotable = tuple[list[CandidateSentence], NDArray[np.float32]]  # of a section: sentences, (sentences, dimension)
    Retrieved = tuple[SectionText, float]  # how near its best passage comes to the question, as cosine
    Describe = Callable[[str, Sequence[str]], NDArray[np.float32]]  # (sentences, dimension) for a question and these
    Place = tuple[int, int]  # the number of a section, and a sentence's own in it

MOST: Final = 8192  # texts; their vectors take about 16 MB


class RememberedVectors:
    """Encodes texts, and keeps the vectors of those that were used last."""

    def __init__(self, encoder: Callable[[], TextEncoder], most: int = MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts, one at least, as `TextEncoder.encode` does; several threads may do so at once."""
        with self._lock:
            known = {text: vector for text in texts if (vector := self._kept.get(text)) is not None}
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        if unknown:
            # Copied, so that a row does not keep the whole array alive.
            known |= {text: row.copy() for text, row in zip(unknown, self._encoder().encode(unknown), strict=True)}
        with self._lock:
            for text in texts:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return np.stack([known[text] for text in texts])


# Sections that are read in full: the best ranked ones, and those with the nearest passages, of labels more; by hand.
RANKED: Final = 10
NEAREST: Final = 6
OF_LABEL: Final = 16  # of 160 questions 74 have a sentence that answers, from .6 on; 72 without, 75 of 30 sections


def retrieve(retriever: Retriever, question: Question) -> list[Retrieved]:
    """Find the sections that are read in full."""
    ranked = retriever.ranked(question)
    by_meaning = sorted(ranked, key=lambda row: -(row["semantic"] or 0.0))
    own = [row for row in by_meaning if row["label"] and row["far"] is not None][:OF_LABEL]
    near = {row["section"]: row["semantic"] or 0.0 for row in (*ranked[:RANKED], *by_meaning[:NEAREST], *own)}
    return [(one, near[one.section]) for one in load_sections(retriever, near)]


def load_sections(retriever: Retriever, names: Iterable[str]) -> list[SectionText]:
    """Read sections by id, in the order of the ids."""
    wanted = list(names)
    found = {section.section: section for section in retriever.texts(wanted)}
    return [found[name] for name in wanted if name in found]


class QuotableSentences:
    """Gives the sentences of sections: those that the graph keeps with their vectors, or else found and encoded."""

    def __init__(self, encoder: Callable[[], TextEncoder]) -> None:
        self._encoder = encoder
        self._remembered = RememberedVectors(encoder)

    def of(self, sections: Sequence[SectionText]) -> list[Quotable]:
        """Give the sentences of sections, whose `section` is its place, with vectors; threads may ask at once."""
        kept = [self._kept(place, section) for place, section in enumerate(sections)]
        found = {place: candidates(place, sections[place].text) for place, one in enumerate(kept) if not one}
        unknown = [as_encoded(sections[place].title, one.text) for place, each in found.items() for one in each]
        encoded = iter(self._remembered.encode(unknown) if unknown else ())
        none = np.zeros((0, self._encoder().dimension), dtype=np.float32)
        return [
            one or (found[place], np.array([next(encoded) for _ in found[place]]) if found[place] else none)
            for place, one in enumerate(kept)
        ]

    def _kept(self, place: int, section: SectionText) -> Quotable | None:
        encoder = self._encoder()
        if section.sentence_model != sentences_by(encoder.name) or section.sentence_vectors is None:
            return None
        spans, vectors = unpack(section.sentence_vectors, encoder.dimension)
        text = section.text
        return [found_at(place, order, start, end, text) for order, (start, end) in enumerate(spans)], vectors


CHOSEN: Final = 12  # sentences that are chosen, and read; more find little more, by measured times and graded ones
OF_LABELS: Final = 8  # the same of labels, whose sentences are long: 94 of 96 questions that twelve answer are answered
EACH: Final = 6  # sections, the likeliest ones, of which a sentence is chosen at least; set by hand
NEAR_MISS: Final = threshold("answers.scoring.near_miss")
NEAR_MISS_READ: Final = threshold("answers.scoring.near_miss_read")

# Sentences that are quoted for one that leans on another, itself among them, though fewer are asked for; by hand.
LEANING: Final = 3

# The kind of section that tells how a study was done; of 87 that were graded for real questions none answered.
METHODS: Final = "methods"
_LONG: Final = 400
_RESEARCH: Final = re.compile(r"\b(?:stud(?:y|ies)|research\w*|(?:clinical )?trials?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence that could be quoted."""

    candidate: CandidateSentence
    cosine: float  # how near it is to the question, read under its document's title
    told: bool  # whether it has words with which one says what is asked for
    named: float  # the share of what the question names that it has, or its document is about
    worded: float  # the share of the question's words that it has
    vector: NDArray[np.float32]  # (dimension,) float32 of unit length
    helps: float | None = None  # how likely it helps to answer, as reading tells; None where nothing was read

    @property
    def place(self) -> Place:
        """Where it stands among the sentences of all sections."""
        return self.candidate.section, self.candidate.order


@dataclass(frozen=True, slots=True)
class ScoredSection:
    """A section with what speaks for it."""

    section: SectionText
    features: Mapping[str, float]  # by `signs.FEATURES`
    answers: float  # how likely it answers; where sentences are read, how likely the best of them helps to
    related: float  # how likely it is about what is asked
    sentences: Sequence[ScoredSentence]  # its sentences that can be quoted and were chosen, in order
    of_kind: bool = True  # whether it is of the kind asked for as a whole, not only where a sentence tells such things
    about: bool = False  # whether its page is about all that is named, and not about a form of it or something near
    # Which of the things asked about its page is about, or has in its title or heading.
    naming: frozenset[str] = frozenset()
    other_sentences: Sequence[CandidateSentence] = ()
    doubt: float = 1.0  # what is left of how likely it answers, where it is of a kind that seldom does
    near_miss: bool = False  # whether something says that it does not answer, however near it comes

    def shown(self) -> FoundSection:
        """Give what an answer shows of it: the section without its text."""
        row, score = self.section, round(self.answers, 4)
        named = row.section, row.document, row.title, row.url, row.source, row.licence, row.type, row.question
        told = dated(row.published, row.version), retired(row.url), studies_of(row.kinds)
        return FoundSection(*named, score, *told)


def unscored(section: SectionText) -> ScoredSection:
    """Give a section of which nothing is quoted, and only its name is shown."""
    return ScoredSection(section, dict.fromkeys(FEATURES, 0.0), 0.0, 0.0, (), of_kind=False)


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
    signs: Signs, found: Sequence[Retrieved], sentences: QuotableSentences, most: int = CHOSEN, *, apart: bool = False
) -> list[ScoredSection]:
    """Score sections, in order, and choose `most` promising sentences of pages, and of the label of what is asked."""
    quotable = sentences.of([section for section, _ in found])
    whole = [
        _weighed(signs, _described(signs, section, its), meaning)
        for (section, meaning), its in zip(found, quotable, strict=True)
    ]
    ranked = sorted((item for item in whole if item.sentences), key=lambda item: (-item.answers, -item.related))
    labels, pages = labels_apart(signs.question, ranked)
    groups = [([item], most) for item in ranked] if apart else [(pages, most), (labels, most * OF_LABELS // CHOSEN)]
    places: set[Place] = set()
    for items, share in groups:
        promising = [
            [(promises(features_of(said, item, best=item is ranked[0])), said) for said in item.sentences]
            for item in items
        ]
        places |= _most_promising(promising, share)
    return [_doubted(_weighed(signs, item, meaning, places)) for item, (_, meaning) in zip(whole, found, strict=True)]


def labels_apart(
    question: Question, evidence: Sequence[ScoredSection]
) -> tuple[list[ScoredSection], list[ScoredSection]]:
    """Part the sections of labels of the medicines that a question names, and those of pages.

    What the label of another medicine says, or of a combination, is not what this one does.
    """
    medicines = exact_medicines(question)
    labels = [item for item in evidence if any(is_label_on(medicine, item) for medicine in medicines)]
    return labels, [item for item in evidence if not item.section.label]


def is_label_on(medicine: Mention, item: ScoredSection) -> bool:
    """Tell whether a section is of the label of a medicine."""
    return item.section.label and is_about(medicine, item.section)


def _described(signs: Signs, section: SectionText, quotable: Quotable) -> ScoredSection:
    head = " ".join([section.title, *section.aliases]).lower()
    candidates, vectors = quotable
    said = []
    for one, cosine, vector in zip(candidates, (vectors @ signs.question.vector).tolist(), vectors, strict=True):
        text = f"{head} {one.text.lower()}"
        named, worded = signs.named(text, section), signs.worded(text)
        told = has_answer_words(one.text, signs.question.intents)
        said.append(ScoredSentence(one, cosine, told, named, worded, vector))
    of_kind, about, naming = signs.of_kind(section), signs.about(section), signs.naming(section)
    return ScoredSection(section, {}, 0.0, 0.0, said, of_kind, about, naming)


def _weighed(
    signs: Signs, item: ScoredSection, meaning: float, places: Collection[Place] | None = None
) -> ScoredSection:
    """Say how likely a section answers: by all that it says, or by its sentences at some places; without any, not."""
    if places is None:
        said, others = item.sentences, item.other_sentences
        together = signs.named(item.section.text.lower(), item.section)
    else:
        said = [one for one in item.sentences if one.place in places]
        others = [one.candidate for one in item.sentences if one.place not in places]
        together = max((one.named for one in said), default=0.0)
    nearest = max((one.cosine for one in said), default=0.0)
    features = signs.of(item.section, meaning, nearest, told=any(one.told for one in said), together=together)
    answers, related = (likely(kind_of(signs.question), level, features) if said else 0.0 for level in LEVELS)
    if near_miss := signs.is_near_miss(features):
        answers = NEAR_MISS * min(answers, related)
    return replace(
        item,
        features=features,
        answers=answers,
        related=related,
        sentences=said,
        other_sentences=others,
        near_miss=near_miss,
    )


def _doubted(item: ScoredSection) -> ScoredSection:
    """Doubt a section of a kind that seldom answers."""
    doubt, related = 1.0, item.related
    if item.section.type == METHODS:
        doubt, related = NEAR_MISS, NEAR_MISS * related
    if item.section.source == DERIVED and not (item.of_kind and item.about):
        # Relations of one thing and kind tell nothing of others, which texts may.
        doubt = NEAR_MISS * doubt
    return replace(item, answers=doubt * item.answers, related=related, doubt=doubt)


def _most_promising(found: Sequence[Sequence[tuple[float, ScoredSentence]]], most: int) -> set[Place]:
    """Choose the places of `most` sentences: the most promising, and the best of each first section.

    What one of them leans on, and what limits it, comes besides.
    """
    every = {said.place: said for each in found for _, said in each}
    best = [max(each, key=lambda one: one[0]) for each in found[:EACH]]
    others = sorted((one for each in found for one in each), key=lambda one: -one[0])
    first: dict[Place, None] = {}
    for _, one in (*best, *others):
        if len(first) == most:
            break
        if not (one.candidate.broken or one.candidate.fragment):
            first[one.place] = None
    kept = set(first)
    for section, order in first:
        for place in range(order, order - LEANING + 1, -1):
            before = every.get((section, place - 1))
            if not every[section, place].candidate.needs or before is None or before.candidate.broken:
                break
            kept.add(before.place)
        behind = every.get((section, order + 1))
        if behind and (behind.candidate.limits or behind.candidate.details) and not behind.candidate.broken:
            kept.add(behind.place)
    return kept


def in_order(gathered: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Order sections, those that answer most likely first."""
    return sorted(gathered, key=lambda item: (-item.answers, item.section.section))


def rerank_by_sentences(asked: str, evidence: Sequence[ScoredSection], describe: Describe) -> list[ScoredSection]:
    """Read sentences together with the question, and order sections by the best that they say."""
    places = [(place, number) for place, item in enumerate(evidence) for number in range(len(item.sentences))]
    if not places:
        return list(evidence)
    found = describe(asked, [text_of(evidence[place], evidence[place].sentences[number]) for place, number in places])
    vectors = dict(zip(places, found, strict=True))
    gathered = []
    for place, item in enumerate(evidence):
        sentences = [
            replace(
                said,
                helps=helps_when_paired(
                    features_of(said, item, best=place == 0), vectors[place, number], of_label=item.section.label
                ),
            )
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
