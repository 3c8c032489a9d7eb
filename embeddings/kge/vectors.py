"""Vectors of concepts and shared parameters of a model, and the graph that keeps them; scores without torch, ranks."""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...errors import EncoderMismatchError, InputError, NotInGraphError
from ...graph import catalogue
from ...graph.database import Database, as_vector
from ...progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from .triples import Rows, Triples

    Floats = NDArray[np.float32]

# Models that say: the nearer, the likelier; others take the product of two vectors.
DISTANCES: Final = {"TransE", "RotatE"}
_SMALL: Final = 1e-5  # what batch normalisation adds to variances: torch's own


@dataclass(frozen=True, slots=True)
class SharedParameters:
    """All of a model but the vectors of concepts: enough to ask it, without torch."""

    model: str
    relations: tuple[str, ...]
    inverses: bool  # whether each has a second vector for the other way round
    # Numbers by name: `relations`, a row each, those for the other way round behind the others; of ConvE also layers.
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
        return np.ascontiguousarray(_complex(given) * (relation.conj() if heads else relation)).view(np.float32)

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
    """Rank tail and head of each row, (rows, 2) from 1, among what is not known to be right; the mean of a tie."""
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


BATCH: Final = 1024  # vectors a transaction
WRITERS: Final = 2  # transactions at once: one is sent while another is stored, and no two have the same concept


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The model whose vectors the graph has: what asks it, the vectors' dimension, and its card."""

    shared: SharedParameters
    dimension: int
    card: Mapping[str, Any]


def check(database: Database, model: str, dimension: int) -> None:
    """Make sure that the graph's vectors, if any, are from this model; EncoderMismatchError tells what mends others."""
    for row in database.read(catalogue.get("kge_state")):
        if (row["name"], row["dimension"]) != (model, dimension):
            raise EncoderMismatchError(
                f"the graph's vectors of relations are from {row['name']} ({row['dimension']} dimensions), not from "
                f"{model} ({dimension}); to put these in their place: medgraph index kge --rebuild"
            )


def write(
    database: Database, entities: Sequence[str], vectors: Vectors, card: Mapping[str, Any], *, rebuild: bool = False
) -> None:
    """Write vectors to concepts that are there, then wait for the index; EncoderMismatchError unless it may rebuild."""
    shared, dimension = vectors.shared, vectors.entities.shape[1]
    if not rebuild:
        check(database, shared.model, dimension)
    # From here on there are no vectors until all are there, so that those of two trainings are never compared.
    database.write(
        catalogue.get("record_kge_model"),
        name=shared.model,
        dimension=dimension,
        relations=list(shared.relations),
        inverses=shared.inverses,
        weights=shared.packed(),
        card=json.dumps(card),
    )
    database.run(catalogue.get("drop_kge_index"))
    database.run(catalogue.get("clear_kge"))
    write_vectors(database, entities, vectors)
    database.run(catalogue.get("create_kge_index"), dimension=dimension)
    database.wait_for_indexes()
    database.write(catalogue.get("complete_kge_model"))


def write_vectors(database: Database, entities: Sequence[str], vectors: Vectors) -> None:
    """Write vectors to their concepts, batch by batch, some at once; what was committed stays if the database goes."""

    def stored(start: int) -> int:
        part = slice(start, start + BATCH)
        ids = list(entities[part])
        database.write(
            catalogue.get("write_kge"),
            ids=ids,
            vectors=[as_vector(vector) for vector in vectors.entities[part]],
            biases=[] if vectors.biases is None else vectors.biases[part].tolist(),
        )
        return len(ids)

    starts = range(0, len(entities), BATCH)
    with progress("writing vectors", "vector", len(entities)) as bar, ThreadPoolExecutor(WRITERS) as pool:
        for number in pool.map(stored, starts):
            bar.update(number)


def model_of(database: Database) -> tuple[str, int]:
    """Tell name and dimension of the model whose vectors the graph has, as `stored` does, without what asks it."""
    row = _complete(database.read(catalogue.get("kge_state")))
    return row["name"], row["dimension"]


def stored(database: Database) -> StoredModel:
    """Read the model of the graph's vectors; NotInGraphError where some lack, InputError where it is damaged."""
    row = _complete(database.read(catalogue.get("kge_model")))
    shared = SharedParameters(row["name"], tuple(row["relations"]), row["inverses"], unpacked(row["weights"]))
    return StoredModel(shared, row["dimension"], json.loads(row["card"]))


def _complete(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if not rows or not rows[0]["complete"]:
        lacks = "its vectors of relations only in part" if rows else "no vectors of relations"
        raise NotInGraphError(f"the graph has {lacks}; make them: medgraph index kge")
    return rows[0]
