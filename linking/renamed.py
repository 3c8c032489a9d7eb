"""Tells which sections may mention something else since names have changed, so that the others need not be linked anew.

What a section mentions follows from its runs of words that are names, what these names denote, what the long forms of
its short forms and its title are called, and what its document is about. Each name has a number of what it denotes, and
each key of the lexicon one of its names in both their orders; runs are looked up among the keys whose numbers differ.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .lexicon import Lexicon
from .words import expanded, find_abbreviations, is_explained, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .holdings import Holdings
    from .linked import Linked
    from .linker import Linker

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_ALL: Final = 1000  # things that a name may stand for, at most


class Renamed:
    """What texts and names may stand for by one linker and not by a former one."""

    def __init__(self, former: Linker, linker: Linker, names: str) -> None:
        self.former = names
        self._linkers = former, linker
        self._changed = Lexicon.of_keys(_differing(_contents(former), _contents(linker)))
        self._differs = lru_cache(4096)(self._compare)

    def touches(self, text: str, title: str) -> bool:
        """Tell whether a section's text, or its title, may stand for something else."""
        found = words(text)
        short = {one.short: one for one in find_abbreviations(text)}
        readings = [found]
        if short:
            readings.append([word for word in found if not is_explained(word, short.values(), text)])
            readings.append(expanded(text, found, short))
        if any(next(self._changed.runs(reading), None) for reading in readings):
            return True
        return any(map(self._differs, (title, *(text[one.start : one.end] for one in short.values()))))

    def _compare(self, name: str) -> bool:
        former, now = ([_identity(linker, one) for one in linker.name(name, _ALL)] for linker in self._linkers)
        return former != now


def _identity(linker: Linker, linked: Linked) -> tuple[Any, ...]:
    kind = int(linker.lexicon.kinds[linked.name])
    return (*_denoted(linker.holdings, linked.entity), kind, linked.matched, linked.method, linked.score)


def _denoted(held: Holdings, entity: int) -> tuple[str, ...]:
    return held.id(entity), held.label(entity), held.concept_id(entity), held.concept_name(entity)


def _contents(linker: Linker) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give the keys of a linker's names, with a number of the names that each stands for."""
    held, lexicon = linker.holdings, linker.lexicon
    entities = np.zeros(len(held), np.int64)
    for entity in range(len(held)):
        near = held.near(entity)
        entities[entity] = hash((_denoted(held, entity), None if near is None else _denoted(held, near)))
    texts = [hash(lexicon.text(number)) for number in range(len(lexicon))]
    with np.errstate(over="ignore"):
        names = np.array(texts, np.int64).view(np.uint64) * _ODD + entities[lexicon.entities].view(np.uint64)
        names = (names ^ (names >> np.uint64(29))) * _ODD + lexicon.kinds
        return lexicon.digests(names, held.orders(lexicon.entities))


def _differing(
    former: tuple[NDArray[np.uint64], NDArray[np.uint64]], now: tuple[NDArray[np.uint64], NDArray[np.uint64]]
) -> NDArray[np.uint64]:
    """Give the keys that have another number, or are of one of both alone."""
    (keys, numbers), (others, their_numbers) = former, now
    both, mine, theirs = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    other = both[numbers[mine] != their_numbers[theirs]]
    return np.sort(np.concatenate([np.setxor1d(keys, others, assume_unique=True), other]))
