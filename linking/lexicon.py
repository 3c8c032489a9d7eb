"""Names of what a graph holds, packed so that texts and single names are looked up in them at once.

A name is kept as 64-bit numbers made of its words: in their order; in any order without little words; and without words
that most names of diseases have, with words that mean the same as one. The same numbers are made of every run of words
of a text, all at once, and compared. Four million names take some 500 MB, of which a look-up reads a few pages.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .words import GENERIC, LETTER_A, LITTLE, Word, loose, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


# Words of the longest run that is compared with names; longer names are found when they are looked up whole.
MAX_WORDS: Final = 14
_WINDOW: Final = 10_000  # words of a text whose runs are compared at once, so that memory does not grow with the text
ORDERED, ANY_ORDER, LOOSE = range(3)  # how a name was recognised, the surest first
# What a name is to its entity: its preferred name, one of the same, a broader, narrower or related one, what a list
# of pages adds to a title, which may be any of these, and what a drug is sold as.
NAME, SYNONYM, OTHER, LISTED, BRAND = range(5)
# A short form, which is one only as it is written.
ACRONYM: Final = re.compile(r"(?=.*[A-Z].*[A-Z])[A-Za-z0-9\-/]{2,7}|[A-Z]{1,3}[0-9]+")
_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_INVERSE: Final = np.uint64(pow(int(_BASE), -1, 1 << 64))
_SALTS: Final = np.array([0, 0x5851F42D4C957F2D, 0x14057B7EF767814F], np.uint64)
_ARRAYS: Final = ("keys", "starts", "postings", "bits", "entities", "kinds", "acronyms", "generic", "ends", "texts")
_BITS_A_KEY: Final = 12


@dataclass(frozen=True, slots=True)
class Named:
    """A name of an entity, by its number: a `NAME`, `SYNONYM`, `OTHER`, `LISTED` or `BRAND`."""

    entity: int
    text: str
    kind: int


@dataclass(frozen=True, slots=True)
class Match:
    """A run of words, from `first` to before `last`, that is one of some names, recognised in one way (`ORDERED` …)."""

    first: int
    last: int
    how: int
    names: tuple[int, ...]


class Lexicon:
    """Names, looked up by their words, by the arrays that `build` made, or `load` read; `text` gives one by number."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._keys: NDArray[np.uint64] = arrays["keys"]
        self._starts: NDArray[np.int64] = arrays["starts"]
        self._postings: NDArray[np.uint32] = arrays["postings"]
        self._bits: NDArray[np.uint8] = arrays["bits"]
        self._mask = np.uint64(len(self._bits) * 8 - 1)
        self.text: Callable[[int], str] = lru_cache(100_000)(partial(text_at, arrays["texts"], arrays["ends"]))
        self.entities: NDArray[np.uint32] = arrays["entities"]
        self.kinds: NDArray[np.uint8] = arrays["kinds"]
        self.acronyms: NDArray[np.bool_] = arrays["acronyms"]
        self.generic: NDArray[np.bool_] = arrays["generic"]

    def __len__(self) -> int:
        return len(self.entities)

    @classmethod
    def build(cls, names: Iterable[Named]) -> Lexicon:
        """Pack names; a name's number is its position among those that have a letter or digit."""
        keys, owners = array("Q"), array("I")
        entities, kinds, texts = array("I"), array("B"), Texts()
        acronyms, generic = bytearray(), bytearray()
        for name in names:
            found = words(name.text)
            if not found:
                continue
            number = len(entities)
            entities.append(name.entity)
            kinds.append(name.kind)
            acronyms.append(bool(ACRONYM.fullmatch(name.text)))
            generic.append(any(word.normal in GENERIC for word in found))
            texts.add(name.text)
            for key in {*(_key(found, how) for how in (ORDERED, ANY_ORDER, LOOSE)), *_small_letter(found)} - {0}:
                keys.append(key)
                owners.append(number)
        all_keys = np.frombuffer(keys, np.uint64) if keys else np.zeros(0, np.uint64)
        order = np.argsort(all_keys, kind="stable")
        unique, starts = np.unique(all_keys[order], return_index=True)
        arrays: dict[str, NDArray[Any]] = {
            "keys": unique,
            "starts": np.append(starts, len(order)).astype(np.int64),
            "postings": (np.frombuffer(owners, np.uint32) if owners else np.zeros(0, np.uint32))[order],
            "bits": _sieve(unique),
            "entities": np.array(entities, np.uint32),
            "kinds": np.array(kinds, np.uint8),
            "acronyms": np.frombuffer(bytes(acronyms), np.bool_),
            "generic": np.frombuffer(bytes(generic), np.bool_),
        }
        arrays["texts"], arrays["ends"] = texts.packed()
        return cls(arrays)

    def save(self, folder: Path) -> None:
        """Write the lexicon."""
        save_arrays(folder, "", self._arrays)

    @classmethod
    def load(cls, folder: Path) -> Lexicon:
        """Open a lexicon; its pages are read when they are needed."""
        return cls(open_arrays(folder, "", _ARRAYS))

    @classmethod
    def of_keys(cls, keys: NDArray[np.uint64]) -> Lexicon:
        """Make a lexicon in which `runs` finds runs that have one of some keys, in order, as that of one name."""
        none = {name: np.zeros(0, np.uint8) for name in _ARRAYS}
        starts, postings = np.arange(len(keys) + 1), np.zeros(len(keys), np.uint32)
        return cls(none | {"keys": keys, "starts": starts, "postings": postings, "bits": _sieve(keys)})

    def digests(
        self, names: NDArray[np.uint64], orders: NDArray[np.uint32]
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Give all keys, with a number of what each stands for: of its names' numbers as they come, and by an order."""
        owners = np.repeat(np.arange(len(self._keys)), np.diff(self._starts))
        places = np.arange(len(owners)) - self._starts[owners]
        ranked = self._postings[np.lexsort((orders[self._postings], owners))]
        with np.errstate(over="ignore"):
            weighed = names[self._postings] * (2 * places + 1).astype(np.uint64)
            weighed ^= names[ranked] * (4 * places + 3).astype(np.uint64)
            weighed = (weighed ^ (weighed >> np.uint64(31))) * _BASE
            return self._keys, np.add.reduceat(weighed, self._starts[:-1]) if len(owners) else weighed

    def whole(self, found: Sequence[Word], how: int) -> tuple[int, ...]:
        """Give the numbers of the names that a name may be, recognised in one way."""
        key = _key(found, how)
        if not key:
            return ()
        at = int(np.searchsorted(self._keys, np.uint64(key)))
        return self._names(at) if at < len(self._keys) and int(self._keys[at]) == key else ()

    def runs(self, found: Sequence[Word]) -> Iterator[Match]:
        """Find every run of words that is a name."""
        for begin in range(0, len(found), _WINDOW):
            for match in self._matches(found[begin : begin + _WINDOW + MAX_WORDS - 1]):
                if match.first < _WINDOW:
                    yield replace(match, first=match.first + begin, last=match.last + begin) if begin else match

    def _matches(self, found: Sequence[Word]) -> Iterator[Match]:
        for how, starts, lengths, keys in _runs(found):
            passed = np.flatnonzero(_sifted(self._bits, keys & self._mask))
            if not len(passed):
                continue
            wanted = keys[passed]
            at = np.searchsorted(self._keys, wanted)
            at[at == len(self._keys)] = 0
            same = self._keys[at] == wanted
            here = passed[same]
            found_at = zip(starts[here].tolist(), lengths[here].tolist(), at[same].tolist(), strict=True)
            for first, length, position in found_at:
                yield Match(first, first + length, how, self._names(position))

    def _names(self, at: int) -> tuple[int, ...]:
        return tuple(self._postings[self._starts[at] : self._starts[at + 1]].tolist())


@lru_cache(maxsize=400_000)
def number_of(word: str) -> int:
    """Number a word in its form for comparison below 2 to the 64, the same in every process."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=400_000)
def _numbers(word: str) -> tuple[int, int, int]:
    """Give a word's numbers: in order, in any order (0 for little words), and loosely (0 for what most names have)."""
    sense = loose(word)
    return number_of(word), 0 if word in LITTLE else number_of(word), number_of("~" + sense) if sense else 0


def _small_letter(found: Sequence[Word]) -> Iterator[int]:
    """Give the number by which hepatitis A is known as people type it, in small letters."""
    if any(word.normal == LETTER_A for word in found):
        yield _key([replace(word, normal="a") if word.normal == LETTER_A else word for word in found], ORDERED)


def _key(found: Sequence[Word], how: int) -> int:
    """Give the number of a name, the same as that of a run of the same words; 0 where it has none of this kind."""
    numbers = [_numbers(word.normal)[how] for word in found]
    if how == ORDERED:
        total, power = 0, 1
        for number in numbers:
            total += number * power
            power = power * int(_BASE) % (1 << 64)
    else:
        if sum(map(bool, numbers)) < 1 + (how == ANY_ORDER):
            return 0
        total = sum(numbers)
    return (total + int(_SALTS[how])) % (1 << 64)


def _runs(found: Sequence[Word]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]]:
    """Give the numbers of all runs of up to `MAX_WORDS` words, with where each begins and how long it is."""
    count = len(found)
    numbers = np.array([_numbers(word.normal) for word in found], np.uint64)
    with np.errstate(over="ignore"):
        powers = np.cumprod(np.append(np.uint64(1), np.full(count, _BASE)))
        inverses = np.cumprod(np.append(np.uint64(1), np.full(count, _INVERSE)))
        weighted = numbers.copy()
        weighted[:, ORDERED] *= powers[:count]
        sums = np.concatenate([np.zeros((1, 3), np.uint64), np.cumsum(weighted, axis=0, dtype=np.uint64)])
        counts = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(numbers != 0, axis=0)])
        starts = np.concatenate([np.arange(count - n + 1) for n in range(1, min(MAX_WORDS, count) + 1)])
        lengths = np.concatenate([np.full(count - n + 1, n) for n in range(1, min(MAX_WORDS, count) + 1)])
        ends = starts + lengths
        # A run in another order begins and ends with a word that counts.
        telling = numbers[:, ANY_ORDER] != 0
        edges = telling[starts] & telling[ends - 1]
        for how in (ORDERED, ANY_ORDER, LOOSE):
            keys = sums[ends, how] - sums[starts, how]
            if how == ORDERED:
                keys = keys * inverses[starts]
                here, there = starts, lengths
            else:
                kept = edges & (counts[ends, how] - counts[starts, how] > (how == ANY_ORDER))
                keys, here, there = keys[kept], starts[kept], lengths[kept]
            yield how, here, there, keys + _SALTS[how]


def _sieve(keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Set a bit for each key, so that most words that are no names need no search."""
    size = 1 << max(16, int(len(keys) * _BITS_A_KEY).bit_length())
    bits = np.zeros(size // 8, np.uint8)
    low = keys & np.uint64(size - 1)
    np.bitwise_or.at(
        bits, (low >> np.uint64(3)).astype(np.int64), (np.uint8(1) << (low & np.uint64(7)).astype(np.uint8))
    )
    return bits


def _sifted(bits: NDArray[np.uint8], low: NDArray[np.uint64]) -> NDArray[np.bool_]:
    passed: NDArray[np.bool_] = (
        bits[(low >> np.uint64(3)).astype(np.int64)] >> (low & np.uint64(7)).astype(np.uint8)
    ) & 1 == 1
    return passed
