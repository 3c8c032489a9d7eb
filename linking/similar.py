"""Names that are spelt nearly as a text spells them, found by the runs of three letters that they share.

The runs that few names have are looked at first; what shares enough of them is compared letter by letter.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .packed import opened
from .words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_BUCKETS: Final = 1 << 16
_RAREST: Final = 8
_CANDIDATES: Final = 40
_LIKE: Final = 80.0
_SHORTEST: Final = 6
_SHORT: Final = 4
_OPPOSITES: Final = (
    ("hyper", "hypo"), ("macro", "micro"), ("pre", "post"), ("intra", "inter"), ("endo", "exo"), ("anti", "ante"),
    ("para", "peri"), ("peri", "pre"), ("infra", "intra"), ("ab", "ad"), ("brady", "tachy"), ("mono", "poly"),
)  # fmt: skip
_NOT: Final = ("a", "an", "in", "im", "un", "non")


class Similar:
    """Names by their runs of three letters.

    Args:
        arrays: What `build` made, or `load` read.
        text: Gives the name of a number.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], text: Callable[[int], str]) -> None:
        self._arrays = arrays
        self._starts: NDArray[np.int64] = arrays["starts"]
        self._postings: NDArray[np.uint32] = arrays["postings"]
        self._text = text

    @classmethod
    def build(cls, names: Iterable[tuple[int, str]], text: Callable[[int], str]) -> Similar:
        """Index names.

        Args:
            names: Numbers and names; each spelling once.
            text: Gives the name of a number.

        Returns:
            The index.
        """
        grams, owners = array("H"), array("I")
        for number, name in names:
            for gram in _grams(plain(name)):
                grams.append(gram)
                owners.append(number)
        buckets = np.frombuffer(grams, np.uint16) if grams else np.zeros(0, np.uint16)
        order = np.argsort(buckets, kind="stable")
        counts = np.bincount(buckets, minlength=_BUCKETS)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        numbers = np.frombuffer(owners, np.uint32) if owners else np.zeros(0, np.uint32)
        return cls({"starts": starts, "postings": numbers[order]}, text)

    def save(self, folder: Path) -> None:
        """Write the index.

        Args:
            folder: A folder that is there.
        """
        for name, values in self._arrays.items():
            np.save(folder / f"similar_{name}.npy", values)

    @classmethod
    def load(cls, folder: Path, text: Callable[[int], str]) -> Similar:
        """Open an index; pages are read when they are needed.

        Args:
            folder: Where it was saved.
            text: Gives the name of a number.

        Returns:
            The index.
        """
        names = ("starts", "postings")
        return cls({name: opened(folder / f"similar_{name}.npy") for name in names}, text)

    def find(self, name: str, limit: int = 5) -> Iterator[tuple[int, float]]:
        """Find names that are spelt nearly so.

        Args:
            name: The name.
            limit: How many at most.

        Yields:
            Numbers of names and their likeness from 0 to 1, the likest first.
        """
        from rapidfuzz import fuzz, process

        wanted = plain(name)
        if len(wanted) < _SHORTEST - 1:  # one of its letters may be missing
            return
        grams = {gram: int(self._starts[gram + 1] - self._starts[gram]) for gram in _grams(wanted)}
        shared: Counter[int] = Counter()
        for gram in sorted(filter(grams.get, grams), key=lambda gram: (grams[gram], gram))[:_RAREST]:
            shared.update(self._postings[self._starts[gram] : self._starts[gram + 1]].tolist())
        spellings = {number: plain(self._text(number)) for number, _ in shared.most_common(_CANDIDATES)}
        candidates = {number: spelling for number, spelling in spellings.items() if len(spelling) >= _SHORTEST}
        found = process.extract(wanted, candidates, scorer=fuzz.ratio, score_cutoff=_LIKE, limit=None)
        slips = ((number, likeness / 100) for spelling, likeness, number in found if _slipped(wanted, spelling))
        yield from islice(slips, limit)


def plain(name: str) -> str:
    """Write a name in its words' forms for comparison.

    Args:
        name: The name.

    Returns:
        The forms, with blanks between.
    """
    return " ".join(word.normal for word in words(name))


def _grams(name: str) -> set[int]:
    padded = f" {name} "
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


def _slipped(one: str, other: str) -> bool:
    """Tell whether the words of two names differ by slips of the finger, and not by what they mean."""
    from rapidfuzz.distance import OSA

    mine, theirs = one.split(), other.split()
    if len(mine) != len(theirs):
        joined, whole = "".join(mine), "".join(theirs)
        return _marks(one) == _marks(other) and not _opposite(joined, whole) and OSA.distance(joined, whole) <= 1
    for word, meant in zip(mine, theirs, strict=True):
        if word == meant:
            continue
        if len(meant) < _SHORT or any(c.isdigit() for c in word + meant) or _opposite(word, meant):
            return False
        if OSA.distance(word, meant) > (1 if len(meant) <= _SHORTEST else 2):
            return False
    return True


def _opposite(one: str, other: str) -> bool:
    """Tell whether two words have beginnings that mean something else: hyper- and hypo-, typical and atypical."""
    return any(
        one.startswith(begins) and other.startswith(instead)
        for pair in _OPPOSITES
        for begins, instead in (pair, pair[::-1])
    ) or any(
        more == none + less and not less.startswith(none)  # which is a letter struck twice
        for more, less in ((one, other), (other, one))
        for none in _NOT
    )


def _marks(name: str) -> list[str]:
    return sorted(word for word in name.split() if len(word) == 1 or any(c.isdigit() for c in word))
