"""Vectors of names, kept in a file, so that only new names are encoded."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ..files import write_whole
from ..progress import progress
from .packed import Texts, text_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_BATCH: Final = 2048  # names encoded at a time


class Encoder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """A name that stays the same as long as the vectors do."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length, in their order."""


class NameVectors:
    """Gives the vectors of names, kept in a file in half precision; those of another encoder are not used."""

    def __init__(self, file: Path, encoder: Encoder) -> None:
        self._file = file
        self._encoder = encoder

    def __call__(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Give the vectors of names, in their order, and keep these and no others.

        What was encoded before an interruption is kept.
        """
        known = self._kept()
        new = [name for name in names if name not in known]
        if not new and len(known) == len(names):
            return _stacked(known, names)
        try:
            with progress("embedding names", "name", len(new)) as bar:
                for start in range(0, len(new), _BATCH):
                    part = new[start : start + _BATCH]
                    known.update(zip(part, self._encoder.encode(part).astype(np.float16), strict=True))
                    bar.update(len(part))
        except BaseException:
            self._keep(known)
            raise
        self._keep({name: known[name] for name in names})
        return _stacked(known, names)

    def _kept(self) -> dict[str, NDArray[np.float16]]:
        """Read what was kept; nothing where it is of another encoder, or damaged."""
        try:
            with self._file.open("rb") as file, np.load(file) as kept:
                if str(kept["model"]) != self._encoder.name:
                    return {}
                texts, ends, vectors = kept["texts"], kept["ends"], kept["vectors"]
                return {text_at(texts, ends, row): vectors[row] for row in range(len(vectors))}
        except (OSError, ValueError, KeyError, IndexError, zipfile.BadZipFile):
            return {}

    def _keep(self, known: dict[str, NDArray[np.float16]]) -> None:
        if not known:
            return
        names = Texts()
        for name in known:
            names.add(name)
        texts, ends = names.packed()
        data = io.BytesIO()
        vectors = np.stack(list(known.values()))
        np.savez(data, model=np.array(self._encoder.name), texts=texts, ends=ends, vectors=vectors)
        write_whole(self._file, data.getvalue())


def _stacked(known: dict[str, NDArray[np.float16]], names: Sequence[str]) -> NDArray[np.float32]:
    return np.stack([known[name] for name in names]).astype(np.float32) if names else np.zeros((0, 1), np.float32)
