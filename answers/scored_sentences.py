"""Sentences of what was found are compared with a question, and those that promise most are chosen.

What promises most is told by what speaks for a sentence before it is read, weighed by `promising.tsv`: it is fitted to
what reading says of all sentences (`medgraph evaluate sentences … --fit-promising FILE`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .confidence import LEVELS, kind_of, likely
from .helping import promises, signs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .quotable import Quotable
    from .signs import Signs

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
        candidate: The sentence.
        cosine: How near it is to the question, read under its document's title.
        told: Whether it has words with which one says what is asked for.
        named: The share of what the question names that it has, or its document is about.
        worded: The share of the question's words that it has.
        vector: (dimension,) float32 of unit length.
        helps: How likely it helps to answer, as reading it together with the question tells; None where nothing was
            read.
    """

    candidate: CandidateSentence
    cosine: float
    told: bool
    named: float
    worded: float
    vector: NDArray[np.float32]
    helps: float | None = None


def score_section(question: Question, signs: Signs, features: dict[str, float]) -> tuple[float, float]:
    """Say how likely a section answers, and how likely it is about what is asked.

    Args:
        features: What speaks for the section, as `signs` has it.
    """
    answers, related = (likely(kind_of(question), level, features) for level in LEVELS)
    return (NEAR_MISS * min(answers, related) if signs.is_near_miss(features) else answers), related


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence before it is chosen.

    Attributes:
        sentence: The sentence, compared with the question.
        promise: How much it promises; any number.
    """

    sentence: ScoredSentence
    promise: float


def rank_sentences(
    question: Question,
    sections: Sequence[SectionText],
    quotable: Sequence[Quotable],
    near: Sequence[float],
    signs: Signs,
) -> list[list[RankedSentence]]:
    """Compare the sentences of sections with a question, and weigh what speaks for each.

    Args:
        quotable: The sentences of each, with their vectors.
        near: The cosine of each one's nearest passage.

    Returns:
        Sections, the likeliest ones first, as their sentences.
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
    """Choose the sentences that answers are made of, and that are read.

    Args:
        found: From `rank_sentences`.
        most: How many, where there are as many; what one of them leans on, and what limits it, comes besides.

    Returns:
        The sentences, by section and place: those that promise most, and the best one of each of the first sections.
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
