"""Names, and words of names, that are spelt nearly as a text spells them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .lexicon import Grams, Texts, number_of, open_arrays, save_arrays, text_at
from .words import LETTER_A, normalise, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Set
    from pathlib import Path

    from numpy.typing import NDArray

_SIMILAR: Final = "similar"
_NAMES_TRIED: Final = 40
_LIKE: Final = 80.0
_SHORTEST: Final = 6
_SHORT: Final = 4
# Words of a name, and letters of one of them, from which on that may have as many slips, and the rest one more.
_LONG_NAME: Final = 3
_LONG_WORD: Final = 10
_MOST: Final = 3
_OPPOSITES: Final = (
    ("hyper", "hypo"), ("macro", "micro"), ("pre", "post"), ("intra", "inter"), ("endo", "exo"), ("anti", "ante"),
    ("para", "peri"), ("peri", "pre"), ("infra", "intra"), ("ab", "ad"), ("brady", "tachy"), ("mono", "poly"),
)  # fmt: skip
_NOT: Final = ("a", "an", "in", "im", "un", "non", "de")


class Similar:
    """Names by number, found by how they are spelt."""

    def __init__(self, grams: Grams, text: Callable[[int], str]) -> None:
        self._grams = grams
        self._text = text

    @classmethod
    def build(cls, names: Iterable[tuple[int, str]], text: Callable[[int], str]) -> Similar:
        """Index numbered names as `plain` writes them, the lowest number first, each spelling once."""
        return cls(Grams.build(names), text)

    def save(self, folder: Path) -> None:
        """Write the index."""
        self._grams.save(folder, _SIMILAR)

    @classmethod
    def load(cls, folder: Path, text: Callable[[int], str]) -> Similar:
        """Open an index; pages are read when they are needed."""
        return cls(Grams.load(folder, _SIMILAR), text)

    def find(self, name: str, unknown: Set[str] = frozenset(), limit: int = 5) -> Iterator[tuple[int, float]]:
        """Find names spelt nearly so, with likeness from 0 to 1, the likest first; none has words of `unknown`."""
        from rapidfuzz import fuzz, process

        wanted = plain(name)
        if len(wanted) < _SHORTEST - 1:  # one of its letters may be missing
            return
        spellings = {number: plain(self._text(number)) for number in self._grams.nearest(wanted, _NAMES_TRIED)}
        candidates = {number: spelling for number, spelling in spellings.items() if len(spelling) >= _SHORTEST}
        found = process.extract(wanted, candidates, scorer=fuzz.ratio, score_cutoff=_LIKE, limit=None)
        slips = (
            (number, likeness / 100) for spelling, likeness, number in found if _slipped(wanted, spelling, unknown)
        )
        yield from islice(slips, limit)


def plain(name: str) -> str:
    """Write a name in its words' forms for comparison."""
    return " ".join("a" if word.normal == LETTER_A else word.normal for word in words(name))


def _slipped(one: str, other: str, unknown: Set[str]) -> bool:
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


# Letters of the shortest word that is recognised when it is misspelt: of shorter ones a letter makes another word.
SHORTEST: Final = 5
_SHORTEST_SLIP: Final = 4
_TWO_SLIPS: Final = 9  # letters from which on a word may have two slips
_WORDS_TRIED: Final = 60
_VOCABULARY: Final = "vocabulary"
_ARRAYS: Final = ("counts", "texts", "ends", "forms")


class Vocabulary:
    """Words by number, with how many names have each, found by the runs of letters that they have."""

    def __init__(self, arrays: dict[str, NDArray[Any]], grams: Grams) -> None:
        self._arrays = arrays
        self._counts: NDArray[np.uint32] = arrays["counts"]
        self._forms: NDArray[np.uint64] = arrays["forms"]
        self._grams = grams

    @classmethod
    def build(cls, words: Iterable[str]) -> Vocabulary:
        """Pack the words of names in small letters, each as often as it stands in one."""
        counted = sorted(Counter(words).items())
        texts = Texts()
        for word, _ in counted:
            texts.add(word)
        arrays: dict[str, NDArray[Any]] = {
            "counts": np.array([count for _, count in counted], np.uint32),
            "forms": np.unique(np.array([number_of(normalise(word)) for word, _ in counted], np.uint64)),
        }
        arrays["texts"], arrays["ends"] = texts.packed()
        long = ((number, word) for number, (word, _) in enumerate(counted) if len(word) >= SHORTEST and word.isalpha())
        return cls(arrays, Grams.build(long))

    def save(self, folder: Path) -> None:
        """Write the vocabulary."""
        save_arrays(folder, f"{_VOCABULARY}_", self._arrays)
        self._grams.save(folder, _VOCABULARY)

    @classmethod
    def load(cls, folder: Path) -> Vocabulary:
        """Open a vocabulary; pages are read when they are needed."""
        return cls(open_arrays(folder, f"{_VOCABULARY}_", _ARRAYS), Grams.load(folder, _VOCABULARY))

    def __contains__(self, word: str) -> bool:
        """Tell whether a name has a word, in whatever number and spelling."""
        form = np.uint64(number_of(normalise(word)))
        at = int(np.searchsorted(self._forms, form))
        return at < len(self._forms) and bool(self._forms[at] == form)

    def meant(self, word: str) -> tuple[str, int] | None:
        """Find the word of names that a misspelt one stands for, with the fewest slips, and how many these are."""
        from rapidfuzz.distance import OSA

        if len(word) < _SHORTEST_SLIP or not word.isalpha():
            return None
        best: tuple[int, bool, int, str] | None = None
        for number in self._grams.nearest(word, _WORDS_TRIED):
            near = text_at(self._arrays["texts"], self._arrays["ends"], number)
            slips = OSA.distance(word, near, score_cutoff=2)
            if slips > 1 + (min(len(word), len(near)) >= _TWO_SLIPS) or opposite(word, near):
                continue
            candidate = (slips, near[0] != word[0], -int(self._counts[number]), near)
            best = min(best, candidate) if best else candidate
        return (best[3], best[0]) if best else None
