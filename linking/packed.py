"""Many texts in few arrays, read from the disk when they are needed, and found by runs of their letters."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray


class Texts:
    """Texts to be packed, one behind the other."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")

    def add(self, text: str) -> None:
        """Take a text; halves of characters become question marks."""
        self._bytes += text.encode("utf-8", "replace")
        self._ends.append(len(self._bytes))

    def packed(self) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Pack what was taken: all bytes, and where each text ends in them."""
        return np.frombuffer(bytes(self._bytes), np.uint8), np.array(self._ends, np.uint64)


def text_at(texts: NDArray[np.uint8], ends: NDArray[np.uint64], number: int) -> str:
    """Give one of the texts that were packed, counted from 0."""
    start = int(ends[number - 1]) if number else 0
    return bytes(texts[start : int(ends[number])]).decode()


def save_arrays(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays, a file each."""
    for part, values in arrays.items():
        np.save(folder / f"{name}{part}.npy", values)


def open_arrays(folder: Path, name: str, parts: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Open arrays that were saved; their pages are read when they are needed."""
    files = {part: folder / f"{name}{part}.npy" for part in parts}
    # Items of an ndarray are read several times as fast as those of a memmap.
    return {part: np.load(file, mmap_mode="r").view(np.ndarray) for part, file in files.items()}


_BUCKETS: Final = 1 << 16
_RAREST: Final = 8  # runs of a text that are looked at, those that fewest texts have
_PLACES: Final = 3  # bits that number them, beside a text's number in 32
_PART: Final = 4_000_000  # runs that are sorted at once


class Grams:
    """Numbers of texts, found by runs of three letters, by the arrays that `build` made, or `load` read."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._starts: NDArray[np.int64] = arrays["starts"]
        self._postings: NDArray[np.uint32] = arrays["postings"]

    @classmethod
    def build(cls, texts: Iterable[tuple[int, str]]) -> Grams:
        """Index texts by numbers below 2 to the 29, the lowest first."""
        grams, owners, lengths = array("H"), array("I"), array("I")
        for number, text in texts:
            found = _grams(text)
            grams.extend(found)
            owners.append(number)
            lengths.append(len(found))
        buckets = np.frombuffer(grams, np.uint16) if grams else np.zeros(0, np.uint16)
        counts = np.bincount(buckets, minlength=_BUCKETS)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls({"starts": starts, "postings": _sorted(buckets, np.array(owners), np.array(lengths), starts)})

    def save(self, folder: Path, name: str) -> None:
        """Write the index."""
        save_arrays(folder, f"{name}_", self._arrays)

    @classmethod
    def load(cls, folder: Path, name: str) -> Grams:
        """Open an index; pages are read when they are needed."""
        return cls(open_arrays(folder, f"{name}_", ("starts", "postings")))

    def nearest(self, text: str, limit: int) -> list[int]:
        """Give the numbers of texts that share runs of letters with another one, those that share most first."""
        sizes = {gram: int(self._starts[gram + 1] - self._starts[gram]) for gram in _grams(text)}
        rarest = sorted(filter(sizes.get, sizes), key=lambda gram: (sizes[gram], gram))[:_RAREST]
        if not rarest:
            return []
        # Each number, with which run it was found by: those that are level go by their rarest run.
        found = np.concatenate(
            [
                self._postings[self._starts[gram] : self._starts[gram + 1]] << _PLACES | place
                for place, gram in enumerate(rarest)
            ]
        )
        found.sort()
        numbers = found >> _PLACES
        firsts = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
        shared = np.diff(firsts, append=len(numbers))
        ranks = (_RAREST - shared) * _RAREST + (found[firsts] & (_RAREST - 1))
        enough = np.searchsorted(np.cumsum(np.bincount(ranks)), limit)
        kept = np.flatnonzero(ranks <= enough)
        best = kept[np.argsort(ranks[kept], kind="stable")[:limit]]
        return [int(number) for number in numbers[firsts[best]]]


def _sorted(
    buckets: NDArray[np.uint16], owners: NDArray[np.uint32], lengths: NDArray[np.uint32], starts: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Put each run's numbers behind one another, a part at a time, as to sort all takes far more memory."""
    postings = np.zeros(len(buckets), np.uint32)
    free = starts[:-1].copy()
    ends = np.cumsum(lengths, dtype=np.int64)
    done = 0
    while done < len(owners):
        begin = int(ends[done - 1]) if done else 0
        until = max(done + 1, int(np.searchsorted(ends, begin + _PART, side="right")))
        part = buckets[begin : ends[until - 1]]
        order = np.argsort(part, kind="stable")
        counts = np.bincount(part, minlength=_BUCKETS)
        shift = free - (np.cumsum(counts) - counts)
        postings[shift[part[order]] + np.arange(len(part))] = np.repeat(owners[done:until], lengths[done:until])[order]
        free += counts
        done = until
    return postings


def _grams(text: str) -> set[int]:
    padded = f" {text} "
    return {hash_of(padded[i : i + 3]) for i in range(len(padded) - 2)}


def hash_of(gram: str) -> int:
    """Number a run of three characters below 65,536, the same in every process."""
    number = 0
    for character in gram:
        number = (number * 1_000_003 + ord(character)) & 0xFFFFFFFF
    return (number ^ (number >> 16)) & (_BUCKETS - 1)
