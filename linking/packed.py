"""Many texts in two arrays, and arrays that are read from the disk when they are needed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

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
        """Take a text.

        Args:
            text: The text; halves of characters become question marks.
        """
        self._bytes += text.encode("utf-8", "replace")
        self._ends.append(len(self._bytes))

    def packed(self) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Pack what was taken.

        Returns:
            All bytes, and where each text ends in them.
        """
        return np.frombuffer(bytes(self._bytes), np.uint8), np.array(self._ends, np.uint64)


def text_at(texts: NDArray[np.uint8], ends: NDArray[np.uint64], number: int) -> str:
    """Give one of the texts that were packed.

    Args:
        texts: All bytes.
        ends: Where each text ends in them.
        number: Which text, counted from 0.
    """
    start = int(ends[number - 1]) if number else 0
    return bytes(texts[start : int(ends[number])]).decode()


def opened(file: Path) -> NDArray[Any]:
    """Open an array; its pages are read when they are needed."""
    values: NDArray[Any] = np.load(file, mmap_mode="r")
    return values.view(np.ndarray)  # whose items are read several times as fast as those of a memmap


def save_arrays(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays, a file each.

    Args:
        arrays: What the files go on with → the array.
    """
    for part, values in arrays.items():
        np.save(folder / f"{name}{part}.npy", values)


def open_arrays(folder: Path, name: str, parts: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Open arrays that were saved; their pages are read when they are needed.

    Args:
        parts: What the files go on with.
    """
    return {part: opened(folder / f"{name}{part}.npy") for part in parts}
