"""UMLS Metathesaurus in Rich Release Format: the folder META that MetamorphoSys writes (nlm.nih.gov/research/umls).

`MRCONSO`, `MRSTY` and `MRSAB` are needed; `MRDEF`, `MRREL`, `MRRANK`, `MRDOC` and `MRFILES` are read where they are,
each as `.RRF` or `.RRF.gz`. They are sorted by concept, as released, and read side by side, so that memory stays flat.

Each vocabulary is a part of the source, such as `umls-msh`, named after what `--as` calls the source, with its version
and its licence level (SRL), and states its own names, definitions and relations. The source `umls` itself states a
concept's semantic types and preferred name, and that only out of vocabularies of level 0. By default no others are
taken: what levels 1 to 4 and 9 allow depends on who asks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ....schema.records import Relation, SourceInfo
from ... import polarity
from ...base import INFOS, Item, Reject, Remark, Source, made
from ...mending import LeftOut
from .concepts import TAKEN, Concepts, VocabularyChoice, choose, parts
from .rrf import TABLE, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["umls"]

_RELEASE: Final = re.compile(r"umls\.release\.name=(\d{4}[A-Z]{2})")
# Of the rows of which one record comes: about two names an entity, and every relation twice.
_ROW_BYTES: Final = {"MRCONSO": 260, "MRREL": 450}

_COLUMNS: Final = "CUI1 REL CUI2 RELA SAB DIR SUPPRESS"

# Relation type, what the UMLS calls it, and the inverse of that; `X word Y` is a relation from X to Y.
_PAIRS: Final = tuple((kind, *pair.split("/")) for kind, pairs in TABLE["relation"].items() for pair in pairs)
# Relationship that is taken → our relation type; others that are taken are `RELATED_TO`.
_TYPES: Final = {word: kind for kind, word, _ in _PAIRS}
_INVERSES: Final = {word: inverse for _, word, inverse in _PAIRS} | {inverse: word for _, word, inverse in _PAIRS}
# Relationships whose type says all, so that they need no predicate.
_PLAIN: Final = frozenset({"isa", "part_of", "treats", "develops_from", "has_member", "interacts_with", "regulates"})
_UNWANTED: Final = frozenset({"XR", "DEL"})  # what relates nothing: not related, no mapping; deleted


def records(
    path: Path, *, languages: str = "ENG", vocabularies: str = "all", levels: str = "0", name: str = INFO.id
) -> Iterator[Item]:
    """Read the folder `META`, or the one that it is in; `SOURCE` says what the options are.

    Yields the facts of each part; entities, for a concept first what `umls` and then what each vocabulary says;
    relations; rejects for what cannot be used, and remarks on what was left out.
    """
    choice = choose(languages, vocabularies, levels, name)
    meta = Meta(path)
    yield from meta.whole()
    yield from parts(meta, choice, _release(meta))
    concepts = Concepts(meta, choice)
    yield from concepts.records()
    yield from _Relations(meta, choice, concepts.seen).records()
    for table in ("MRDEF", "MRREL"):
        if (file := meta.file(table)) is None or not file.stat().st_size:
            yield Remark(str(meta.folder), 1, f"has no {table}.RRF, or an empty one; what it would say is missing")
    yield from choice.remarks(str(meta.folder))
    yield from meta.unread()


def describe(path: Path) -> SourceInfo:
    """Read the release, such as `2026AA`, of a folder of the Metathesaurus."""
    return replace(INFO, version=_release(Meta(path)))


def _release(meta: Meta) -> str:
    """Give the release that MetamorphoSys notes, or the last one in which a vocabulary came in."""
    for note in (meta.folder / "release.dat", meta.folder.parent / "release.dat"):
        if note.is_file() and (found := _RELEASE.search(note.read_text(encoding="utf-8", errors="replace"))):
            return found[1]
    rows = (item for item in meta.rows("MRSAB", "RSAB IMETA") if not isinstance(item, Reject))
    return max((cells[1] for _, cells in rows), default="") or INFO.version


def _estimate(path: Path) -> int:
    meta = Meta(path)
    files = {name: file for name in _ROW_BYTES if (file := meta.file(name))}
    packed = {name: 8 if file.suffix == ".gz" else 1 for name, file in files.items()}
    return sum(file.stat().st_size * packed[name] // _ROW_BYTES[name] for name, file in files.items())


SOURCE: Final = Source(
    INFO,
    records,
    _estimate,
    order=13,
    describe=describe,
    recognise=lambda path: path.is_dir() and bool(Meta(path)),
    names_parts=True,
    options={
        "languages": "languages of names as in LAT, the preferred one first, or all (default ENG)",
        "vocabularies": "vocabularies as in SAB, such as MSH,RXNORM, or all (default all)",
        "levels": "licence levels as in SRL, 0 to 4 and 9, or all (default 0)",
    },
)


class _Relations:
    """Reads relationships of MRREL, which go from the second concept to the first.

    MRREL gives each one twice, from either end. Which of the two becomes a relation is fixed by their names: the one in
    our table, else the one of a pair in MRDOC that does not end with `_of` or `_by`, else the first by the alphabet.
    Where both have one name it is the one that starts at the smaller CUI; where MRDOC does not pair them, the one that
    the vocabulary states (DIR). `seen` has what is known of each concept, from `Concepts`.
    """

    def __init__(self, meta: Meta, choice: VocabularyChoice, seen: bytearray) -> None:
        self._meta = meta
        self._choice = choice
        self._seen = seen
        self._file = str(meta.file("MRREL"))
        self._directions: dict[str, bool | None] = {}
        self._inverses: dict[str, str] = {}
        self._lost: list[tuple[int, str]] = []
        self._lost_count = 0
        self._denied = LeftOut()

    def records(self) -> Iterator[Item]:
        yield from self._load_inverses()
        first = ""
        given: dict[tuple[str, str], set[str]] = {}
        for item in self._meta.sorted_rows("MRREL", _COLUMNS):
            if isinstance(item, Reject):
                yield item
                continue
            line, (one, rel, two, rela, vocabulary, stated, suppressed) = item
            if one != first:
                first, given = one, {}
            word = rela or rel
            if self._is_wanted(line, one, rel, two, suppressed) and self._is_direction(word, stated, two < one):
                part = self._choice.part(vocabulary)
                others = given.setdefault((vocabulary, word), set())
                if part and two not in others:
                    others.add(two)
                    if why := polarity.denial(word):
                        self._denied.add(why, f"UMLS:{two} {word} UMLS:{one}", self._file, line)
                    else:
                        yield self._row(line, one, two, word, part.id)
        for line, concept in self._lost:
            more = f", and {self._lost_count - 1:,} rows more like it" if self._lost_count > 1 else ""
            yield Reject(self._file, line, f"{concept} is not in MRCONSO{more}; take all files from one release")
        yield from self._denied.remarks()

    def _load_inverses(self) -> Iterator[Reject]:
        for item in self._meta.rows("MRDOC", "VALUE TYPE EXPL"):
            if isinstance(item, Reject):
                yield item
            elif item[1][1] in {"rela_inverse", "rel_inverse"}:
                self._inverses[item[1][0]] = item[1][2]
        self._inverses |= _INVERSES

    def _is_wanted(self, line: int, one: str, rel: str, two: str, suppressed: str) -> bool:
        if one == two:
            self._choice.left_out["rows of MRREL left out: they relate a concept to itself"] += 1
        elif suppressed != "N":
            self._choice.left_out["rows of MRREL left out: suppressed (SUPPRESS is not N)"] += 1
        elif rel in _UNWANTED:
            self._choice.left_out["rows of MRREL left out: they say that nothing is related (XR, DEL)"] += 1
        else:
            states = [self._state(concept) for concept in (one, two)]
            if min(states) == TAKEN:
                return True
            if min(states):
                self._choice.left_out["rows of MRREL left out: one of their concepts was left out"] += 1
            else:
                self._lost = self._lost or [(line, one if not states[0] else two)]
                self._lost_count += 1
        return False

    def _state(self, concept: str) -> int:
        return self._seen[int(concept[1:])] if concept[1:].isdecimal() and len(concept) == 8 else 0

    def _is_direction(self, word: str, stated: str, is_smaller: bool) -> bool:
        if word not in self._directions:
            self._directions[word] = _is_taken(word, self._inverses.get(word))
        taken = self._directions[word]
        if taken is None and word not in self._inverses and stated in {"Y", "N"}:
            return stated == "Y"
        return is_smaller if taken is None else taken

    def _row(self, line: int, one: str, two: str, word: str, part: str) -> Item:
        predicate = "" if word in _PLAIN else word
        said = (f"UMLS:{two}", _TYPES.get(word, "RELATED_TO"), f"UMLS:{one}", predicate)
        return made(self._file, line, Relation, *said, source=part)


def _is_taken(word: str, inverse: str | None) -> bool | None:
    """Tell whether MRREL's direction of this word becomes a relation; None where either will do."""
    if inverse is None or inverse == word:
        return None
    if word in _TYPES or inverse in _TYPES:
        return word in _TYPES
    backwards, other = (one.startswith("inverse_") or one.endswith(("_of", "_by")) for one in (word, inverse))
    return other if backwards != other else word < inverse
