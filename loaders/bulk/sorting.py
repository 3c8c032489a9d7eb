"""Sort what a source yields: what is new and sound into CSV files, the rest for the ordinary way."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from ...schema.records import Document, Entity, Relation, SourceInfo, content_hash
from ..base import Reject, Remark, Row
from ..life import kinds
from ..life.compare import no_entity
from . import record_lines
from .import_files import OddError, arguments, text
from .membership import Exact, Likely, hashes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..base import Item

    Numbered = list[tuple[int, Row]]

LOAD: Final = 1
"""The id of a load into an empty graph."""


@dataclass(slots=True)
class Sorted:
    """What became of a file's items.

    Attributes:
        position: How many there were.
        clean: How many records are in CSV files.
        left: How many are left for the ordinary way.
        rejected: How many could not become records, or point to nothing.
        remarks: How many are remarks.
        parts: What the source says of its parts.
    """

    position: int = 0
    clean: int = 0
    left: int = 0
    rejected: int = 0
    remarks: int = 0
    parts: dict[str, SourceInfo] = field(default_factory=dict)


class Sorter:
    """Sorts batches of items, each of one kind, into files.

    Args:
        folder: Where the files are.
        source: The id of the source that is loaded.
    """

    def __init__(self, folder: Path, source: str) -> None:
        self.counts = Sorted()
        self._source = source
        self._folder = folder
        self._books = record_lines.books(folder)
        self._left = (folder / "left.pickle").open("wb")
        self._entities = Exact()
        self._others = Likely()
        # Entities that are new and yet left for the ordinary way: what points to them has to follow.
        self._late: set[int] = set()
        self._concepts = bytearray(10_000_000 // 8)
        self._sources: set[str] = set()

    def sort(self, batch: Sequence[Item]) -> list[tuple[int, Reject | Remark]]:
        """Sort a batch.

        Args:
            batch: Items whose records are of one kind.

        Returns:
            What is to be listed, each with its number in the file.
        """
        start = self.counts.position
        told = [(start + n, item) for n, item in enumerate(batch) if not isinstance(item, Row)]
        rows = [(start + n, item) for n, item in enumerate(batch) if isinstance(item, Row)]
        if rows:
            kinds: dict[type, Any] = {Entity: self._sort_entities, Relation: self._sort_relations}
            rejects = kinds.get(type(rows[0][1].record), self._sort_others)(rows)
            told.extend(rejects or ())
            for book in self._books.values():
                book.flush()
        self.counts.position += len(batch)
        self.counts.rejected += sum(1 for _, item in told if isinstance(item, Reject))
        self.counts.remarks += sum(1 for _, item in told if isinstance(item, Remark))
        return told

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
        for source in (self._source, *self.counts.parts):
            self._books["source"].add(text(source))
        self._books["source"].flush()
        return arguments(self._books.values())

    def left(self) -> Iterator[tuple[int, Row]]:
        """Give what is left for the ordinary way.

        Yields:
            Rows, each with its number in the file.
        """
        with (self._folder / "left.pickle").open("rb") as file:
            for _ in range(self.counts.left):
                yield pickle.load(file)  # noqa: S301 - a file of our own, in a folder of our own

    def _leave(self, number: int, row: Row) -> None:
        pickle.dump((number, row), self._left, pickle.HIGHEST_PROTOCOL)
        self.counts.left += 1

    def _sort_entities(self, rows: Numbered) -> None:
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
                    self.counts.clean += 1
                    continue
                except OddError:
                    self._late.add(hashed)
            self._leave(number, row)

    def _link_concepts(self, entity: Entity, source: str) -> None:
        for cui in dict.fromkeys(entity.concepts):
            place, bit = divmod(int(cui[1:]), 8)
            if not self._concepts[place] & (1 << bit):
                self._concepts[place] |= 1 << bit
                self._books["concept"].add(text(cui))
            self._books["cui"].add(record_lines.concept_link(entity, cui, source))

    def _sort_relations(self, rows: Numbered) -> list[tuple[int, Reject]]:
        subjects = hashes_of(row.record.subject for _, row in rows)  # type: ignore[union-attr]
        objects = hashes_of(row.record.object for _, row in rows)  # type: ignore[union-attr]
        new = self._others.add(hashes_of(kinds.key(row) for _, row in rows))
        sound = self._entities.has(subjects) & self._entities.has(objects)
        if self._late:
            late = np.fromiter(self._late, np.int64)
            new &= ~(np.isin(subjects, late) | np.isin(objects, late))
        rejects = []
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
                    self.counts.clean += 1
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

    def _sort_others(self, rows: Numbered) -> None:
        if isinstance(rows[0][1].record, SourceInfo):
            self._sort_sources(rows)
            return
        keys = [record_lines.names(row.record) for _, row in rows]
        fresh = self._others.add(hashes_of(chain.from_iterable(keys))).tolist()
        at = 0
        for (number, row), names in zip(rows, keys, strict=True):
            end = at + len(names)
            if isinstance(row.record, Document) and all(fresh[at:end]) and self._add_document(row.record, row.source):
                self.counts.clean += 1
            else:
                self._leave(number, row)
            at = end

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

    def _sort_sources(self, rows: Numbered) -> None:
        for number, row in rows:
            info = row.record
            assert isinstance(info, SourceInfo)
            if info.id == self._source or info.id in self.counts.parts:
                self._leave(number, row)
            else:
                self.counts.parts[info.id] = info
                self.counts.clean += 1
