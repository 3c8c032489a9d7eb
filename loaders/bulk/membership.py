"""Compact sets of the ids and keys seen so far in a file: millions in little memory, looked up in batches.

Both classes take Python's hashes of 64 bits, which differ between processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Hashes = NDArray[np.int64]
    Truths = NDArray[np.bool_]

LARGEST: Final = 1 << 24
"""Places of an `Exact` at most: 128 MiB."""

_FULL: Final = 0.8
_SLICE: Final = 1 << 20
_PROBES: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)


def hashes_of(keys: Iterable[Any]) -> Hashes:
    """Hash keys.

    Returns:
        Their hashes; none is 0.
    """
    found = np.fromiter(map(hash, keys), np.int64)
    found[found == 0] = 1
    return found


class Exact:
    """A set of hashes, which takes 8 to 32 bytes for each."""

    def __init__(self) -> None:
        self._table = np.zeros(1 << 16, np.int64)
        self._count = 0

    def has(self, hashes: Hashes) -> Truths:
        """Look hashes up."""
        found = np.zeros(len(hashes), np.bool_)
        mask = len(self._table) - 1
        left, at = np.arange(len(hashes)), hashes & mask
        while left.size:
            there = self._table[at]
            hit = there == hashes[left]
            found[left[hit]] = True
            going = ~(hit | (there == 0))
            left, at = left[going], (at[going] + 1) & mask
        return found

    def add(self, hashes: Hashes) -> Truths:
        """Add hashes.

        Returns:
            Which of them were not there before; of equal ones, the first at most.

        Raises:
            InputError: There are more than fit.
        """
        unique, first = np.unique(hashes, return_index=True)
        new = first[~self.has(unique)]
        self._reserve(self._count + len(new))
        self._place(hashes[new])
        self._count += len(new)
        return _chosen(len(hashes), new)

    def _reserve(self, count: int) -> None:
        if count > _FULL * LARGEST:
            raise InputError(
                f"the file has more than {int(_FULL * LARGEST):,} entities, too many for one bulk load; "
                "load it without --bulk"
            )
        while count > len(self._table) * (_FULL if len(self._table) == LARGEST else _FULL / 2):
            old = self._table
            self._table = np.zeros(2 * len(old), np.int64)
            for start in range(0, len(old), _SLICE):
                part = old[start : start + _SLICE]
                self._place(part[part != 0])

    def _place(self, hashes: Hashes) -> None:
        """Store hashes that differ and are not there."""
        mask = len(self._table) - 1
        at = hashes & mask
        while hashes.size:
            free = self._table[at] == 0
            self._table[at[free]] = hashes[free]
            # Of several that want the same place, the last has it.
            left = self._table[at] != hashes
            hashes, at = hashes[left], (at[left] + 1) & mask


class Likely:
    """A Bloom filter: of what was never added, it takes a few for known, and its memory never grows.

    Args:
        bits: Its size, as a power of two.
    """

    def __init__(self, bits: int = 29) -> None:
        self._shift = np.uint64(64 - bits)
        self._bytes = np.zeros(1 << (bits - 3), np.uint8)

    def add(self, hashes: Hashes) -> Truths:
        """Add hashes.

        Returns:
            Which of them were surely not there before; of equal ones, the first at most.
        """
        unique, first = np.unique(hashes, return_index=True)
        spread = unique.view(np.uint64)[:, np.newaxis] * np.array(_PROBES, np.uint64)
        bits = (spread >> self._shift).astype(np.int64)
        at, masks = bits >> 3, (1 << (bits & 7)).astype(np.uint8)
        known = ((self._bytes[at] & masks) != 0).all(axis=1)
        at, masks = at[~known].ravel(), masks[~known].ravel()
        # One bit after the other: of several bits for the same byte, a single assignment would keep one.
        for bit in range(8):
            mask = np.uint8(1 << bit)
            self._bytes[at[masks == mask]] |= mask
        return _chosen(len(hashes), first[~known])


def _chosen(size: int, which: NDArray[np.intp]) -> Truths:
    truths = np.zeros(size, np.bool_)
    truths[which] = True
    return truths
