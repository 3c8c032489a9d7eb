"""Texts by the runs of three letters that they have; the runs that few have are looked at first."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .packed import opened

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

_BUCKETS: Final = 1 << 16
_RAREST: Final = 8


class Grams:
    """Numbers of texts, found by runs of three letters.

    Args:
        arrays: What `build` made, or `load` read.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._starts: NDArray[np.int64] = arrays["starts"]
        self._postings: NDArray[np.uint32] = arrays["postings"]

    @classmethod
    def build(cls, texts: Iterable[tuple[int, str]]) -> Grams:
        """Index texts.

        Args:
            texts: Numbers and texts.

        Returns:
            The index.
        """
        grams, owners = array("H"), array("I")
        for number, text in texts:
            for gram in _grams(text):
                grams.append(gram)
                owners.append(number)
        buckets = np.frombuffer(grams, np.uint16) if grams else np.zeros(0, np.uint16)
        order = np.argsort(buckets, kind="stable")
        counts = np.bincount(buckets, minlength=_BUCKETS)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        numbers = np.frombuffer(owners, np.uint32) if owners else np.zeros(0, np.uint32)
        return cls({"starts": starts, "postings": numbers[order]})

    def save(self, folder: Path, name: str) -> None:
        """Write the index.

        Args:
            folder: A folder that is there.
            name: What its files begin with.
        """
        for part, values in self._arrays.items():
            np.save(folder / f"{name}_{part}.npy", values)

    @classmethod
    def load(cls, folder: Path, name: str) -> Grams:
        """Open an index; pages are read when they are needed.

        Args:
            folder: Where it was saved.
            name: What its files begin with.

        Returns:
            The index.
        """
        return cls({part: opened(folder / f"{name}_{part}.npy") for part in ("starts", "postings")})

    def nearest(self, text: str, limit: int) -> list[int]:
        """Find texts that share runs of letters with another one.

        Args:
            text: The other one.
            limit: How many at most.

        Returns:
            Numbers of texts, those that share most first.
        """
        grams = {gram: int(self._starts[gram + 1] - self._starts[gram]) for gram in _grams(text)}
        shared: Counter[int] = Counter()
        for gram in sorted(filter(grams.get, grams), key=lambda gram: (grams[gram], gram))[:_RAREST]:
            shared.update(self._postings[self._starts[gram] : self._starts[gram + 1]].tolist())
        return [number for number, _ in shared.most_common(limit)]


def _grams(text: str) -> set[int]:
    padded = f" {text} "
    return {hash_of(padded[i : i + 3]) for i in range(len(padded) - 2)}


def hash_of(gram: str) -> int:
    """Number a run of three characters.

    Args:
        gram: The run.

    Returns:
        A number below 65,536, the same in every process.
    """
    number = 0
    for character in gram:
        number = (number * 1_000_003 + ord(character)) & 0xFFFFFFFF
    return (number ^ (number >> 16)) & (_BUCKETS - 1)
