"""Say what a reranker's logits mean: fitted, after the training, to questions that were held out of it.

It is asked as search asks it. Probabilities are fitted as Platt did ("Probabilistic outputs for support vector
machines", 1999), and measured as Guo et al. did ("On calibration of modern neural networks", ICML 2017).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.reranking import KEY
from medgraph.errors import InputError
from medgraph.logistic import Calibration
from medgraph.progress import note, progress

from ..evaluation import logistic
from ..evaluation.coverage import TriedAnswer
from ..evaluation.sets.grades import GOOD
from ..evaluation.statistics import number
from .questions import reworded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.queries.retriever import Retriever

    from .questions import GradedQuestion
    from .reranker import Material

    # A question, and what says of a section whether it answers; None where nobody knows.
    Case = tuple[str, Callable[[str], bool | None]]

SHARE: Final = 4  # one in so many graded questions, or subjects, is held out
MADE: Final = 200  # questions made from MedQuAD that are asked, at most
NOT: Final = "not calibrated"  # the card's key that says why there is no calibration
FITTED: Final = "probability = 1 / (1 + exp(-(slope x logit + intercept))), fitted as Platt did"
CHOSEN: Final = "where most questions are rightly said to be answered by a passage that was read, or by none of these"
BINS: Final = 10
# Keeps the slope finite where passages that answer and those that do not are parted without a mistake.
RIDGE: Final = 0.01


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """What the reranker made of a question's best candidates."""

    logits: Sequence[float]  # of the passages that are judged
    answers: Sequence[bool]  # whether each of these answers
    others: Sequence[float] = ()  # the logits of those of which nobody knows


def apart(material: Material, seed: int) -> tuple[Material, list[Case]]:
    """Hold questions out of a training: graded ones, or where there are none, subjects of MedQuAD."""
    if material.graded:
        held = [one for one in material.graded if _held(one.texts[0].lower())]
        left = replace(material, graded=[one for one in material.graded if not _held(one.texts[0].lower())])
        return left, [case for one in held for case in _of_graded(one)]
    found = [one for one in material.examples if _held(min(one.near))]
    left = replace(material, examples=[one for one in material.examples if not _held(min(one.near))])
    chosen = sorted(found, key=lambda one: number(f"{one.section} calibrated"))[:MADE]
    chance = Random(seed)  # noqa: S311 # not for secrets
    return left, [(reworded(one, chance), one.answers.__contains__) for one in chosen]


def _held(key: str) -> bool:
    return number(f"{key} held out") % SHARE == 0


def _of_graded(one: GradedQuestion) -> list[Case]:
    def answers(section: str) -> bool | None:
        return one.grades[section] >= GOOD if section in one.grades else None

    return [(text, answers) for text in one.texts if text]


def calibrate(retriever: Retriever, held: Sequence[Case], folder: Path) -> dict[str, Any]:
    """Fit probabilities and a threshold to questions held out, and write both, or why not, into a reranker's card."""
    readings = score_cases(retriever, held)
    try:
        fitted = calibration_of(readings)
    except InputError as error:
        note(f"the reranker gives no probabilities: {error}")
        return layers.extend(folder, {NOT: str(error)})
    told = {"by": FITTED, **asdict(fitted), "threshold by": CHOSEN, **measure(readings, fitted)}
    return layers.extend(folder, {KEY: told})


def score_cases(retriever: Retriever, cases: Sequence[Case]) -> list[RankedQuestion]:
    """Search for questions, and keep what the reranker made of those of which a passage that was read is judged."""
    found = []
    with progress("reading", "question", len(cases)) as bar:
        for text, answers in cases:
            rows = [row for row in retriever.ranked(retriever.question(text)) if "reading" in row]
            judged = [(row["reading"], answers(row["section"])) for row in rows]
            if known := [(logit, right) for logit, right in judged if right is not None]:
                logits, right = zip(*known, strict=True)
                found.append(RankedQuestion(logits, right, [logit for logit, right in judged if right is None]))
            bar.update(1)
    return found


def calibration_of(readings: Sequence[RankedQuestion]) -> Calibration:
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
    middle, wide = float(logits.mean()), float(logits.std()) or 1.0
    scaled = (logits - middle) / wide
    fit_to = (
        logistic.train_weights(scaled[:, None], targets, np.ones(len(logits)), RIDGE) if logits.std() else np.zeros(2)
    )
    slope, intercept = fit_to.tolist()
    if slope <= 0:
        raise InputError(f"passages with higher logits answer less often (slope {slope:.3f}): it has learned nothing")
    fitted = Calibration(slope / wide, intercept - slope * middle / wide)
    return replace(fitted, threshold=threshold_of(_tried(readings, fitted)))


def threshold_of(some: Sequence[TriedAnswer]) -> float:
    """Choose the threshold that is right most often, of several the lowest; 0 where always to reject is as right."""
    between = [(low + high) / 2 for low, high in pairwise(sorted({one.sure for one in some}))]
    best = max([0.0, *between], key=lambda one: (_accuracy(some, one), -one))
    return best if _accuracy(some, best) > 1 - _accuracy(some, 0.0) else 0.0


def _tried(readings: Sequence[RankedQuestion], calibration: Calibration) -> list[TriedAnswer]:
    """Tell for each question how likely the likeliest passage answers, judged or not, and whether any is known to."""
    likely = [calibration.probabilities(np.array([*one.logits, *one.others])).max() for one in readings]
    return [TriedAnswer(float(sure), any(one.answers)) for sure, one in zip(likely, readings, strict=True)]


def _accuracy(some: Sequence[TriedAnswer], threshold: float) -> float:
    return sum((one.sure >= threshold) == one.right for one in some) / len(some)


def ece(likely: NDArray[np.float64], answers: NDArray[np.float64]) -> float:
    """Give the expected calibration error: how far probability and share that answers are apart, over ten bins."""
    bins = np.minimum((likely * BINS).astype(int), BINS - 1)
    return float(np.abs(np.bincount(bins, likely - answers, BINS)).sum() / len(answers))


def measure(readings: Sequence[RankedQuestion], calibration: Calibration) -> dict[str, Any]:
    """Measure probabilities, and the threshold.

    Returns:
        `questions`, `passages` (those judged), `ece` and `brier`, both also `before` calibration, `accuracy` (of
        accepting and rejecting questions at the threshold), and `accepting all` (the same without a threshold).
    """
    logits, answers = _passages(readings)
    told: dict[str, Any] = {"questions": len(readings), "passages": len(answers)}
    for suffix, used in ((" before", Calibration()), ("", calibration)):
        likely = used.probabilities(logits)
        told |= {f"ece{suffix}": ece(likely, answers), f"brier{suffix}": float(((likely - answers) ** 2).mean())}
    some = _tried(readings, calibration)
    return told | {"accuracy": _accuracy(some, calibration.threshold), "accepting all": _accuracy(some, 0.0)}


def _passages(readings: Sequence[RankedQuestion]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    logits = np.array([logit for one in readings for logit in one.logits], dtype=np.float64)
    return logits, np.array([answers for one in readings for answers in one.answers], dtype=np.float64)
