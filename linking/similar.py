"""Names that are spelt nearly as a text spells them, found by the runs of three letters that they share.

The runs that few names have are looked at first; what shares enough of them is compared letter by letter.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from .grams import Grams
from .words import LETTER_A, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_FILES: Final = "similar"
_CANDIDATES: Final = 40
_LIKE: Final = 80.0
_SHORTEST: Final = 6
_SHORT: Final = 4
_LONG_NAME: Final = 3
_LONG_WORD: Final = 10
_MOST: Final = 3
"""Words of a name, and letters of one of them, from which on that may have as many slips, and the rest one more."""

_OPPOSITES: Final = (
    ("hyper", "hypo"), ("macro", "micro"), ("pre", "post"), ("intra", "inter"), ("endo", "exo"), ("anti", "ante"),
    ("para", "peri"), ("peri", "pre"), ("infra", "intra"), ("ab", "ad"), ("brady", "tachy"), ("mono", "poly"),
)  # fmt: skip
_NOT: Final = ("a", "an", "in", "im", "un", "non", "de")


class Similar:
    """Names by how they are spelt.

    Args:
        grams: The names by the runs of letters that they have.
        text: Gives the name of a number.
    """

    def __init__(self, grams: Grams, text: Callable[[int], str]) -> None:
        self._grams = grams
        self._text = text

    @classmethod
    def build(cls, names: Iterable[tuple[int, str]], text: Callable[[int], str]) -> Similar:
        """Index names.

        Args:
            names: Numbers and names as `plain` writes them, the lowest number first; each spelling once.
            text: Gives the name of a number.
        """
        return cls(Grams.build(names), text)

    def save(self, folder: Path) -> None:
        """Write the index."""
        self._grams.save(folder, _FILES)

    @classmethod
    def load(cls, folder: Path, text: Callable[[int], str]) -> Similar:
        """Open an index; pages are read when they are needed.

        Args:
            text: Gives the name of a number.
        """
        return cls(Grams.load(folder, _FILES), text)

    def find(self, name: str, unknown: frozenset[str] = frozenset(), limit: int = 5) -> Iterator[tuple[int, float]]:
        """Find names that are spelt nearly so.

        Args:
            unknown: Words of it, in their form for comparison, that no name has.
            limit: How many at most.

        Yields:
            Numbers of names and their likeness from 0 to 1, the likest first.
        """
        from rapidfuzz import fuzz, process

        wanted = plain(name)
        if len(wanted) < _SHORTEST - 1:  # one of its letters may be missing
            return
        spellings = {number: plain(self._text(number)) for number in self._grams.nearest(wanted, _CANDIDATES)}
        candidates = {number: spelling for number, spelling in spellings.items() if len(spelling) >= _SHORTEST}
        found = process.extract(wanted, candidates, scorer=fuzz.ratio, score_cutoff=_LIKE, limit=None)
        slips = (
            (number, likeness / 100) for spelling, likeness, number in found if _slipped(wanted, spelling, unknown)
        )
        yield from islice(slips, limit)


def plain(name: str) -> str:
    """Write a name in its words' forms for comparison."""
    return " ".join("a" if word.normal == LETTER_A else word.normal for word in words(name))


def _slipped(one: str, other: str, unknown: frozenset[str]) -> bool:
    """Tell whether the words of two names differ by slips of the finger, and not by what they mean."""
    from rapidfuzz.distance import OSA

    mine, theirs = one.split(), other.split()
    if len(mine) != len(theirs):
        joined, whole = "".join(mine), "".join(theirs)
        return _marks(one) == _marks(other) and not opposite(joined, whole) and OSA.distance(joined, whole) <= 1
    total = forgiven = 0
    for word, meant in zip(mine, theirs, strict=True):
        if word == meant:
            continue
        if len(meant) < _SHORT or any(c.isdigit() for c in word + meant) or opposite(word, meant):
            return False
        slips = OSA.distance(word, meant)
        total += slips
        if slips > (1 if len(meant) <= _SHORTEST else 2):
            # The other words of a long name tell what is meant by one that is spelt as it sounds.
            if word not in unknown or len(mine) < _LONG_NAME or len(meant) < _LONG_WORD:
                return False
            forgiven += slips
    return not forgiven or (forgiven <= _MOST and total <= _MOST + 1)


def opposite(one: str, other: str) -> bool:
    """Tell whether two words have beginnings that mean something else.

    Returns:
        True for hyper- and hypo-, for typical and atypical.
    """
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
