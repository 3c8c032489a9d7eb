"""Sort what a source yields: what is new and sound into CSV files, the rest for the ordinary way."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from ...schema.records import Document, Entity, Relation, SourceInfo, Withdrawal, content_hash
from ..base import Reject, Row
from ..life.compare import no_entity
from ..life.kinds import RELATIONS
from ..life.outcome import Counts
from ..life.write import MOST_LACKED
from . import record_lines
from .import_files import OddError, arguments, text
from .membership import Exact, Likely, hashes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ..base import Item, Remark

    Numbered = list[tuple[int, Row]]
    Rejects = list[tuple[int, Reject]]

LOAD: Final = 1
"""The id of a load into an empty graph."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What became of a file's items.

    Attributes:
        counts: How many there were, of which those that are in CSV files count as added.
        left: How many are left for the ordinary way.
        parts: By id, what the source says of its parts.
        lacked: The first of the entities whose lack made it reject records.
    """

    counts: Counts
    left: int
    parts: Mapping[str, SourceInfo]
    lacked: Sequence[str]


class Sorter:
    """Sorts batches of items, each of one kind, into files.

    Args:
        folder: Where the files are.
        source: The id of the source that is loaded.
    """

    def __init__(self, folder: Path, source: str) -> None:
        self._counts = Counts()
        self._clean = 0
        self._parts: dict[str, SourceInfo] = {}
        self._source = source
        self._folder = folder
        self._books = record_lines.books(folder)
        self._left = (folder / "left.pickle").open("wb")
        self._left_count = 0
        self._entities = Exact()
        self._others = Likely()
        # Entities that are new and yet left for the ordinary way: what points to them has to follow.
        self._late: set[int] = set()
        self._concepts = bytearray(10_000_000 // 8)
        self._sources: set[str] = set()
        self._lacked: dict[str, None] = {}

    def sort(self, batch: Sequence[Item]) -> list[tuple[int, Reject | Remark]]:
        """Sort a batch.

        Args:
            batch: Items whose records are of one kind.

        Returns:
            What is to be listed, each with its number in the file.
        """
        start = self._counts.position
        listed: list[tuple[int, Reject | Remark]] = []
        rows: list[tuple[int, Row]] = []
        for number, item in enumerate(batch, start):
            if isinstance(item, Row):
                rows.append((number, item))
            else:
                listed.append((number, item))
        if rows:
            sort = {
                Entity: self._sort_entities,
                Relation: self._sort_relations,
                Document: self._sort_documents,
                Withdrawal: self._sort_documents,
                SourceInfo: self._sort_parts,
            }.get(type(rows[0][1].record), self._leave_all)
            rejects = sort(rows)
            listed.extend(rejects)
            self._lacked |= dict.fromkeys(reject.lacks for _, reject in rejects[: MOST_LACKED - len(self._lacked)])
            for book in self._books.values():
                book.flush()
        rejected = sum(1 for _, item in listed if isinstance(item, Reject))
        self._counts += Counts(position=len(batch), rejected=rejected, remarks=len(listed) - rejected)
        return listed

    @property
    def sorted(self) -> Sorted:
        """What became of all items so far."""
        counts = self._counts + Counts(added=self._clean)
        return Sorted(counts, self._left_count, MappingProxyType(self._parts), tuple(self._lacked))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._left.close()
        for book in self._books.values():
            book.close()

    def finish(self) -> list[str]:
        """Close all files.

        Returns:
            What the importer has to be told.
        """
        self._left.close()
        for source in (self._source, *self._parts):
            self._books["source"].add(text(source))
        self._books["source"].flush()
        return arguments(self._books.values())

    def left(self) -> Iterator[tuple[int, Row]]:
        """Give what is left for the ordinary way.

        Yields:
            Rows, each with its number in the file.
        """
        with (self._folder / "left.pickle").open("rb") as file:
            for _ in range(self._left_count):
                yield pickle.load(file)  # noqa: S301 - a file of our own, in a folder of our own

    def _leave(self, number: int, row: Row) -> None:
        pickle.dump((number, row), self._left, pickle.HIGHEST_PROTOCOL)
        self._left_count += 1

    def _leave_all(self, rows: Numbered) -> Rejects:
        for number, row in rows:
            self._leave(number, row)
        return []

    def _sort_entities(self, rows: Numbered) -> Rejects:
        hashes = hashes_of(row.record.id for _, row in rows)  # type: ignore[union-attr]
        new = self._entities.add(hashes).tolist()
        for (number, row), fresh, hashed in zip(rows, new, hashes.tolist(), strict=True):
            entity = row.record
            assert isinstance(entity, Entity)
            if fresh:
                try:
                    self._books["entity"].add(
                        record_lines.entity(entity, row.source, content_hash(entity), LOAD), entity.properties
                    )
                    if entity.concepts:
                        self._link_concepts(entity, row.source)
                    self._clean += 1
                    continue
                except OddError:
                    self._late.add(hashed)
            self._leave(number, row)
        return []

    def _link_concepts(self, entity: Entity, source: str) -> None:
        for cui in dict.fromkeys(entity.concepts):
            place, bit = divmod(int(cui[1:]), 8)
            if not self._concepts[place] & (1 << bit):
                self._concepts[place] |= 1 << bit
                self._books["concept"].add(text(cui))
            self._books["cui"].add(record_lines.concept_link(entity, cui, source))

    def _sort_relations(self, rows: Numbered) -> Rejects:
        subjects = hashes_of(row.record.subject for _, row in rows)  # type: ignore[union-attr]
        objects = hashes_of(row.record.object for _, row in rows)  # type: ignore[union-attr]
        new = self._others.add(hashes_of(RELATIONS.key(row) for _, row in rows))
        sound = self._entities.has(subjects) & self._entities.has(objects)
        if self._late:
            late = np.fromiter(self._late, np.int64)
            new &= ~(np.isin(subjects, late) | np.isin(objects, late))
        rejects: Rejects = []
        add = self._books["relation"].add
        for (number, row), whole, fresh in zip(rows, sound.tolist(), new.tolist(), strict=True):
            relation = row.record
            assert isinstance(relation, Relation)
            if not whole:
                rejects.append((number, self._dangling(row, relation)))
                continue
            if fresh:
                try:
                    add(record_lines.relation(relation, row.source, content_hash(relation), LOAD), relation.properties)
                    self._clean += 1
                    continue
                except OddError:
                    pass
            self._leave(number, row)
        return rejects

    def _dangling(self, row: Row, relation: Relation) -> Reject:
        """Reject what points to an entity that surely has not come yet."""
        ends = (relation.subject, relation.object)
        missing = [end for end in ends if not self._entities.has(hashes_of([end]))[0]]
        return no_entity(row, missing[0])

    def _sort_documents(self, rows: Numbered) -> Rejects:
        keys = [record_lines.names(row.record) for _, row in rows]
        fresh = self._others.add(hashes_of(chain.from_iterable(keys))).tolist()
        at = 0
        for (number, row), names in zip(rows, keys, strict=True):
            end = at + len(names)
            if isinstance(row.record, Document) and all(fresh[at:end]) and self._add_document(row.record, row.source):
                self._clean += 1
            else:
                self._leave(number, row)
            at = end
        return []

    def _add_document(self, document: Document, source: str) -> bool:
        about = list(dict.fromkeys(document.about))
        hashes = hashes_of(about)
        if self._late.intersection(hashes.tolist()):
            return False
        known = [entity for entity, there in zip(about, self._entities.has(hashes).tolist(), strict=True) if there]
        try:
            (name, page), *others = record_lines.document(document, source, known, LOAD)
            self._books[name].add(page, document.properties)
        except OddError:
            return False
        for name, line in others:
            self._books[name].add(line)
        return True

    def _sort_parts(self, rows: Numbered) -> Rejects:
        for number, row in rows:
            info = row.record
            assert isinstance(info, SourceInfo)
            if info.id == self._source or info.id in self._parts:
                self._leave(number, row)
            else:
                self._parts[info.id] = info
                self._clean += 1
        return []
