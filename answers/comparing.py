"""Which sentences of what was found are compared with a question: those that promise most, of all its sections.

What promises most is told by what speaks for a sentence before it is encoded or read, weighed by `promising.tsv`: it is
fitted to what reading says of all sentences (`medgraph evaluate sentences … --fit-promising FILE`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .confidence import LEVELS, kind_of, model
from .helping import promises, signs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .sentences import Candidate
    from .signs import Signs

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

COMPARED: Final = 12
"""Sentences that are compared with the question, and read; more find little more, by measured times and graded ones."""

EACH: Final = 6
"""Sections, the likeliest ones, of which a sentence is compared at least; set by hand."""

BESIDE: Final = 0.25
"""What is left of how likely a section answers of which something says that it does not; set by hand."""


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
        helps: How likely it helps to answer, as reading it together with the question tells; None where nothing was
            read.
    """

    candidate: Candidate
    cosine: float
    told: bool
    named: float
    worded: float
    vector: NDArray[np.float32]
    helps: float | None = None


def weighed(question: Question, signs: Signs, features: dict[str, float], *, told: bool) -> tuple[float, float]:
    """Say how likely a section answers, and how likely it is about what is asked.

    Args:
        question: The question.
        signs: What it looks for.
        features: What speaks for the section, as `signs` has it.
        told: Whether one of its sentences tells what is asked for.

    Returns:
        Both.
    """
    answers, related = (model().likely(kind_of(question), level, features) for level in LEVELS)
    return (BESIDE * min(answers, related) if signs.beside(features, told=told) else answers), related


@dataclass(frozen=True, slots=True)
class Promise:
    """A sentence before it is compared.

    Attributes:
        candidate: The sentence.
        told: As `Said` has it.
        named: As `Said` has it.
        worded: As `Said` has it.
        promise: How much it promises; any number.
    """

    candidate: Candidate
    told: bool
    named: float
    worded: float
    promise: float


def promised(
    question: Question,
    sections: Sequence[SectionText],
    every: Sequence[Sequence[Candidate]],
    near: Sequence[float],
    signs: Signs,
) -> list[list[Promise]]:
    """Weigh what speaks for the sentences of sections before any is compared with a question.

    Args:
        question: The question.
        sections: The sections.
        every: The sentences of each.
        near: The cosine of each one's nearest passage.
        signs: What the question looks for.

    Returns:
        Sections, the likeliest ones first, as their sentences.
    """
    told = [[signs.told(one.text, section) for one in each] for section, each in zip(sections, every, strict=True)]
    known = []
    for place, (section, meaning) in enumerate(zip(sections, near, strict=True)):
        # Until its sentences are compared, the nearest one counts as being as near as the nearest passage.
        together = signs.named(section.text.lower(), section)
        features = signs.of(section, meaning, meaning, told=any(told[place]), together=together)
        known.append((weighed(question, signs, features, told=any(told[place])), features["exact"]))
    order = sorted((place for place, each in enumerate(every) if each), key=lambda place: known[place][0], reverse=True)
    found = []
    for rank, place in enumerate(order):
        section, ((answers, _), exact) = sections[place], known[place]
        head, of_kind = " ".join([section.title, *section.aliases]).lower(), signs.of_kind(section)
        described = []
        for one, tells in zip(every[place], told[place], strict=True):
            text = f"{head} {one.text.lower()}"
            named, worded = signs.named(text, section), signs.worded(text)
            features = signs_of(
                one,
                near=near[place],
                told=tells,
                names=named,
                words=worded,
                section=answers,
                best=not rank,
                exact=exact,
                apart=not (tells or of_kind),
            )
            described.append(Promise(one, tells, named, worded, promises(features)))
        found.append(described)
    return found


def chosen(found: Sequence[Sequence[Promise]], most: int = COMPARED) -> list[Promise]:
    """Choose the sentences that are compared.

    Args:
        found: From `promised`.
        most: How many, where there are as many.

    Returns:
        The sentences, by section and place: those that promise most, and the best one of each of the first sections.
    """
    every = [one for each in found for one in each]
    best = [max(each, key=lambda one: one.promise) for each in found[:EACH]]
    others = sorted(every, key=lambda one: -one.promise)
    kept = {id(one): one for one in (*best, *others)}
    return sorted(list(kept.values())[:most], key=lambda one: (one.candidate.section, one.candidate.order))


def compare(
    question: Question,
    sections: Sequence[SectionText],
    found: Sequence[Sequence[Promise]],
    encode: Encode,
    most: int = COMPARED,
) -> list[list[Said]]:
    """Compare the sentences that promise most with a question.

    Args:
        question: The question.
        sections: The sections.
        found: From `promised`.
        encode: Gives the vectors of n texts: (n, dimension) float32, unit length.
        most: How many sentences are compared.

    Returns:
        For each section, its sentences that were compared, in order.
    """
    said: list[list[Said]] = [[] for _ in sections]
    pool = chosen(found, most)
    if not pool:
        return said
    vectors = encode([f"{sections[one.candidate.section].title}: {one.candidate.text}" for one in pool])
    for one, vector, cosine in zip(pool, vectors, vectors @ question.vector, strict=True):
        said[one.candidate.section].append(Said(one.candidate, float(cosine), one.told, one.named, one.worded, vector))
    return said
