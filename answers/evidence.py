"""Evidence for an answer: sections weighed by what speaks for them, and pages that answer the question elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..queries.filters import DERIVED
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

READ: Final = 6
"""Sections whose sentences are compared with the question, of those that are read; chosen on the half dev."""

ENCODED: Final = 24
"""Sentences that are compared with the question, which takes most of an answer's time; set by measured times."""

SHOWN: Final = 5
"""Sections, and pages, that an answer shows as its evidence; set by hand."""

HITS: Final = 20
"""Questions that other sources ask, which are looked at; set by hand."""

SAME_QUESTION: Final = 0.8
"""Cosine from which on a page's own question counts as the one asked; set by hand."""


BESIDE: Final = 0.25
"""What is left of how likely a section answers of which something says that it does not; set by hand."""


METHODS: Final = "methods"
"""The kind of section that tells how a study was done; of 87 that were graded for real questions none answered."""


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
        naming: Which of the things asked about its page is about, or has in its title or heading.
        unsaid: Its other sentences, which were not compared with the question.
    """

    section: SectionText
    features: Mapping[str, float]
    answers: float
    related: float
    said: Sequence[Said]
    of_kind: bool = True
    about: bool = False
    naming: frozenset[str] = frozenset()
    unsaid: Sequence[Candidate] = ()

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
    signs = Signs(question, clause)
    near = [rows[section.section]["semantic"] or 0.0 for section in sections]
    gathered = []
    every = [candidates(number, section.text) for number, section in enumerate(sections)]
    compared = _said(question, sections, every, near, signs, encode)
    for section, meaning, sentences, said in zip(sections, near, every, compared, strict=True):
        told = any(one.told for one in said)
        features = signs.of(
            section,
            meaning,
            max((one.cosine for one in said), default=0.0),
            told=told,
            together=max((one.named for one in said), default=0.0),
        )
        answers, related = _weighed(question, signs, features, told=told) if said else (0.0, 0.0)
        if section.type == METHODS:
            answers, related = BESIDE * answers, BESIDE * related
        of_kind, about = signs.of_kind(section), signs.about(section)
        if section.source == DERIVED and not (of_kind and about):
            # Relations of one thing and kind tell nothing of others, which texts may.
            answers = BESIDE * answers
        quoted = {one.candidate for one in said}
        unsaid = [one for one in sentences if one not in quoted]
        gathered.append(
            Evidence(section, features, answers, related, said, of_kind, about, signs.naming(section), unsaid)
        )
    return sorted(gathered, key=lambda item: (-item.answers, item.section.section))


def _weighed(question: Question, signs: Signs, features: Mapping[str, float], *, told: bool) -> tuple[float, float]:
    """Give how likely a section answers, and how likely it is about what is asked."""
    answers, related = (model().likely(kind_of(question), level, features) for level in LEVELS)
    return (BESIDE * min(answers, related) if signs.beside(features, told=told) else answers), related


def _read(ranked: Sequence[Row]) -> list[Row]:
    """Choose the candidates that are read in full."""
    nearest = sorted(ranked, key=lambda row: -(row["semantic"] or 0.0))[:NEAREST]
    return [*ranked[:RANKED], *nearest]


def _said(
    question: Question,
    sections: Sequence[SectionText],
    every: Sequence[Sequence[Candidate]],
    near: Sequence[float],
    signs: Signs,
    encode: Encode,
) -> list[list[Said]]:
    """Compare the most promising sentences of the likeliest sections with a question."""
    telling = {
        one.text for section, each in zip(sections, every, strict=True) for one in each if signs.told(one.text, section)
    }

    def likely(number: int) -> tuple[float, float]:
        # Until its sentences are compared, the nearest one counts as being as near as the nearest passage.
        section, meaning, told = sections[number], near[number], any(one.text in telling for one in every[number])
        together = signs.named(section.text.lower(), section)
        return _weighed(question, signs, signs.of(section, meaning, meaning, told=told, together=together), told=told)

    likeliest = sorted((number for number, each in enumerate(every) if each), key=likely, reverse=True)[:READ]
    pool = [one for number in sorted(likeliest) for one in every[number]]
    pool = promising(pool, question.content, telling.__contains__, ENCODED)
    found: list[list[Said]] = [[] for _ in sections]
    if not pool:
        return found
    vectors = encode([f"{sections[one.section].title}: {one.text}" for one in pool])
    for one, vector, cosine in zip(pool, vectors, vectors @ question.vector, strict=True):
        section = sections[one.section]
        text = " ".join([section.title, *section.aliases, one.text]).lower()
        found[one.section].append(
            Said(one, float(cosine), one.text in telling, signs.named(text, section), signs.worded(text), vector)
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
