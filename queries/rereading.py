"""Rank the best candidates anew, by what reads each together with the question (`embeddings.rerankers`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..embeddings.rerankers.cross import passage_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.rerankers.calibration import Calibration
    from ..graph.database import Row
    from .question import Question

    Scored = list[tuple[Row, float]]

READ: Final = 10
"""Candidates that are read, which takes most of a search's time; set by measured times."""

WEIGHT: Final = 0.5
"""What a logit of the reader counts beside log odds of the learned weights; chosen on the half dev."""


def reread(question: Question, scored: Scored) -> tuple[list[int], Scored]:
    """Rank the best candidates anew.

    Args:
        scored: Candidates with their scores, best first.

    Returns:
        The places of the candidates in their new order, and the candidates in it: the first `READ` with `reading`, the
        logit that each answers, and where that was calibrated with `probability`, and `accepted`, whether that is
        enough for the best to answer; after them the others, their scores no higher than those. All as they were where
        nothing was trained to read.
    """
    first, others = scored[:READ], scored[READ:]
    logits = question.read([passage_of(row["title"], row["text"]) for row, _ in first]) if first else None
    if logits is None:
        return list(range(len(scored))), scored
    read = [
        (row | {"reading": float(logit)} | told, score + WEIGHT * float(logit))
        for (row, score), logit, told in zip(first, logits, _told(question.calibration, logits), strict=True)
    ]
    order = sorted(range(len(read)), key=lambda place: (-read[place][1], read[place][0]["section"]))
    lowest = min(score for _, score in read)
    behind = min(0.0, lowest - others[0][1]) if others else 0.0
    rest = [(row, score + behind) for row, score in others]
    return [*order, *range(len(read), len(scored))], [*(read[place] for place in order), *rest]


def _told(calibration: Calibration | None, logits: NDArray[np.float32]) -> Sequence[Row]:
    """Say of each logit how likely it makes an answer; nothing where that is not known."""
    if calibration is None:
        return [{}] * len(logits)
    likely = calibration.probabilities(logits).tolist()
    return [{"probability": one, "accepted": one >= calibration.threshold} for one in likely]
