"""Say what a reranker's logits mean: fitted, after the training, to questions that were held out of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from ..answers.confidence import KINDS
from ..embeddings.encoders import layers
from ..embeddings.rerankers.calibration import KEY
from ..errors import InputError
from ..evaluation import reliability
from ..evaluation.consumer import GOOD
from ..evaluation.questions import number
from ..evaluation.reliability import Case
from ..progress import note
from .questions import asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..queries.retriever import Retriever
    from .graded import Graded
    from .questions import Example
    from .reranker import Material

SHARE: Final = 4
"""One in so many graded questions, or subjects, is held out."""

MADE: Final = 200
"""Questions made from MedQuAD that are asked, at most."""

NOT: Final = "not calibrated"
"""The card's key that says why there is no calibration."""

FITTED: Final = "probability = 1 / (1 + exp(-(slope x logit + intercept))), fitted as Platt did"
CHOSEN: Final = "where most questions are rightly said to be answered by a passage that was read, or by none of these"


def apart(material: Material, seed: int) -> tuple[Material, list[Case]]:
    """Hold questions out of a training: graded ones, or where there are none, subjects of MedQuAD."""
    if material.graded:
        held = [one for one in material.graded if _held(one.texts[0].lower())]
        left = replace(material, graded=[one for one in material.graded if not _held(one.texts[0].lower())])
        return left, cases_of(held)
    found = [one for one in material.examples if _held(min(one.near))]
    left = replace(material, examples=[one for one in material.examples if not _held(min(one.near))])
    chosen = sorted(found, key=lambda one: number(f"{one.section} calibrated"))[:MADE]
    return left, [_of_made(one, Random(f"{seed} {one.section}")) for one in chosen]  # noqa: S311 # not for secrets


def _held(key: str) -> bool:
    return number(f"{key} held out") % SHARE == 0


def cases_of(graded: Sequence[Graded]) -> list[Case]:
    """Make questions to calibrate by, or to measure by, of graded ones."""
    return [
        Case(kind, text, partial(_answers, one.grades))
        for one in graded
        for kind, text in zip(KINDS, one.texts, strict=True)
    ]


def _answers(grades: Mapping[str, int], section: str) -> bool | None:
    return grades[section] >= GOOD if section in grades else None


def _of_made(one: Example, chance: Random) -> Case:
    return Case("made", asked(one, chance), lambda section: section in one.answers)


def calibrate(retriever: Retriever, held: Sequence[Case], folder: Path) -> dict[str, Any]:
    """Fit probabilities and a threshold, and write both into the card of a reranker."""
    readings = reliability.read(retriever, held)
    try:
        fitted = reliability.fit(readings)
    except InputError as error:
        note(f"the reranker gives no probabilities: {error}")
        return layers.extend(folder, {NOT: str(error)})
    told = {
        "by": FITTED,
        **asdict(fitted),
        "threshold by": CHOSEN,
        "asked": sorted({one.kind for one in held}),
        **reliability.measure(readings, fitted),
    }
    return layers.extend(folder, {KEY: told})
