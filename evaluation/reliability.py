"""How far the reranker's probabilities can be believed, and when it should say that nothing found answers.

It is asked as search asks it: it reads the best candidates of real questions whose sections were graded by reading, or
of questions made from MedQuAD. Probabilities are fitted as Platt did ("Probabilistic outputs for support vector
machines", 1999), and measured as Guo et al. did ("On calibration of modern neural networks", ICML 2017).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..embeddings.rerankers.calibration import Calibration
from ..errors import InputError
from ..progress import progress
from . import logistic
from .coverage import Tried

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ..queries.retriever import Retriever

BINS: Final = 10
"""Parts of equal width that probabilities are put into."""

RIDGE: Final = 0.01
"""Keeps the slope finite where passages that answer and those that do not are parted without a mistake."""

UNCALIBRATED: Final = Calibration()
"""The logit as it was trained."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and what answers it.

    Attributes:
        kind: What it is: `question`, `message` or `made`.
        answers: Says of a section whether it answers; None where nobody knows.
    """

    kind: str
    text: str
    answers: Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reranker made of a question's best candidates."""

    kind: str
    logits: Sequence[float]
    answers: Sequence[bool]
    others: Sequence[float] = ()


def read(retriever: Retriever, cases: Sequence[Case]) -> list[Reading]:
    """Search for questions, and keep what the reranker made of what was found."""
    found = []
    with progress("reading", "question", len(cases)) as bar:
        for case in cases:
            rows = [row for row in retriever.ranked(retriever.question(case.text)) if "reading" in row]
            judged = [(row["reading"], case.answers(row["section"])) for row in rows]
            known = [(logit, answers) for logit, answers in judged if answers is not None]
            if known:
                logits, answers = zip(*known, strict=True)
                others = [logit for logit, answers in judged if answers is None]
                found.append(Reading(case.kind, logits, answers, others))
            bar.update(1)
    return found


def fit(readings: Sequence[Reading]) -> Calibration:
    """Fit probabilities to what answers, and the threshold at which most questions are rightly accepted or rejected."""
    logits, answers = _passages(readings)
    if len(set(answers.tolist())) < 2:
        raise InputError(
            f"of {len(answers)} passages that were judged {int(answers.sum())} answer, and probabilities are fitted to"
            " such as do and such as do not"
        )
    # Platt's targets, a little short of 0 and 1, for that there are only so many examples.
    right = answers.sum()
    targets = np.where(answers == 1, (right + 1) / (right + 2), 1 / (len(answers) - right + 2))
    slope, intercept = _platt(logits, targets)
    if slope <= 0:
        raise InputError(f"passages with higher logits answer less often (slope {slope:.3f}): it has learned nothing")
    fitted = Calibration(slope, intercept)
    return replace(fitted, threshold=_threshold(accepted(readings, fitted)))


def _platt(logits: NDArray[np.float64], targets: NDArray[np.float64]) -> tuple[float, float]:
    """Fit slope and intercept, to logits of about the size one, which Newton's method needs."""
    middle, wide = float(logits.mean()), float(logits.std()) or 1.0
    scaled = (logits - middle) / wide
    slope, intercept = logistic.fit(scaled[:, None], targets, np.ones(len(logits)), RIDGE).tolist()
    return slope / wide, intercept - slope * middle / wide


def _threshold(some: Sequence[Tried]) -> float:
    """Choose the threshold that is right most often, of several the lowest; 0 where always to reject is as right."""
    between = [(low + high) / 2 for low, high in pairwise(sorted({one.sure for one in some}))]
    best = max([0.0, *between], key=lambda one: (accuracy(some, one), -one))
    return best if accuracy(some, best) > 1 - accuracy(some, 0.0) else 0.0


def accepted(readings: Sequence[Reading], calibration: Calibration) -> list[Tried]:
    """Say how sure it is that anything found answers.

    Returns:
        For each question the highest probability of a passage, judged or not, as search has it, and whether any is
        known to answer.
    """
    likely = [calibration.probabilities(np.array([*one.logits, *one.others])).max() for one in readings]
    return [Tried(float(sure), any(one.answers)) for sure, one in zip(likely, readings, strict=True)]


def accuracy(some: Sequence[Tried], threshold: float) -> float:
    """Tell how often it is right that something answers, or that nothing does."""
    return sum((one.sure >= threshold) == one.right for one in some) / len(some)


def bins(probabilities: NDArray[np.float64], answers: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Give the reliability curve.

    Returns:
        Rows of `predicted` (the mean), `observed` (the share that answers) and `count`, the lowest first; parts of
        `BINS` in which there is nothing are left out.
    """
    places = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return [
        {
            "predicted": float(probabilities[places == place].mean()),
            "observed": float(answers[places == place].mean()),
            "count": int((places == place).sum()),
        }
        for place in sorted(set(places.tolist()))
    ]


def ece(curve: Iterable[Mapping[str, Any]]) -> float:
    """Give the expected calibration error."""
    rows = list(curve)
    return float(
        sum(row["count"] * abs(row["predicted"] - row["observed"]) for row in rows) / sum(row["count"] for row in rows)
    )


def measure(readings: Sequence[Reading], calibration: Calibration) -> dict[str, Any]:
    """Measure probabilities, and the threshold.

    Returns:
        `questions`, `passages` (those judged), `unjudged` (others that were read), `answering` (the share of passages),
        `ece` and `brier`, both also `before` calibration, `accuracy` (of accepting and rejecting questions at the
        threshold), `accepting all` (the same without a threshold), and `bins`.
    """
    logits, answers = _passages(readings)
    told: dict[str, Any] = {
        "questions": len(readings),
        "passages": len(answers),
        "unjudged": sum(len(one.others) for one in readings),
        "answering": float(answers.mean()),
    }
    for suffix, used in ((" before", UNCALIBRATED), ("", calibration)):
        likely = used.probabilities(logits)
        told["ece" + suffix] = ece(bins(likely, answers))
        told["brier" + suffix] = float(((likely - answers) ** 2).mean())
    some = accepted(readings, calibration)
    return told | {
        "accuracy": accuracy(some, calibration.threshold),
        "accepting all": accuracy(some, 0.0),
        "bins": bins(calibration.probabilities(logits), answers),
    }




def _passages(readings: Sequence[Reading]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    logits = np.array([logit for one in readings for logit in one.logits], dtype=np.float64)
    return logits, np.array([answers for one in readings for answers in one.answers], dtype=np.float64)
