"""Halves of sets and numbers of texts, by a hash; and the significance of the difference between two ways.

Sets are split into the halves `dev` and `held`. Differences are tested by paired bootstrap over questions, with Holm's
correction: both ways are measured on the same questions, and questions are drawn with replacement, the same ones for
both (Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006): the interval holds the middle 95 % of
differences, and p is how often a difference is as far from the one measured as that one is from none.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SAMPLES: Final = 10_000  # samples of the bootstrap
# Confidences from which on answers could be given, for tables of how much would be and how rightly.
THRESHOLDS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_AT_ONCE: Final = 500
_SAME: Final = 1e-9  # differences up to this are rounding


def part_of(key: str) -> str:
    """Tell the half of what has a key: `dev`, to choose by and to train on, or `held`, to report."""
    return "dev" if number(key) % 2 == 0 else "held"


def number(text: str) -> int:
    """Give a text a number that is always the same: 48 bits of its hash."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


class Measured(ABC):
    """What a way reached on questions, one figure for all of them."""

    __slots__ = ()

    @property
    @abstractmethod
    def questions(self) -> int:
        """How many questions."""

    @abstractmethod
    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the figure for samples of the questions."""

    def value(self) -> float:
        """Give the figure."""
        return float(self.drawn(np.arange(self.questions)[None])[0])


@dataclass(frozen=True, slots=True)
class Mean(Measured):
    """The mean over questions."""

    values: NDArray[np.float64]  # (questions,) the measure of each

    @property
    def questions(self) -> int:
        """How many questions."""
        return len(self.values)

    def value(self) -> float:
        """Give the mean."""
        return float(self.values.mean())

    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the mean for samples of the questions."""
        means: NDArray[np.float64] = self.values[places].mean(axis=1)
        return means


@dataclass(frozen=True, slots=True)
class Ratio(Measured):
    """What is counted of all that could be, as precision and F1 are, over questions of different weight."""

    parts: NDArray[np.float64]  # (questions,) what is counted of each
    wholes: NDArray[np.float64]  # (questions,) what could be

    @property
    def questions(self) -> int:
        """How many questions."""
        return len(self.parts)

    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the ratio for samples of the questions."""
        wholes = self.wholes[places].sum(axis=1)
        ratios: NDArray[np.float64] = self.parts[places].sum(axis=1) / np.where(wholes, wholes, 1.0)
        return ratios


@dataclass(frozen=True, slots=True)
class Auc(Measured):
    """The area under the curve: how likely a pair that belongs together scores above one that does not."""

    scores: NDArray[np.float64]  # (pairs,) how near the two of each are
    good: NDArray[np.bool_]  # (pairs,) whether they belong together
    owners: NDArray[np.int64]  # (pairs,) the question of each, from 0; its pairs are drawn together

    @property
    def questions(self) -> int:
        """How many questions."""
        return int(self.owners.max()) + 1

    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the area for samples of the questions."""
        order = np.argsort(self.scores, kind="stable")
        ranked, good, owners = self.scores[order], self.good[order], self.owners[order]
        first = np.searchsorted(ranked, ranked, "left")
        behind = np.searchsorted(ranked, ranked, "right")
        areas = np.full(len(places), 0.5)
        for number, sample in enumerate(places):
            counts = np.bincount(sample, minlength=self.questions)[owners]
            bad = np.concatenate([[0], np.cumsum(np.where(good, 0, counts))])
            beaten = (bad[first] + bad[behind]) / 2  # those that score the same count half
            pairs = counts[good].sum() * bad[-1]
            if pairs:
                areas[number] = (counts * beaten)[good].sum() / pairs
        return areas


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more one way reached than another."""

    more: float
    low: float
    high: float
    p: float


def share(yes: Sequence[bool]) -> float:
    """Give the share of what is so."""
    return sum(yes) / len(yes) if yes else 0.0


def compare(mine: Measured, other: Measured) -> Difference:
    """Compare two ways on the same questions in the same order; the difference is the same each time."""
    from scipy.stats import bootstrap

    def differ(places: NDArray[np.int64], axis: int = -1) -> NDArray[np.float64]:  # noqa: ARG001
        drawn = np.atleast_2d(places)
        found: NDArray[np.float64] = mine.drawn(drawn) - other.drawn(drawn)
        return found if places.ndim > 1 else found[0]

    more = mine.value() - other.value()
    if mine.questions < 2:
        return Difference(more, more, more, 1.0)
    everything = (np.arange(mine.questions),)
    differences = bootstrap(
        everything, differ, n_resamples=SAMPLES, batch=_AT_ONCE, vectorized=True, method="percentile",
        rng=np.random.default_rng(0),
    ).bootstrap_distribution  # fmt: skip
    if abs(more) < _SAME:
        more = 0.0
    low, high = np.quantile(differences, [0.025, 0.975])
    as_far = int((np.abs(differences - more) >= abs(more) - _SAME).sum())
    return Difference(more, float(low), float(high), (1 + as_far) / (1 + SAMPLES))


def holm(chances: Sequence[float]) -> list[float]:
    """Correct chances for having compared many ways (Holm's step-down method)."""
    order = np.argsort(chances, kind="stable")
    raised = np.minimum(1.0, np.sort(chances) * np.arange(len(chances), 0, -1))
    corrected: NDArray[np.float64] = np.maximum.accumulate(raised)[np.argsort(order)]
    return [float(one) for one in corrected]
