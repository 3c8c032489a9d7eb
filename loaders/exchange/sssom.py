"""SSSOM: mappings between vocabularies as a table (mapping-commons.github.io/sssom).

Mappings become relations: SKOS's predicates and the like become matches, others `RELATED_TO` with their predicate. What
a mapping calls its ends is yielded as entities of the lowest rank, so that a word from a vocabulary itself goes before
it; an end without a name must be in the graph.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import licences, prefixes
from ...schema.exchange import biolink, sssom
from ...schema.exchange.flat import sorted_properties
from ...schema.records import Entity, Relation, SourceInfo
from ...schema.vocabulary import ENTITY_LABELS
from ..base import Reject, Row, Source
from ..files import tables
from ..remarks import Remarks
from . import sssom_header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...schema.records import Value
    from ..base import Item
    from .sssom_header import Header

    Cells = dict[str, str]

INFO: Final = SourceInfo(
    id="sssom",
    title="A set of mappings",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="https://mapping-commons.github.io/sssom",
    rank=9,
)

_ENDS: Final = ("subject", "object")
_NOT_SAID: Final = "sssom:NoTermFound"
_READ: Final = {
    *sssom.NEEDED,
    "predicate_modifier",
    "subject_label",
    "object_label",
    "subject_category",
    "object_category",
}


def records(path: Path) -> Iterator[Item]:
    """Read a set of mappings.

    Args:
        path: The table, with its metadata in front or in a file beside it.

    Yields:
        Entities for the ends that have names, then a relation a row.

    Raises:
        SourceFileError: The table or its metadata cannot be read.
    """
    reader = _Reader(path)
    named: dict[int, int] = {}
    for item in reader.rows():
        if not isinstance(item, Reject):
            yield from reader.entities(*item, named)
    for item in reader.rows():
        yield item if isinstance(item, Reject) else reader.relation(*item)
        yield from reader.remarks.take()


def describe(path: Path) -> SourceInfo:
    """Tell which set of mappings a file is.

    Args:
        path: The table.

    Returns:
        Its id, title, version and licence, as far as its metadata say them.

    Raises:
        SourceFileError: It cannot be read.
    """
    header = sssom_header.read(path)
    set_id = header.text("mapping_set_id")
    name = re.split(r"[/#]", set_id.rstrip("/"))[-1] or path.name
    name = re.sub(r"(\.sssom)?(\.(tsv|csv|txt))?(\.gz)?$", "", name.removeprefix("urn:medgraph:"))
    return replace(
        INFO,
        id=re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:60] or INFO.id,
        title=(header.text("mapping_set_title") or name or INFO.title)[:500],
        version=header.text("mapping_set_version")[:500] or INFO.version,
        licence=licences.spdx(header.text("license"))[:500] or INFO.licence,
        url=set_id[:500] if set_id.startswith("http") else "",
    )


def recognise(path: Path) -> bool:
    """Tell whether a file is a set of mappings.

    Args:
        path: A file or folder.

    Returns:
        Whether it is a table that has the columns of one.
    """
    if not re.search(r"\.tsv(\.gz)?$", path.name, re.IGNORECASE) or not path.is_file():
        return False
    try:
        next(tables.read(path, sssom.NEEDED, delimiter="\t", comment="#"), None)
    except SourceFileError:
        return False
    return True


SOURCE: Final = Source(INFO, records, order=32, describe=describe, recognise=recognise)


class _Reader:
    """Reads the rows of one file."""

    def __init__(self, path: Path) -> None:
        self.remarks = Remarks()
        self._path = path
        self._header: Header = sssom_header.read(path)
        self._ours = self._header.text("other").startswith("medgraph:")
        self._shared: Cells = {}

    def rows(self) -> Iterator[tuple[Cells, int] | Reject]:
        """Yield the cells of each row that has any."""
        first = True
        for item in tables.read(self._path, sssom.NEEDED, comment="#"):
            if isinstance(item, Reject):
                yield item
                continue
            line, row = item
            if first:
                # What is said of the whole set holds for its mappings, unless one of them speaks for itself.
                self._shared = {n: text for n in sssom.SHARED if n not in row and (text := self._header.text(n))}
                first = False
            yield {name: cell.removeprefix("'") if self._ours else cell for name, cell in row.items() if cell}, line

    def entities(self, row: Cells, line: int, named: dict[int, int]) -> Iterator[Item]:
        """Yield the ends of a mapping that have names, each once."""
        for end in _ENDS:
            name, written = row.get(f"{end}_label", ""), row.get(f"{end}_id", "").strip()
            if not name.strip() or not written or written == _NOT_SAID:
                continue
            entity_id = self._curie(written, line)
            known = named.get(hash(entity_id))
            named.setdefault(hash(entity_id), hash(name))
            if known is None and (entity := self._entity(entity_id, name, row.get(f"{end}_category", ""))) is not None:
                yield Row(entity, str(self._path), line)
            elif known not in {None, hash(name)}:
                said = f"{entity_id} has several names; the first one is taken"
                self.remarks.add(f"names {entity_id}", str(self._path), line, said)

    def relation(self, row: Cells, line: int) -> Item:
        """Read a mapping."""
        try:
            return Row(self._relation(row, line), str(self._path), line)
        except RecordError as error:
            return Reject(str(self._path), line, str(error))

    def _entity(self, entity_id: str, name: str, category: str) -> Entity | None:
        label, implied = biolink.label_of([category]), prefixes.label_of(entity_id)
        if label is None or ENTITY_LABELS[label] == ENTITY_LABELS[implied]:
            label = implied
        try:
            return Entity(entity_id, label, name)
        except RecordError:
            return None  # the mapping is rejected for the same reason, if its id is to blame

    def _relation(self, row: Cells, line: int) -> Relation:
        for name in sssom.NEEDED:
            if not row.get(name, "").strip():
                raise RecordError(f"the mapping has no {name}; give it one")
        if row.get("predicate_modifier", "").strip().lower() == "not":
            raise RecordError(
                "the mapping says what is not so (predicate_modifier Not), which the graph does not hold; leave it out"
            )
        if _NOT_SAID in {row["subject_id"].strip(), row["object_id"].strip()}:
            raise RecordError(
                f"the mapping says that there is no term ({_NOT_SAID}), which the graph does not hold; leave it out"
            )
        kind, predicate = sssom.relation_type(self._predicate(row["predicate_id"].strip()))
        properties, score = self._said(self._shared | row, line)
        extra = properties.pop("predicate", "")
        return Relation(
            subject=self._curie(row["subject_id"].strip(), line),
            type=kind,
            object=self._curie(row["object_id"].strip(), line),
            predicate=predicate or str(extra),
            method=row["mapping_justification"].strip(),
            evidence=_texts(properties.pop("evidence", ())),
            score=score,
            properties=sorted_properties(properties),
        )

    def _said(self, row: Cells, line: int) -> tuple[dict[str, Value], float | None]:
        score: float | None = None
        properties: dict[str, Value] = {}
        names = {column: pair[0] for column, pair in self._header.extensions.items()}
        for column, cell in row.items():
            if column == "confidence":
                score = _number(cell)
            elif column not in _READ:
                key = sssom.property_name(column, names)
                if column not in sssom.SLOTS and column not in names:
                    said = f"the column {column[:60]!r} is none of SSSOM's; it is stored as {key!r}"
                    self.remarks.add(f"column {column}", str(self._path), line, said)
                properties[key] = sssom.of_cell(column, cell, self._header.extensions.get(column, ("", ""))[1])
        return properties, score

    def _predicate(self, text: str) -> str:
        return self._header.curie(text) or text

    def _curie(self, text: str, line: int) -> str:
        return self._header.curie(text) or self.remarks.curie(text, str(self._path), line)


def _texts(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError as error:
        raise RecordError(f"the confidence {cell[:60]!r} is not a number; write it as 0.9") from error
