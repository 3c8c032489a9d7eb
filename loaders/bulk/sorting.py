"""Sort what a source yields: what is new and sound into CSV files, the rest for the ordinary way.

What ids and keys a file had so far is kept in little memory, as Python's hashes of 64 bits, which differ between
processes.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from ...errors import InputError
from ...schema.records import Document, Entity, Relation, SourceInfo, Withdrawal, content_hash_of
from ..base import Reject, Row
from ..life.compare import no_entity
from ..life.outcome import Counts
from ..life.write import MOST_LACKED
from . import record_lines
from .record_lines import OddError, arguments, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from .record_lines import Listed, Packed, Sheet, Values

    Hashes = NDArray[np.int64]
    Truths = NDArray[np.bool_]
    Rejects = list[tuple[int, Reject]]

LARGEST: Final = 1 << 24  # Places of an `Exact` at most: 128 MiB
_FULL: Final = 0.8
_SLICE: Final = 1 << 20
_PROBES: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)


def hashes_of(keys: Iterable[Any]) -> Hashes:
    """Hash keys; no hash is 0."""
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
        """Add hashes; tell which are new, of equal ones the first at most. An `InputError` where more come than fit."""
        unique, first = np.unique(hashes, return_index=True)
        new = first[~self.has(unique)]
        count = self._count + len(new)
        if count > _FULL * LARGEST:
            said = f"the file has more than {int(_FULL * LARGEST):,} entities, too many for one bulk load"
            raise InputError(f"{said}; load it without --bulk")
        while count > len(self._table) * (_FULL if len(self._table) == LARGEST else _FULL / 2):
            old = self._table
            self._table = np.zeros(2 * len(old), np.int64)
            for start in range(0, len(old), _SLICE):
                part = old[start : start + _SLICE]
                self._place(part[part != 0])
        self._place(hashes[new])
        self._count += len(new)
        return _chosen(len(hashes), new)

    def _place(self, hashes: Hashes) -> None:
        mask = len(self._table) - 1
        at = hashes & mask
        while hashes.size:
            free = self._table[at] == 0
            self._table[at[free]] = hashes[free]
            # Of several that want the same place, the last has it.
            left = self._table[at] != hashes
            hashes, at = hashes[left], (at[left] + 1) & mask


class Likely:
    """A Bloom filter of `2 ** bits` bits: of what was never added, it takes a few for known; it never grows."""

    def __init__(self, bits: int = 29) -> None:
        self._shift = np.uint64(64 - bits)
        self._bytes = np.zeros(1 << (bits - 3), np.uint8)

    def add(self, hashes: Hashes) -> Truths:
        """Add hashes; tell which were surely not there before, of equal ones the first at most."""
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


LOAD: Final = 1  # The id of a load into an empty graph
LEFT: Final = "left.pickle"  # The file of what is left for the ordinary way


@dataclass(frozen=True, slots=True)
class Sorted:
    """What became of a file's items: those in CSV files count as added, and so many are `left` for the ordinary way.

    By id it has what the source says of its parts, and the first of the entities whose lack made it reject records.
    """

    counts: Counts
    left: int
    parts: Mapping[str, SourceInfo]
    lacked: Sequence[str]


class Sorter:
    """Sorts batches of items, each of one kind, into files."""

    def __init__(self, folder: Path, source: str) -> None:
        self._counts = Counts()
        self._clean = 0
        self._parts: dict[str, SourceInfo] = {}
        self._source = source
        self._folder = folder
        self._books = record_lines.books(folder)
        self._left = (folder / LEFT).open("wb")
        self._left_count = 0
        self._entities = Exact()
        self._others = Likely()
        # Entities that are new and yet left for the ordinary way: what points to them has to follow.
        self._late: set[int] = set()
        self._concepts = bytearray(10_000_000 // 8)
        self._sources: set[str] = set()
        self._lacked: dict[str, None] = {}

    def sort(self, batch: Packed) -> Listed:
        """Sort a batch; give what is to be listed, each with its number in the file."""
        rejects: Rejects = []
        if batch.kind is not None:
            sort = {
                Entity: self._sort_entities,
                Relation: self._sort_relations,
                Document: self._sort_documents,
                Withdrawal: self._sort_documents,
                SourceInfo: self._sort_parts,
            }.get(batch.kind, self._leave_all)
            rejects = sort(batch)
            self._lacked |= dict.fromkeys(reject.lacks for _, reject in rejects[: MOST_LACKED - len(self._lacked)])
            for sheet in self._sheets():
                sheet.flush()
        listed = [*batch.listed, *rejects]
        rejected = sum(1 for _, item in listed if isinstance(item, Reject))
        self._counts += Counts(position=batch.size, rejected=rejected, remarks=len(listed) - rejected)
        return listed

    @property
    def sorted(self) -> Sorted:
        """What became of all items so far."""
        counts = self._counts + Counts(added=self._clean)
        return Sorted(counts, self._left_count, self._parts, tuple(self._lacked))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._left.close()
        for sheet in self._sheets():
            sheet.close()

    def _sheets(self) -> Iterator[Sheet]:
        return (sheet for book in self._books.values() for sheet in book.sheets)

    def finish(self) -> list[str]:
        """Close all files; give what the importer has to be told."""
        self._left.close()
        for source in (self._source, *self._parts):
            self._books["source"].add(text(source))
        for sheet in self._sheets():
            sheet.flush()
        return arguments(self._books.values())

    def _leave(self, batch: Packed, place: int) -> None:
        pickle.dump((batch.numbers[place], batch.row(place)), self._left, pickle.HIGHEST_PROTOCOL)
        self._left_count += 1

    def _leave_all(self, batch: Packed) -> Rejects:
        for place in range(len(batch.records)):
            self._leave(batch, place)
        return []

    def _sort_entities(self, batch: Packed) -> Rejects:
        hashes = hashes_of([values[0] for values in batch.records])
        new = self._entities.add(hashes).tolist()
        for place, (values, source, fresh) in enumerate(zip(batch.records, batch.sources, new, strict=True)):
            if fresh and self._takes(self._write_entity, values, source):
                continue
            if fresh:
                self._late.add(hashes[place].item())
            self._leave(batch, place)
        return []

    def _takes(self, write: Callable[..., None], *record: Any) -> bool:
        """Write a record, and tell whether the importer stores it as a statement does."""
        try:
            write(*record)
        except OddError:
            return False
        self._clean += 1
        return True

    def _write_entity(self, values: Values, source: str) -> None:
        line = record_lines.entity(values, source, content_hash_of(Entity, values), LOAD)
        self._books["entity"].add(line, values[-1])
        for cui, link in record_lines.concept_links(values, source):
            place, bit = divmod(int(cui[1:]), 8)
            if not self._concepts[place] & (1 << bit):
                self._concepts[place] |= 1 << bit
                self._books["concept"].add(text(cui))
            self._books["cui"].add(link)

    def _sort_relations(self, batch: Packed) -> Rejects:
        subjects, types, objects, predicates = islice(zip(*batch.records, strict=True), 4)
        starts, ends = hashes_of(subjects), hashes_of(objects)
        new = self._others.add(hashes_of(zip(batch.sources, subjects, types, objects, predicates, strict=True)))
        sound = self._entities.has(starts) & self._entities.has(ends)
        if self._late:
            late = np.fromiter(self._late, np.int64)
            new &= ~(np.isin(starts, late) | np.isin(ends, late))
        rejects: Rejects = []
        judged = zip(batch.records, batch.sources, sound.tolist(), new.tolist(), strict=True)
        for place, (values, source, whole, fresh) in enumerate(judged):
            if not whole:
                # Reject what points to an entity that surely has not come yet.
                row = batch.row(place)
                subject, _, object_, *_ = values
                missing = [end for end in (subject, object_) if not self._entities.has(hashes_of([end]))[0]]
                rejects.append((batch.numbers[place], no_entity(row, missing[0])))
            elif not (fresh and self._takes(self._write_relation, values, source)):
                self._leave(batch, place)
        return rejects

    def _write_relation(self, values: Values, source: str) -> None:
        line = record_lines.relation(values, source, content_hash_of(Relation, values), LOAD)
        self._books["relation"].add(line, values[-1])

    def _sort_documents(self, batch: Packed) -> Rejects:
        keys = [record_lines.names(record) for record in batch.records]
        fresh = self._others.add(hashes_of(chain.from_iterable(keys))).tolist()
        at = 0
        for place, (record, names) in enumerate(zip(batch.records, keys, strict=True)):
            end = at + len(names)
            sound = isinstance(record, Document) and all(fresh[at:end])
            if not (sound and self._takes(self._write_document, record, batch.sources[place])):
                self._leave(batch, place)
            at = end
        return []

    def _write_document(self, document: Document, source: str) -> None:
        about = list(dict.fromkeys(document.about))
        hashes = hashes_of(about)
        if self._late.intersection(hashes.tolist()):
            raise OddError
        known = [entity for entity, there in zip(about, self._entities.has(hashes).tolist(), strict=True) if there]
        (name, page), *others = record_lines.document(document, source, known, LOAD)
        self._books[name].add(page, document.properties)
        for name, line in others:
            self._books[name].add(line)

    def _sort_parts(self, batch: Packed) -> Rejects:
        for place, info in enumerate(batch.records):
            if info.id == self._source or info.id in self._parts:
                self._leave(batch, place)
            else:
                self._parts[info.id] = info
                self._clean += 1
        return []


def read_left(folder: Path, count: int) -> Iterator[tuple[int, Row]]:
    """Give the rows that a sorter has left for the ordinary way, each with its number in the file."""
    with (folder / LEFT).open("rb") as file:
        for _ in range(count):
            yield pickle.load(file)  # noqa: S301 - a file of our own, in a folder of our own
