"""Fit how likely search's results answer, to sections that people graded by reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError
from medgraph.logistic import INTERCEPT, write_models
from medgraph.progress import progress
from medgraph.queries import fusion
from medgraph.queries.fusion import FEATURES, as_plain, features_of, model

from ..evaluation import logistic
from ..evaluation.sets.grades import GOOD
from .calibrating import RankedQuestion, measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.queries.retriever import Retriever

    from .questions import GradedQuestion

RIDGE: Final = 0.3  # as of the weights of answers; in five folds a tenth and ten times of it order sections alike
MADE_BY: Final = (
    "by `medgraph train likelihood FILE MEQSUM --grades …`, from {sections:,} sections of {questions} "
    "questions of MeQSum (github.com/abachaa/MeQSum, CC BY 4.0), graded by reading, with vectors of {encoder}"
)

# What a candidate that nobody graded counts, as one that does not answer; chosen on MEDIQA and "none of these".
UNGRADED: Final = 0.1
SHOWN: Final = 10  # results that are shown unless told, by the best of which `none of these` is said


@dataclass(frozen=True, slots=True)
class DescribedQuestion:
    """What a question, as it was asked once, finds."""

    described: NDArray[np.float64]  # (candidates, `FEATURES`)
    grades: NDArray[np.int64]  # (candidates,), 0 where nobody graded one


def describe(retriever: Retriever, graded: Sequence[GradedQuestion]) -> list[DescribedQuestion]:
    """Search for questions, and describe what is found; those without a graded candidate are left out."""
    found = []
    with progress("searching", "question", len(graded)) as bar:
        for one in graded:
            for asked in (part for text in one.texts if text for part in retriever.question(text).searches):
                rows = retriever.candidates(asked)
                grades = np.array([one.grades.get(row["section"], 0) for row in rows])
                if grades.any():
                    found.append(DescribedQuestion(features_of(asked, rows, model()), grades))
            bar.update(1)
    return found


def train_weights(questions: Sequence[DescribedQuestion]) -> dict[str, float]:
    """Fit the weights: feature, or `intercept`, → weight."""
    if not questions:
        raise InputError("no section that has a grade was found; give grades of sections that the graph has")
    described, answers = labelled(questions)
    graded = np.concatenate([one.grades for one in questions]) > 0
    both, counts = np.concatenate([described, as_plain(described)]), np.where(graded, 1.0, UNGRADED)
    weights = logistic.train_named(
        FEATURES, both.tolist(), np.tile(answers, 2).tolist(), RIDGE, np.tile(counts, 2).tolist()
    )
    # Some of what nobody graded answers, too: what is graded alone tells how likely.
    logits = fusion.logits(described[graded], weights)[:, None]
    slope, shift = logistic.train_weights(logits, answers[graded], np.ones(len(logits)), RIDGE).tolist()
    return {name: slope * value + shift * (name == INTERCEPT) for name, value in weights.items()}


def labelled(questions: Sequence[DescribedQuestion]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give all candidates, (candidates, `FEATURES`), and which answer, (candidates,); those without a grade do not."""
    described = [np.zeros((0, len(FEATURES))), *(one.described for one in questions)]
    return np.concatenate(described), np.concatenate([np.zeros(0), *(one.grades >= GOOD for one in questions)])


def figures(questions: Sequence[DescribedQuestion], weights: Mapping[str, float]) -> dict[str, float]:
    """Measure the probabilities of the first `SHOWN` results, as `measure` does, and the area under the curve."""
    from sklearn.metrics import roc_auc_score

    readings = [_shown(one, weights) for one in questions]
    told = measure([one for one in readings if one.answers], fusion.CALIBRATION)
    answers = [right for one in readings for right in one.answers]
    auc = roc_auc_score(answers, [logit for one in readings for logit in one.logits])
    return {name: told[name] for name in ("questions", "passages", "ece", "brier", "accuracy")} | {
        "accepting all": told["accepting all"],
        "auc": float(auc),
    }


def _shown(one: DescribedQuestion, weights: Mapping[str, float]) -> RankedQuestion:
    """Give the log odds of the results that are shown, apart from those that nobody graded."""
    best = np.argsort(-model().scores(one.described), kind="stable")[:SHOWN]
    logits, grades = fusion.logits(one.described[best], weights), one.grades[best]
    graded = grades > 0
    return RankedQuestion(logits[graded].tolist(), (grades[graded] >= GOOD).tolist(), logits[~graded].tolist())


def write(weights: Mapping[str, float], path: Path, questions: Sequence[DescribedQuestion], graded: int) -> None:
    """Write the weights as a table that people can read."""
    sections = sum(int((one.grades > 0).sum()) for one in questions)
    made_by = MADE_BY.format(sections=sections, questions=graded, encoder=fusion.CALIBRATED_ENCODER)
    write_models({fusion.SECTION: weights}, path, made_by)
