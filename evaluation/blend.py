"""The floor that search is measured against: BM25 by bm25s and vectors, scaled and added, as anybody would begin."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ..errors import InputError
from ..graph import catalogue
from ..queries.fusion import scaled
from .questions import number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database

T = TypeVar("T")
FLOOR: Final = "bm25s + vectors"
"""What tables call it."""

WEIGHTS: Final = tuple(step / 10 for step in range(11))
"""Weights of BM25 that are tried; the vectors have the rest."""

FOLDS: Final = 5
_PAGE: Final = 2000


class Blend:
    """BM25 over whole texts and the nearest chunk's cosine, each scaled from 0 to 1 over all texts, and added."""

    def __init__(
        self,
        texts: Mapping[str, str],
        chunks: Sequence[str],
        vectors: NDArray[np.float32],
        encoder: TextEncoder,
    ) -> None:
        try:
            import bm25s
        except ImportError as error:
            raise InputError("the floor needs bm25s: pip install 'medgraph[evaluate]'") from error
        self.sections = sorted(texts)
        place = {section: number for number, section in enumerate(self.sections)}
        self._tokenize: Any = partial(bm25s.tokenize, stopwords="en", return_ids=False, show_progress=False)
        self._bm25: Any = bm25s.BM25()
        self._bm25.index(self._tokenize([texts[section] for section in self.sections]), show_progress=False)
        self._owners = np.array([place[section] for section in chunks])
        self._vectors = vectors
        self._encoder = encoder

    def branches(self, question: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Score all texts both ways."""
        (tokens,) = self._tokenize([question])
        words = self._bm25.get_scores(tokens) if tokens else np.zeros(len(self.sections))
        near = np.full(len(self.sections), -1.0)
        np.maximum.at(near, self._owners, self._vectors @ self._encoder.encode([question])[0])
        return scaled(words), scaled(near)

    def ranked(self, branches: tuple[NDArray[np.float64], NDArray[np.float64]], weight: float, depth: int) -> list[str]:
        """Rank texts."""
        scores = weight * branches[0] + (1 - weight) * branches[1]
        return [self.sections[place] for place in np.argsort(-scores, kind="stable")[:depth].tolist()]


def blend_of(database: Database, texts: Mapping[str, str], encoder: TextEncoder) -> Blend:
    """Blend over a graph's chunks."""
    rows = [row for page in database.pages(catalogue.get("chunk_vectors"), _PAGE) for row in page]
    if not rows:
        raise InputError("the graph has no vectors; run: medgraph index")
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32)
    return Blend(texts, [row["section"] for row in rows], vectors, encoder)


def fold(name: str) -> int:
    """Say which fold a question is in, the same each time."""
    return number(name) % FOLDS


def chosen(tried: Mapping[float, Sequence[T]], gains: Mapping[float, Sequence[float]], names: Sequence[str]) -> list[T]:
    """Take for each question what the weight makes of it that was best on other folds."""
    weights = best_weights(gains, [fold(name) for name in names])
    return [tried[weight][place] for place, weight in enumerate(weights)]


def best_weights(measured: Mapping[float, Sequence[float]], folds: Sequence[int]) -> list[float]:
    """Choose a weight for each question by the questions of the other folds."""
    fold_of = np.array(folds)
    table = {weight: np.array(values) for weight, values in measured.items()}
    best = {fold: max(table, key=lambda weight: float(table[weight][fold_of != fold].sum())) for fold in set(folds)}
    return [best[fold] for fold in folds]
