"""Evidence for an answer: sections weighed by what speaks for them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..queries.filters import DERIVED
from .answer import FoundSection
from .helping import signs_of
from .scored_sentences import CHOSEN, NEAR_MISS, rank_sentences, score_section, select_sentences
from .signs import Signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..graph.database import Row
    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText
    from .quotable import QuotableSentences
    from .scored_sentences import ScoredSentence

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
        section: The section.
        features: By `signs.FEATURES`.
        answers: How likely it answers; where sentences are read, how likely the best of them helps to.
        related: How likely it is about what is asked.
        sentences: Its sentences that can be quoted and were chosen, in order.
        of_kind: Whether it is of the kind asked for as a whole, not only where a sentence tells such things.
        about: Whether its page is about all that is named, and not about a form of it or something near.
        naming: Which of the things asked about its page is about, or has in its title or heading.
        other_sentences: Its other sentences.
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
        """Give what an answer shows of it.

        Returns:
            The section without its text.
        """
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
    """Describe a sentence that was chosen.

    Args:
        best: Whether no other section that may be quoted is likelier to answer.

    Returns:
        What speaks for it, by `helping.FEATURES`.
    """
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
    """Give the sentences of a section that can be quoted.

    Returns:
        The sentences in order.
    """
    return sorted((*(one.candidate for one in item.sentences), *item.other_sentences), key=lambda one: one.order)


def gather(
    retriever: Retriever,
    question: Question,
    sentences: QuotableSentences,
    clause: Question | None = None,
    most: int = CHOSEN,
) -> list[ScoredSection]:
    """Find sections, and weigh what they say.

    Args:
        clause: What was typed, where the question is a plainer one made of it.

    Returns:
        The sections, those that answer most likely first; such as have no sentence to quote stand last.
    """
    near = {row["section"]: row["semantic"] or 0.0 for row in _read(retriever.ranked(question))}
    sections = read_sections(retriever, near)
    return in_order(weigh(question, sections, [near[one.section] for one in sections], sentences, clause, most))


def read_sections(retriever: Retriever, names: Iterable[str]) -> list[SectionText]:
    """Read sections by id.

    Returns:
        Those that are there, in the order of the ids.
    """
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
    """Weigh what sections say.

    Args:
        near: How near the best passage of each comes to the question, as cosine.
        most: Sentences that are chosen, at most.
        apart: Whether these are chosen of each section by itself, and not of all together.

    Returns:
        The sections, in the same order.
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
