"""Sections and their sentences, weighed by what speaks for them as the answer to a question.

Which sentences promise most is told by what speaks for each before it is read, weighed by `promising.tsv`: it is fitted
to what reading says of all sentences (`medgraph evaluate sentences … --fit-promising FILE`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..embeddings.rerankers.sentence_reader import headed
from ..queries.filters import DERIVED
from .answer import FoundSection
from .confidence import ANSWERS, LEVELS, READ, kind_of, likely, promises, reads, signs_of
from .signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..graph.database import Row
    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText
    from .quotable import Quotable, QuotableSentences

    Describe = Callable[[str, Sequence[str]], NDArray[np.float32]]
    """Gives (sentences, dimension) for a question and sentences."""

CHOSEN: Final = 12
"""Sentences that are chosen, and read; more find little more, by measured times and graded ones."""

EACH: Final = 6
"""Sections, the likeliest ones, of which a sentence is chosen at least; set by hand."""

NEAR_MISS: Final = 0.25
"""What is left of how likely a section answers of which something says that it does not; set by hand."""

LEANING: Final = 3
"""Sentences that are quoted for one that leans on another, itself among them, though fewer are asked for; by hand."""


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


def score_section(question: Question, signs: Signs, features: dict[str, float]) -> tuple[float, float]:
    """Say how likely a section answers, and how likely it is about what is asked, by `signs.FEATURES`."""
    answers, related = (likely(kind_of(question), level, features) for level in LEVELS)
    return (NEAR_MISS * min(answers, related) if signs.is_near_miss(features) else answers), related


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence before it is chosen, and how much it promises: any number."""

    sentence: ScoredSentence
    promise: float


def rank_sentences(
    question: Question,
    sections: Sequence[SectionText],
    quotable: Sequence[Quotable],
    near: Sequence[float],
    signs: Signs,
) -> list[list[RankedSentence]]:
    """Compare the sentences of sections with a question: the likeliest section first, with what each sentence promises.

    Args:
        quotable: The sentences of each, with their vectors.
        near: The cosine of each one's nearest passage.
    """
    cosines = [vectors @ question.vector for _, vectors in quotable]
    told = [[signs.told(one.text) for one in each] for each, _ in quotable]
    known = []
    for place, (section, meaning) in enumerate(zip(sections, near, strict=True)):
        together = signs.named(section.text.lower(), section)
        nearest = float(cosines[place].max(initial=0.0))
        features = signs.of(section, meaning, nearest, told=any(told[place]), together=together)
        known.append((score_section(question, signs, features), features["exact"]))
    order = sorted(
        (place for place, (each, _) in enumerate(quotable) if each), key=lambda place: known[place][0], reverse=True
    )
    found = []
    for rank, place in enumerate(order):
        section, ((answers, _), exact) = sections[place], known[place]
        head, of_kind = " ".join([section.title, *section.aliases]).lower(), signs.of_kind(section)
        described = []
        for one, vector, cosine, tells in zip(*quotable[place], cosines[place].tolist(), told[place], strict=True):
            text = f"{head} {one.text.lower()}"
            said = ScoredSentence(one, cosine, tells, signs.named(text, section), signs.worded(text), vector)
            features = signs_of(
                one,
                near=cosine,
                told=tells,
                names=said.named,
                words=said.worded,
                section=answers,
                best=not rank,
                exact=exact,
                apart=not (tells or of_kind),
            )
            described.append(RankedSentence(said, promises(features)))
        found.append(described)
    return found


def select_sentences(found: Sequence[Sequence[RankedSentence]], most: int = CHOSEN) -> list[ScoredSentence]:
    """Choose `most` sentences to make answers of, and to read: the most promising, and the best of each first section.

    What one of them leans on, and what limits it, comes besides.
    """
    every = [one for each in found for one in each]
    best = [max(each, key=lambda one: one.promise) for each in found[:EACH]]
    others = sorted(every, key=lambda one: -one.promise)
    first = list({_place(one.sentence): one.sentence for one in (*best, *others)}.values())[:most]
    by_place = {_place(one.sentence): one.sentence for one in every}
    kept = {_place(said): said for said in first}
    for said in first:
        section, order = _place(said)
        leaning = said
        for place in range(order - 1, order - LEANING, -1):
            before = by_place.get((section, place)) if leaning.candidate.needs else None
            if before is None:
                break
            kept[section, place] = leaning = before
        if (behind := by_place.get((section, order + 1))) and behind.candidate.limits:
            kept[section, order + 1] = behind
    return [kept[place] for place in sorted(kept)]


def _place(said: ScoredSentence) -> tuple[int, int]:
    return said.candidate.section, said.candidate.order


RANKED: Final = 10
NEAREST: Final = 6
"""Sections that are read in full: the best ranked ones, and those with the nearest passages; set by hand."""

SHOWN: Final = 5
"""Sections that an answer shows as its evidence; set by hand."""

METHODS: Final = "methods"
"""The kind of section that tells how a study was done; of 87 that were graded for real questions none answered."""


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
        row = self.section
        return FoundSection(
            row.section,
            row.document,
            row.title,
            row.url,
            row.source,
            row.licence,
            row.type,
            row.question,
            round(self.answers, 4),
        )


def features_of(said: ScoredSentence, item: ScoredSection, *, best: bool) -> dict[str, float]:
    """Describe a sentence that was chosen, by `SENTENCE_FEATURES`; `best` in the likeliest section."""
    return signs_of(
        said.candidate,
        near=said.cosine,
        told=said.told,
        names=said.named,
        words=said.worded,
        section=item.answers,
        best=best,
        exact=item.features["exact"],
        apart=not (said.told or item.of_kind),
    )


def sentences_of(item: ScoredSection) -> list[CandidateSentence]:
    """Give the sentences of a section that can be quoted, in order."""
    return sorted((*(one.candidate for one in item.sentences), *item.other_sentences), key=lambda one: one.order)


def gather(
    retriever: Retriever,
    question: Question,
    sentences: QuotableSentences,
    clause: Question | None = None,
    most: int = CHOSEN,
) -> list[ScoredSection]:
    """Find sections, and weigh what they say; the likeliest to answer first, such as have no sentence to quote last.

    Args:
        clause: What was typed, where the question is a plainer one made of it.
    """
    near = {row["section"]: row["semantic"] or 0.0 for row in _read(retriever.ranked(question))}
    sections = read_sections(retriever, near)
    return in_order(weigh(question, sections, [near[one.section] for one in sections], sentences, clause, most))


def read_sections(retriever: Retriever, names: Iterable[str]) -> list[SectionText]:
    """Read sections by id, in the order of the ids."""
    wanted = list(names)
    found = {section.section: section for section in retriever.texts(wanted)}
    return [found[name] for name in wanted if name in found]


def weigh(
    question: Question,
    sections: Sequence[SectionText],
    near: Sequence[float],
    sentences: QuotableSentences,
    clause: Question | None = None,
    most: int = CHOSEN,
    *,
    apart: bool = False,
) -> list[ScoredSection]:
    """Weigh what sections say, in the same order.

    Args:
        near: How near the best passage of each comes to the question, as cosine.
        most: Sentences that are chosen, at most; of each section by itself where they are taken `apart`.
    """
    signs, quotable = Signs(question, clause), sentences.of(sections)
    promising = rank_sentences(question, sections, quotable, near, signs)
    groups = [[each] for each in promising] if apart else [promising]
    said: list[list[ScoredSentence]] = [[] for _ in sections]
    for one in itertools.chain.from_iterable(select_sentences(group, most) for group in groups):
        said[one.candidate.section].append(one)
    every = [each for each, _ in quotable]
    found_out = zip(sections, near, every, said, strict=True)
    return [_weighed(question, signs, *of_section) for of_section in found_out]


def _weighed(
    question: Question,
    signs: Signs,
    section: SectionText,
    meaning: float,
    sentences: Sequence[CandidateSentence],
    said: Sequence[ScoredSentence],
) -> ScoredSection:
    """Weigh a section by what it says."""
    told = any(one.told for one in said)
    features = signs.of(
        section,
        meaning,
        max((one.cosine for one in said), default=0.0),
        told=told,
        together=max((one.named for one in said), default=0.0),
    )
    answers, related = score_section(question, signs, features) if said else (0.0, 0.0)
    doubt = 1.0
    if section.type == METHODS:
        doubt, related = NEAR_MISS, NEAR_MISS * related
    of_kind, about = signs.of_kind(section), signs.about(section)
    if section.source == DERIVED and not (of_kind and about):
        # Relations of one thing and kind tell nothing of others, which texts may.
        doubt = NEAR_MISS * doubt
    quoted = {one.candidate for one in said}
    return ScoredSection(
        section,
        features,
        doubt * answers,
        related,
        said,
        of_kind,
        about,
        signs.naming(section),
        [one for one in sentences if one not in quoted],
        doubt,
        signs.is_near_miss(features),
    )


def in_order(gathered: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Order sections, those that answer most likely first."""
    return sorted(gathered, key=lambda item: (-item.answers, item.section.section))


def _read(ranked: Sequence[Row]) -> list[Row]:
    """Choose the candidates that are read in full."""
    nearest = sorted(ranked, key=lambda row: -(row["semantic"] or 0.0))[:NEAREST]
    return [*ranked[:RANKED], *nearest]


NEAR_MISS_READ: Final = 0.8
"""What is left of how likely a section answers of which something says that it does not; on graded sentences."""


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
