"""How well questions find their sections by vectors alone, with fewer and fewer dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ..evaluation.questions import asked, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from .corpus import Embedded
    from .questions import Example

DEPTH: Final = 10
HELD_BACK: Final = 8
"""One of so many subjects is held back from training, to measure by."""

MOST: Final = 250
"""Questions, and sections to search among, at most."""


class Encodes(Protocol):
    """Makes vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts as unit vectors."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is measured by.

    Attributes:
        questions: What is asked, in words that nothing is trained with.
        relevant: For each, the sections that answer it.
        sections: The section of each passage.
        texts: The passages, as they are embedded.
    """

    questions: Sequence[str]
    relevant: Sequence[frozenset[str]]
    sections: Sequence[str]
    texts: Sequence[str]


def is_held_back(example: Example) -> bool:
    """Tell whether a section is held back, as whatever else is about the same is.

    Args:
        example: The section.

    Returns:
        Whether it is.
    """
    return any(subject_is_held_back(subject) for subject in example.subjects)


def subject_is_held_back(subject: str) -> bool:
    """Tell whether a subject is held back.

    Args:
        subject: The subject.

    Returns:
        Whether it is; the same each time.
    """
    return number(subject) % HELD_BACK == 0


def held(examples: Sequence[Example], passages: Embedded) -> Held:
    """Make questions in everyday words for what was held back.

    Args:
        examples: Sections that were held back.
        passages: Chunks; those of the sections that are asked for are searched among.

    Returns:
        What to measure by; no questions where nothing was held back.
    """
    chosen = sorted(examples, key=lambda one: number(one.section))[:MOST]
    kept = passages.of({one.section for one in chosen})
    there = set(kept.sections)
    chosen = [one for one in chosen if one.section in there]
    questions = [asked(one.question, one.type, one.names, "everyday", number(one.section)) for one in chosen]
    return Held(questions, [one.answers & there for one in chosen], kept.sections, kept.stored)


def measure(encoder: Encodes, given: Held, dimensions: Sequence[int]) -> dict[str, float]:
    """Measure search by the beginnings of vectors, scaled to length one.

    Args:
        encoder: Makes vectors of questions and passages.
        given: What to measure by, with questions.
        dimensions: How much of the vectors.

    Returns:
        Dimension → nDCG@10.
    """
    asking, told = encoder.encode(given.questions), encoder.encode(given.texts)
    places = {section: place for place, section in enumerate(dict.fromkeys(given.sections))}
    owners = np.array([places[section] for section in given.sections])
    relevant = [[places[section] for section in one] for one in given.relevant]
    return {
        str(dimension): _ndcg(_cut(asking, dimension) @ _cut(told, dimension).T, owners, relevant)
        for dimension in dimensions
    }


def table(before: Mapping[str, float], after: Mapping[str, float], given: Held) -> dict[str, Any]:
    """Say it in a card.

    Args:
        before: What the base reaches.
        after: What was learned reaches.
        given: What it was measured by.

    Returns:
        Words → figures.
    """
    searched = f"{len(given.questions)} questions in everyday words, {len(set(given.sections))} sections"
    return {"by": f"{searched} of subjects of the half dev that were held back", "base": before, "trained": after}


def _cut(vectors: NDArray[np.float32], dimension: int) -> NDArray[np.float32]:
    cut = vectors[:, :dimension]
    scaled: NDArray[np.float32] = cut / np.maximum(np.linalg.norm(cut, axis=1, keepdims=True), 1e-12)
    return scaled


def _ndcg(cosines: NDArray[np.float32], owners: NDArray[np.intp], relevant: Sequence[Sequence[int]]) -> float:
    """Rank sections by their nearest passage, and measure the first ones."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    gains = []
    for row, right in zip(cosines, relevant, strict=True):
        best = np.full(owners.max() + 1, -np.inf, dtype=np.float32)
        np.maximum.at(best, owners, row)
        first = np.argsort(-best, kind="stable")[:DEPTH]
        gain = float(discounts[: len(first)][np.isin(first, right)].sum())
        gains.append(gain / float(discounts[: len(right)].sum()))
    return round(float(np.mean(gains)), 4)
