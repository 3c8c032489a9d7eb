"""Vectors of concepts and shared parameters of a model; scores relations without torch, and ranks by any scores."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from .triples import Rows, Triples

    Floats = NDArray[np.float32]

# Models that say: the nearer, the likelier; others take the product of two vectors.
DISTANCES: Final = {"TransE", "RotatE"}
_SMALL: Final = 1e-5  # what batch normalisation adds to variances: torch's own


@dataclass(frozen=True, slots=True)
class SharedParameters:
    """All of a model but the vectors of concepts: enough to ask it, without torch.

    Attributes:
        inverses: Whether each has a second vector for the other way round.
        weights: Numbers by name: `relations`, a row each, those for the other way round behind the others; of ConvE
            also the layers.
    """

    model: str
    relations: tuple[str, ...]
    inverses: bool
    weights: Mapping[str, NDArray[np.float32]]

    def question(self, given: Floats, kinds: NDArray[np.int64], *, heads: bool = False) -> Floats:
        """Make the vector that what is asked for should lie at: a tail of given heads, or the other way round."""
        if heads and self.inverses:
            kinds, heads = kinds + len(self.relations), False
        with_what = self.weights["relations"][kinds]
        if self.model == "TransE":
            return given - with_what if heads else given + with_what
        if self.model == "ConvE":
            return _convolved(given, with_what, self.weights)
        relation = _complex(with_what)
        return _real(_complex(given) * (relation.conj() if heads else relation))

    @property
    def by_distance(self) -> bool:
        """Whether what is nearer is likelier."""
        return self.model in DISTANCES

    def packed(self) -> bytes:
        """Pack the weights, to be kept in one property."""
        data = io.BytesIO()
        np.savez(data, **self.weights)  # type: ignore[arg-type] # no name is that of its option
        return data.getvalue()


@dataclass(frozen=True, slots=True)
class Vectors:
    """A trained model with its vectors, a row a concept; scores every concept, with biases where it has such."""

    shared: SharedParameters
    entities: Floats
    biases: Floats | None = None

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails."""
        return self._scores(self.shared.question(self.entities[heads], relations))

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads."""
        return self._scores(self.shared.question(self.entities[tails], relations, heads=True))

    def _scores(self, questions: Floats) -> Floats:
        products = questions @ self.entities.T
        if self.shared.by_distance:
            sizes = (questions**2).sum(axis=1)[:, None] + (self.entities**2).sum(axis=1)[None, :]
            scores: Floats = -np.sqrt(np.maximum(sizes - 2 * products, 0))
            return scores
        return products if self.biases is None else products + self.biases[None, :]


def unpacked(data: bytes) -> dict[str, NDArray[np.float32]]:
    """Read what `SharedParameters.packed` packed; InputError where it is damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            f"the graph's model of relations is damaged ({error}); make it anew: medgraph index kge --rebuild"
        ) from error


def _complex(values: Floats) -> NDArray[np.complex64]:
    return np.ascontiguousarray(values, dtype=np.float32).view(np.complex64)


def _real(values: NDArray[np.complex64]) -> Floats:
    return np.ascontiguousarray(values).view(np.float32)


def _convolved(given: Floats, relations: Floats, weights: Mapping[str, NDArray[np.float32]]) -> Floats:
    """Do what ConvE does to a concept and a relation: an image of both, a convolution, and a layer."""
    height, width = weights["shape"].astype(int)
    image = np.concatenate([part.reshape(len(part), height, width) for part in (given, relations)], axis=1)[:, None]
    image = _normal(image, weights, "image", (None, slice(None), None, None))
    filters = weights["filters"]
    windows = sliding_window_view(image[:, 0], filters.shape[2:], axis=(1, 2))
    maps = np.einsum("nhwij,cij->nchw", windows, filters[:, 0], optimize=True) + weights["filters_bias"][:, None, None]
    maps = np.maximum(_normal(maps, weights, "maps", (None, slice(None), None, None)), 0)
    lines = maps.reshape(len(maps), -1) @ weights["layer"].T + weights["layer_bias"]
    made: Floats = np.maximum(_normal(lines, weights, "lines", (None, slice(None))), 0).astype(np.float32)
    return made


def _normal(values: Floats, weights: Mapping[str, NDArray[np.float32]], name: str, axes: tuple[object, ...]) -> Floats:
    """Normalise by what was seen in training."""
    scale, shift, mean, variance = weights[f"{name}_normal"]
    normal: Floats = (values - mean[axes]) / np.sqrt(variance[axes] + _SMALL) * scale[axes] + shift[axes]
    return normal


AT_ONCE: Final = 256  # questions that are scored at once


class Scorer(Protocol):
    """What says how likely each concept is to stand at the other end of a relation."""

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails, a row a question."""

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads, a row a question."""


def ranks(scorer: Scorer, triples: Triples, rows: Rows) -> NDArray[np.float64]:
    """Rank the tail and the head of each row, (rows, 2) from 1, among what is not known to be right as well.

    Of what has the same score, it is the mean.
    """
    tails, heads = _known(triples.rows), _known(triples.rows[:, ::-1])
    found = np.empty((len(rows), 2))
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        head, kind, tail = part.T
        found[start : start + AT_ONCE, 0] = _ranked(scorer.tails(head, kind), tails, head, kind, tail)
        found[start : start + AT_ONCE, 1] = _ranked(scorer.heads(tail, kind), heads, tail, kind, head)
    return found


def figures(found: NDArray[np.float64]) -> dict[str, Any]:
    """Give the mean of 1/rank, and which share is among the first 1, 3 and 10; nothing of no ranks."""
    if not found.size:
        return {}
    hits = {f"hits@{k}": round(float((found <= k).mean()), 4) for k in (1, 3, 10)}
    return {"mrr": round(float((1 / found).mean()), 4), **hits}


def _known(rows: Rows) -> dict[tuple[int, int], list[int]]:
    known: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one, kind, other in rows.tolist():
        known[one, kind].append(other)
    return known


def _ranked(
    scores: Floats,
    known: dict[tuple[int, int], list[int]],
    given: NDArray[np.int64],
    kinds: NDArray[np.int64],
    right: NDArray[np.int64],
) -> NDArray[np.float64]:
    lines = np.arange(len(right))
    scores = np.where(np.isnan(scores), -np.inf, scores)  # what is no number is no answer
    wanted = scores[lines, right][:, None]
    for line, key in enumerate(zip(given.tolist(), kinds.tolist(), strict=True)):
        scores[line, known[key]] = -np.inf
    above = (scores > wanted).sum(axis=1)
    level = (scores == wanted).sum(axis=1)
    ranked: NDArray[np.float64] = 1 + above + level / 2
    return ranked
