"""The words that names are made of, and which of them a misspelt word stands for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .grams import Grams
from .lexicon import number_of
from .packed import Texts, open_arrays, save_arrays, text_at
from .similar import opposite
from .words import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

SHORTEST: Final = 5
"""Letters of the shortest word that is recognised when it is misspelt: of shorter ones a letter makes another word."""

_SHORTEST_SLIP: Final = 4

_TWO_SLIPS: Final = 9
"""Letters from which on a word may have two slips."""

_CANDIDATES: Final = 60
_FILES: Final = "vocabulary"
_ARRAYS: Final = ("counts", "texts", "ends", "forms")


class Vocabulary:
    """Words by number.

    Args:
        arrays: The words and how many names have each, as `build` makes them, or `load` reads them.
        grams: The words by the runs of letters that they have.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], grams: Grams) -> None:
        self._arrays = arrays
        self._counts: NDArray[np.uint32] = arrays["counts"]
        self._forms: NDArray[np.uint64] = arrays["forms"]
        self._grams = grams

    @classmethod
    def build(cls, words: Iterable[str]) -> Vocabulary:
        """Pack words.

        Args:
            words: The words of names in small letters, each as often as it stands in one.
        """
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
        save_arrays(folder, f"{_FILES}_", self._arrays)
        self._grams.save(folder, _FILES)

    @classmethod
    def load(cls, folder: Path) -> Vocabulary:
        """Open a vocabulary; pages are read when they are needed."""
        return cls(open_arrays(folder, f"{_FILES}_", _ARRAYS), Grams.load(folder, _FILES))

    def __contains__(self, word: str) -> bool:
        """Tell whether a name has a word, in whatever number and spelling."""
        form = np.uint64(number_of(normalise(word)))
        at = int(np.searchsorted(self._forms, form))
        return at < len(self._forms) and bool(self._forms[at] == form)

    def meant(self, word: str) -> tuple[str, int] | None:
        """Find the word that a misspelt one stands for.

        Returns:
            The word of names with the fewest slips between the two, of level ones that which most names have, and
            how many these are; None where there is none near enough.
        """
        from rapidfuzz.distance import OSA

        if len(word) < _SHORTEST_SLIP or not word.isalpha():
            return None
        best: tuple[int, bool, int, str] | None = None
        for number in self._grams.nearest(word, _CANDIDATES):
            near = text_at(self._arrays["texts"], self._arrays["ends"], number)
            slips = OSA.distance(word, near, score_cutoff=2)
            if slips > 1 + (min(len(word), len(near)) >= _TWO_SLIPS) or opposite(word, near):
                continue
            candidate = (slips, near[0] != word[0], -int(self._counts[number]), near)
            best = min(best, candidate) if best else candidate
        return (best[3], best[0]) if best else None
