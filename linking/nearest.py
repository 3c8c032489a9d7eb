"""Entities that nothing joins, and whose names are near to each other by their vectors: a curator decides on them.

Vectors put `type 1` beside `type 2` and hyper- beside hypo-, so names that differ by a word which makes something else
of a thing are left out, however near they are. Of what is left each group of entities has its nearest, and the two wait
where each is the other's. Vectors of names are kept in a file, so that only new names are encoded.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ..files import write_whole
from ..patterns import threshold
from ..progress import progress
from ..schema.prefixes import is_list
from .lexicon import Texts, text_at
from .pairing import NARROWING, EntityPair, Member, bare_name, is_telling
from .spelling import opposite
from .words import loose, normalise, word_list, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from .joining import JoinedGroups

    Vectors = Callable[[Sequence[str]], NDArray[np.float32]]

    """Gives unit vectors of texts, each text once."""

    Holders = dict[str, list[Member]]

METHOD: Final = "embedding"  # how such a pair was found
LEAST: Final = threshold("linking.nearest.least")
_BETWEEN: Final = " ~ "  # stands between the two names that a pair rests on
_BLOCK: Final = 512  # names compared with all others of a vocabulary at a time
# Likeness in percent from which on two words that begin otherwise are taken for one another by mistake.
_LIKE: Final = 70.0
_ENDING: Final = 4  # letters in which the forms of a word differ
_KINDS: Final = NARROWING | frozenset(loose(normalise(word)) for word in word_list("distinct"))
# Words before which stands which one of several it is.
_SERIES: Final = frozenset({"type", "form", "variant", "subtype"})
_MARK: Final = re.compile(r".|.*\d.*|[ivx]+")  # a number or a letter, which tells one of a series from the next


class UnknownPairs:
    """Tells of which groups nothing is known for or against their being the same: no evidence, and no decision."""

    def __init__(
        self, members: Mapping[str, Member], joined: JoinedGroups, decided: Iterable[tuple[str, str]] = ()
    ) -> None:
        self._group = {key: number for number, group in enumerate(joined.groups) for key in group}
        self._terms = [{members[key].term for key in group} - {""} for group in joined.groups]
        known = [*joined.alike, *(refused.pair for refused in joined.refused)]
        said = [(pair.one, pair.other) for pair in known]
        said += [ids for ids in decided if self._group.keys() >= set(ids)]
        self._said = {self._numbers(*ids) for ids in said}

    def groups(self, one: str, other: str) -> tuple[int, int] | None:
        """Give the groups of two entities, the lower first, if nothing speaks for or against their being the same."""
        numbers = self._numbers(one, other)
        first, second = numbers
        if first == second or numbers in self._said or self._terms[first] & self._terms[second]:
            return None
        return numbers

    def _numbers(self, one: str, other: str) -> tuple[int, int]:
        first, second = sorted((self._group[one], self._group[other]))
        return first, second


def nearest(
    members: Mapping[str, Member], untold: UnknownPairs, vectors: Vectors, least: float = LEAST
) -> list[EntityPair]:
    """Find entities of one category and different sources whose names are nearest, by cosines of at least `least`.

    Of each two groups of entities there is one pair, and of each group one, the nearest first.
    """
    found: dict[tuple[int, int], EntityPair] = {}
    for pair in _near(_holders(members), vectors, least):
        groups = untold.groups(pair.one, pair.other)
        if groups and pair < found.get(groups, _FARTHEST):
            found[groups] = pair
    best: dict[int, EntityPair] = {}
    for groups, pair in found.items():
        for group in groups:
            best[group] = min(pair, best.get(group, _FARTHEST))
    return sorted(pair for (one, other), pair in found.items() if best[one] is pair and best[other] is pair)


_FARTHEST: Final = EntityPair(1.0, "", "", METHOD, "", 0.0)


def still_near(
    members: Mapping[str, Member], untold: UnknownPairs, noted: Iterable[Mapping[str, Any]]
) -> list[EntityPair]:
    """Give those of the pairs `noted` before, the nearest first, that still wait by these names."""
    kept = []
    for row in noted:
        one, other = members.get(row["one"]), members.get(row["other"])
        if one is None or other is None or one.obsolete or other.obsolete or one.group != other.group:
            continue
        called = {f"{mine}{_BETWEEN}{theirs}" for mine in _names(one) for theirs in _names(other)}
        if row["evidence"] in called and untold.groups(one.id, other.id):
            kept.append(EntityPair(-row["score"], one.id, other.id, METHOD, row["evidence"], row["score"]))
    return sorted(kept)


def _holders(members: Mapping[str, Member]) -> dict[str, dict[str, Holders]]:
    """Sort names: category → vocabulary → name in small letters → who has it."""
    held: dict[str, dict[str, Holders]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for member in members.values():
        for name in _names(member) if not member.obsolete else ():
            if is_telling(name):
                held[member.group][member.vocabulary][name.lower()].append(member)
    return {group: of for group, of in held.items() if len(of) > 1}


def _names(member: Member) -> tuple[str, ...]:
    """Give the names of an entity that are its own: lists add those of broader and narrower things."""
    if is_list(member.vocabulary):
        return tuple(dict.fromkeys((member.name, bare_name(member))))
    return tuple(dict.fromkeys((member.name, *member.synonyms)))


def _near(held: Mapping[str, Mapping[str, Holders]], vectors: Vectors, least: float) -> Iterator[EntityPair]:
    """Give all pairs of entities with names that are near, and that no word of theirs tells apart."""
    names = sorted({name for of in held.values() for holders in of.values() for name in holders})
    row = {name: number for number, name in enumerate(names)}
    known = vectors(names)
    pairs = [(few, many) for of in held.values() for few, many in combinations(sorted(of.values(), key=len), 2)]
    with progress("comparing names", "name", sum(len(few) for few, _ in pairs)) as bar:
        for few, many in pairs:
            here, there = list(few), list(many)
            theirs = known[[row[name] for name in there]].T
            for start in range(0, len(here), _BLOCK):
                part = here[start : start + _BLOCK]
                cosines = known[[row[name] for name in part]] @ theirs
                for mine, their in zip(*np.nonzero(cosines >= least), strict=True):
                    score = round(min(float(cosines[mine, their]), 1.0), 4)
                    yield from _pairs(few[part[mine]], many[there[their]], part[mine], there[their], score)
                bar.update(len(part))


def _pairs(
    ones: Iterable[Member], others: Sequence[Member], name: str, other_name: str, score: float
) -> Iterator[EntityPair]:
    for one, other in product(ones, others):
        # Two synonyms may both be those of something broader or narrower.
        if name != one.name.lower() and other_name != other.name.lower():
            continue
        first, second = sorted(((one.id, _written(one, name)), (other.id, _written(other, other_name))))
        if not are_distinct(first[1], second[1]):
            evidence = _BETWEEN.join((first[1], second[1]))
            yield EntityPair(-score, first[0], second[0], METHOD, evidence, score)


def _written(member: Member, name: str) -> str:
    return next(written for written in _names(member) if written.lower() == name)


def are_distinct(one: str, other: str) -> bool:
    """Tell whether the words of two names show that they are not those of one thing.

    One has all words of the other and more, they differ by a number, by a word that makes a kind of a thing, or by
    words with opposite meanings, or a word looks like one of the other and is none.
    """
    mine, theirs = _telling(one), _telling(other)
    more, instead = mine.keys() - theirs.keys(), theirs.keys() - mine.keys()
    if not more or not instead:
        return bool(more or instead)
    differing = more | instead
    if differing & _KINDS or any(_MARK.fullmatch(word) for word in differing):
        return True
    types = _types(one), _types(other)
    if all(types) and types[0] != types[1]:
        return True
    if any(word.endswith("itis") for word in differing) and not (_inflamed(more) and _inflamed(instead)):
        return True
    pairs = ((mine[word], theirs[meant]) for word in more for meant in instead)
    return any(opposite(word, meant) or _looks_like(word, meant) for word, meant in pairs)


def _telling(name: str) -> dict[str, str]:
    """Give the words that tell a name from others: in their loose form, and in their form for comparison."""
    return {telling: word.normal for word in words(name) if (telling := loose(word.normal))}


def _inflamed(differing: Iterable[str]) -> bool:
    return any(word.endswith("itis") or word.startswith("inflam") for word in differing)


def _types(name: str) -> set[str]:
    """Give the words behind which `type` stands: the Shohat type, the Pakistani type."""
    normals = [word.normal for word in words(name)]
    return {loose(word) for word, behind in pairwise(normals) if behind in _SERIES} - {""}


def _looks_like(word: str, other: str) -> bool:
    """Tell whether two words are spelt much alike and are no forms of one: fibrous and fibromuscular, -al and -itis."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import Prefix

    if word.endswith(other) or other.endswith(word):
        return True
    if fuzz.ratio(word, other) < _LIKE:
        return False
    return max(len(word), len(other)) - Prefix.similarity(word, other) > _ENDING


_BATCH: Final = 2048  # names encoded at a time


class Encoder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """A name that stays the same as long as the vectors do."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length, in their order."""


class NameVectors:
    """Gives the vectors of names, kept in a file in half precision; those of another encoder are not used."""

    def __init__(self, file: Path, encoder: Encoder) -> None:
        self._file = file
        self._encoder = encoder

    def __call__(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Give names' vectors, in their order, and keep these alone; what was encoded before a break is kept."""
        known = self._kept()
        new = [name for name in names if name not in known]
        if not new and len(known) == len(names):
            return _stacked(known, names)
        try:
            with progress("embedding names", "name", len(new)) as bar:
                for start in range(0, len(new), _BATCH):
                    part = new[start : start + _BATCH]
                    known.update(zip(part, self._encoder.encode(part).astype(np.float16), strict=True))
                    bar.update(len(part))
        except BaseException:
            self._keep(known)
            raise
        self._keep({name: known[name] for name in names})
        return _stacked(known, names)

    def _kept(self) -> dict[str, NDArray[np.float16]]:
        """Read what was kept; nothing where it is of another encoder, or damaged."""
        try:
            with self._file.open("rb") as file, np.load(file) as kept:
                if str(kept["model"]) != self._encoder.name:
                    return {}
                texts, ends, vectors = kept["texts"], kept["ends"], kept["vectors"]
                return {text_at(texts, ends, row): vectors[row] for row in range(len(vectors))}
        except (OSError, ValueError, KeyError, IndexError, zipfile.BadZipFile):
            return {}

    def _keep(self, known: dict[str, NDArray[np.float16]]) -> None:
        if not known:
            return
        names = Texts()
        for name in known:
            names.add(name)
        texts, ends = names.packed()
        data = io.BytesIO()
        vectors = np.stack(list(known.values()))
        np.savez(data, model=np.array(self._encoder.name), texts=texts, ends=ends, vectors=vectors)
        write_whole(self._file, data.getvalue())


def _stacked(known: dict[str, NDArray[np.float16]], names: Sequence[str]) -> NDArray[np.float32]:
    return np.stack([known[name] for name in names]).astype(np.float32) if names else np.zeros((0, 1), np.float32)
