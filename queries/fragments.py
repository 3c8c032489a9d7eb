"""What is kept of many texts for a question: those that come near to a part of it (HyKGE's pruning by fragments)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..embeddings.encoders.encoder import TextEncoder

WINDOW: Final = 10
"""Words of a fragment: HyKGE's setting."""

OVERLAP: Final = 4
"""Words that a fragment shares with the next one: HyKGE's setting."""


def fragments(text: str, window: int = WINDOW, overlap: int = OVERLAP) -> list[str]:
    """Cut a text into runs of words that overlap.

    Args:
        overlap: Words that a fragment shares with the next one, fewer than `window`.

    Returns:
        The fragments in order; the last one may be shorter, and a text without words has none.

    Example:
        >>> fragments("a b c d e", window=3, overlap=1)
        ['a b c', 'c d e']
    """
    words = text.split()
    step = window - overlap
    starts = range(0, max(len(words) - overlap, 1), step)
    return [" ".join(words[start : start + window]) for start in starts if words]


def pruned(parts: Sequence[str], texts: Sequence[str], encoder: TextEncoder, keep: int) -> list[tuple[int, float]]:
    """Keep the texts of which each comes near to some fragment of a question.

    Args:
        parts: The fragments, as `fragments` gives them.
        texts: The texts, the best first.
        keep: How many to keep at most.

    Returns:
        The number of each text that is kept and how near it comes, as cosine, the nearest first; of those that are as
        near, what stood first.
    """
    if not parts or not texts:
        return []
    likeness = (encoder.encode(texts) @ encoder.encode_questions(parts).T).max(axis=1)
    order = sorted(range(len(texts)), key=lambda number: (-float(likeness[number]), number))
    return [(number, round(float(likeness[number]), 4)) for number in order[:keep]]
