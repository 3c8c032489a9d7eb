"""Evidence for an answer: sections weighed by what speaks for them, and pages that answer the question elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .answer import FoundPage, FoundSection
from .confidence import features_of, fits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText

HITS: Final = 20
"""Search results that are looked at; set by hand."""

CONSIDERED: Final = 8
"""Sections read in full, of the search results and of those about what is named each; set by hand."""

ABOUT_BONUS: Final = 0.6
"""Added to the score of a section about what the question names, which is of a search result's (0 to 1) and a cosine;
set by hand."""

TYPE_BONUS: Final = 0.5
"""Added to the score of a section of the type asked for; set by hand."""

SHOWN: Final = 5
"""Sections, and pages, that an answer shows as its evidence; set by hand."""

SAME_QUESTION: Final = 0.8
"""Cosine from which on a page's own question counts as the one asked; set by hand."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A section with what speaks for it.

    Attributes:
        section: The section.
        score: What sections are ranked by: search score, cosine and bonuses; from -1 to 3.1.
        about: Whether its document is about what the question names; or, without an entity, whether it `fits`.
        features: What confidence is made of (see `confidence.features_of`).
    """

    section: SectionText
    score: float
    about: bool
    features: Mapping[str, float]

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
            round(self.score, 4),
        )


def gather(retriever: Retriever, question: Question) -> list[Evidence]:
    """Find sections by search and by what the question names, and rank them.

    Args:
        retriever: Finds sections.
        question: The question.

    Returns:
        The sections, best first; where any is about what the question names, only such ones.

    Raises:
        DatabaseError: The database refused or went away.
    """
    hits = retriever.search(question, mode="linked", top_k=HITS)
    scores = {hit.section: hit.score for hit in hits if hit.section}
    ids = dict.fromkeys([*list(scores)[:CONSIDERED], *retriever.about(question)[:CONSIDERED]])
    entities = {meant.entity for meant in question.meant}
    concepts = {concept for meant in question.meant for concept in meant.concepts}
    gathered = []
    for row in retriever.texts(question, list(ids)):
        about = bool(entities & set(row.entities) or concepts & set(row.concepts))
        about = about or (not row.entities and fits(question, row))
        features = features_of(question, row, about=about)
        score = scores.get(row.section, 0.0) + row.cosine + ABOUT_BONUS * about + TYPE_BONUS * features["typed"]
        gathered.append(Evidence(row, score, about, features))
    if any(item.about for item in gathered):
        gathered = [item for item in gathered if item.about]
    return sorted(gathered, key=lambda item: (-item.score, item.section.section))


def elsewhere(retriever: Retriever, question: Question) -> list[FoundPage]:
    """Find pages that answer a question, of which the graph has the address only.

    Args:
        retriever: Finds questions that sources ask.
        question: The question.

    Returns:
        The pages, best first, at most `SHOWN`.

    Raises:
        DatabaseError: The database refused or went away.
    """
    names = {name.lower() for mention in question.mentions for name in (mention.name, mention.matched)}
    pages = [
        hit
        for hit in retriever.search(question, mode="questions", top_k=HITS)
        if hit.section is None
        and (2 * (hit.scores["semantic"] or 0) - 1 >= SAME_QUESTION or hit.title.lower() in names)
    ]
    return [
        FoundPage(
            hit.document,
            hit.title,
            hit.url,
            hit.source,
            hit.licence,
            hit.type,
            hit.question,
            answered_at=hit.url,
            score=round(hit.score, 4),
        )
        for hit in pages[:SHOWN]
    ]
