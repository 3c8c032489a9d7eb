"""Which sentences of the evidence answer best without repeating one another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from .evidence import TYPE_BONUS
from .sentences import STEM, candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ..queries.question import Question
    from .evidence import Evidence
    from .sentences import Candidate

SECTIONS: Final = 4
"""Sections that an answer may quote; set by hand."""

ENCODED: Final = 8
"""Sentences that are encoded for an answer, which takes most of its time; 12 at first, 8 by measured times."""

MAX_SENTENCES: Final = 6
"""Sentences of an answer, at most; set by hand."""

NOVELTY: Final = 0.25
"""How much likeness to a sentence already chosen counts against one, from 0 to 1; set by hand."""

FLOOR: Final = 0.72
"""The part of the best sentence's relevance below which none is chosen; set by hand."""

SECTION_WEIGHT: Final = 0.2
"""Cosine points that a sentence of the best section has for its section, others in proportion; set by hand."""

LEAD_WEIGHT: Final = 0.1
"""Cosine points that a section's first sentence has for its place, the second half of it and so on; set by hand."""

TOO_ALIKE: Final = 0.92
"""Cosine from which on a sentence says what another one said; set by hand."""

_WORD: Final = re.compile(r"[^\W_]+")


def quotable(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Keep the sections that an answer may quote.

    Args:
        evidence: Sections, best first, one at least.

    Returns:
        The first few, as far as they come near the best.
    """
    return [item for item in evidence[:SECTIONS] if item.score >= evidence[0].score - TYPE_BONUS / 2]


def best_sentences(
    question: Question,
    sections: Sequence[Evidence],
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
    most: int = MAX_SENTENCES,
) -> list[Candidate]:
    """Choose the sentences that answer a question best.

    Args:
        question: The question.
        sections: Sections that may be quoted, best first, one at least.
        encode: Gives the vectors of n texts: (n, dimension) float32, unit length.
        most: How many at most.

    Returns:
        The sentences by section and place.
    """
    every = [c for number, item in enumerate(sections) for c in candidates(number, item.section.text)]
    pool = shortlist(every, question.content, ENCODED)
    if not pool:
        return []
    best = sections[0].score
    vectors = encode([candidate.text for candidate in pool])
    lead = np.array([1 / (1 + candidate.order) for candidate in pool], dtype=np.float32)
    section = np.array([sections[c.section].score / best if best else 0 for c in pool], dtype=np.float32)
    relevance = vectors @ question.vector + LEAD_WEIGHT * lead + SECTION_WEIGHT * section
    picked = choose(relevance, vectors @ vectors.T, most, novelty=NOVELTY, floor=FLOOR)
    return sorted((pool[i] for i in picked), key=lambda c: (c.section, c.start))


def shortlist(pool: Sequence[Candidate], words: Sequence[str], most: int) -> list[Candidate]:
    """Keep the sentences worth encoding: those with words of the question, and those that open their section.

    Args:
        pool: Sentences of all sections.
        words: The question's content words.
        most: How many at most.

    Returns:
        The sentences kept, in their order.
    """
    stems = {word[:STEM] for word in words}

    def promise(candidate: Candidate) -> float:
        own = {word[:STEM] for word in _WORD.findall(candidate.text.lower())}
        return len(stems & own) + 2 / (1 + candidate.order) + 1 / (1 + candidate.section)

    best = sorted(pool, key=lambda c: (-promise(c), c.section, c.order))[:most]
    return sorted(best, key=lambda c: (c.section, c.order))


def choose(
    relevance: NDArray[np.float32], similarity: NDArray[np.float32], most: int, *, novelty: float, floor: float
) -> list[int]:
    """Pick sentences one after another: relevant, and unlike those already picked (maximal marginal relevance).

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing
    summaries", SIGIR 1998.

    Args:
        relevance: How well each of n sentences answers: (n,) float32.
        similarity: The cosine of each two: (n, n) float32.
        most: How many at most.
        novelty: How much likeness to a picked sentence counts against one, from 0 to 1.
        floor: The part of the best relevance below which none is picked.

    Returns:
        Indexes in the order they were picked.
    """
    picked: list[int] = []
    if not len(relevance):
        return picked
    least = float(relevance.max()) * floor
    left = [i for i in range(len(relevance)) if relevance[i] >= least]
    while left and len(picked) < most:
        likeness = similarity[:, picked].max(axis=1) if picked else np.zeros(len(relevance), dtype=np.float32)
        gain = (1 - novelty) * relevance - novelty * likeness
        best = max(left, key=lambda i: (float(gain[i]), -i))
        left.remove(best)
        if not picked or likeness[best] < TOO_ALIKE:
            picked.append(best)
    return picked
