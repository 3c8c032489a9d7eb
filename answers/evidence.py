"""Evidence for an answer: sections weighed by what speaks for them, and pages that answer the question elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .answer import FoundPage, FoundSection
from .confidence import LEVELS, kind_of, model
from .sentences import candidates, promising
from .signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..graph.database import Row
    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText
    from .sentences import Candidate

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

RANKED: Final = 10
NEAREST: Final = 6
"""Sections that are read in full: the best ranked ones, and those with the nearest passages; set by hand."""

ENCODED: Final = 40
"""Sentences that are compared with the question, which takes most of an answer's time; set by measured times."""

SHOWN: Final = 5
"""Sections, and pages, that an answer shows as its evidence; set by hand."""

HITS: Final = 20
"""Questions that other sources ask, which are looked at; set by hand."""

SAME_QUESTION: Final = 0.8
"""Cosine from which on a page's own question counts as the one asked; set by hand."""


BESIDE: Final = 0.25
"""How likely a section answers, at most, of which something says that it does not; set by hand."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that could be quoted.

    Attributes:
        candidate: The sentence.
        cosine: How near it is to the question, read under its document's title.
        told: Whether it has words with which one says what is asked for.
        named: The share of what the question names that it has, or its document is about.
        worded: The share of the question's words that it has.
        vector: (dimension,) float32 of unit length.
    """

    candidate: Candidate
    cosine: float
    told: bool
    named: float
    worded: float
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A section with what speaks for it.

    Attributes:
        section: The section.
        features: By `signs.FEATURES`.
        answers: How likely it answers.
        related: How likely it is about what is asked.
        said: Its sentences that can be quoted and were compared with the question, in order.
        of_kind: Whether it is of the kind asked for as a whole, not only where a sentence tells such things.
        about: Whether its page is about all that is named, and not about a form of it or something near.
    """

    section: SectionText
    features: Mapping[str, float]
    answers: float
    related: float
    said: Sequence[Said]
    of_kind: bool = True
    about: bool = False

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


def gather(retriever: Retriever, question: Question, encode: Encode, clause: Question | None = None) -> list[Evidence]:
    """Find sections, and weigh what they say.

    Args:
        retriever: Finds sections.
        question: The question.
        encode: Gives the vectors of n texts: (n, dimension) float32, unit length.
        clause: What was typed, where the question is a plainer one made of it.

    Returns:
        The sections, those that answer most likely first; such as have no sentence to quote stand last.

    Raises:
        DatabaseError: The database refused or went away.
    """
    rows = {row["section"]: row for row in _read(retriever.ranked(question))}
    found = {section.section: section for section in retriever.texts(list(rows))}
    sections = [found[name] for name in rows if name in found]
    signs, weigh, kind = Signs(question, clause), model(), kind_of(question)
    gathered = []
    for section, said in zip(sections, _said(question, sections, signs, encode), strict=True):
        told = any(one.told for one in said)
        meaning = rows[section.section]["semantic"] or 0.0
        features = signs.of(
            section,
            meaning,
            max((one.cosine for one in said), default=0.0),
            told=told,
            together=max((one.named for one in said), default=0.0),
        )
        answers, related = (weigh.likely(kind, level, features) if said else 0.0 for level in LEVELS)
        if signs.beside(features, told=told):
            answers = min(answers, related, BESIDE)
        of_kind, about = signs.of_kind(section), signs.about(section)
        gathered.append(Evidence(section, features, answers, related, said, of_kind, about))
    return sorted(gathered, key=lambda item: (-item.answers, item.section.section))


def _read(ranked: Sequence[Row]) -> list[Row]:
    """Choose the candidates that are read in full."""
    nearest = sorted(ranked, key=lambda row: -(row["semantic"] or 0.0))[:NEAREST]
    return [*ranked[:RANKED], *nearest]


def _said(question: Question, sections: Sequence[SectionText], signs: Signs, encode: Encode) -> list[list[Said]]:
    """Compare the most promising sentences of all sections with a question."""
    every = [one for number, section in enumerate(sections) for one in candidates(number, section.text)]
    pool = promising(every, question.content, signs.told, ENCODED)
    found: list[list[Said]] = [[] for _ in sections]
    if not pool:
        return found
    vectors = encode([f"{sections[one.section].title}: {one.text}" for one in pool])
    for one, vector, cosine in zip(pool, vectors, vectors @ question.vector, strict=True):
        section = sections[one.section]
        text = " ".join([section.title, *section.aliases, one.text]).lower()
        found[one.section].append(
            Said(one, float(cosine), signs.told(one.text), signs.named(text, section), signs.worded(text), vector)
        )
    return found


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
