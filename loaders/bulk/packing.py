"""Batches of items packed for another process: records as tuples of values, which travel at a third of their price."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from ...schema.records import Entity, Relation
from ..base import Reject, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...schema.records import Record
    from ..base import Item, Remark

    Listed = list[tuple[int, Reject | Remark]]

_VALUES: Final[dict[type[Any], Callable[[Any], tuple[Any, ...]]]] = {
    kind: attrgetter(*(field.name for field in fields(kind))) for kind in (Entity, Relation)
}


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch of one kind of records, by columns.

    Attributes:
        start: How many items came before it in the file.
        size: How many items it has.
        listed: Its rejects and remarks, each with its number in the file.
        kind: The class of its records; None if there are none.
        numbers: The number of each row in the file.
        records: Of entities and relations the values of their attributes, in their order; other records as they are.
        files: Where each row was read.
        lines: The line of each.
        sources: Which source says so.
    """

    start: int
    size: int
    listed: Listed
    kind: type[Record] | None
    numbers: Sequence[int]
    records: Sequence[Any]
    files: Sequence[str]
    lines: Sequence[int]
    sources: Sequence[str]

    def row(self, place: int) -> Row:
        """Make a row again."""
        record = self.records[place]
        if self.kind in _VALUES:
            record = self.kind(*record)
        return Row(record, self.files[place], self.lines[place], self.sources[place])


def pack(batch: Sequence[Item], start: int) -> Packed:
    """Pack a batch.

    Args:
        batch: Items whose records are of one kind.
    """
    rows: list[Row] = [item for item in batch if isinstance(item, Row)]
    numbers: Sequence[int] = range(start, start + len(batch))
    listed: Listed = []
    if len(rows) < len(batch):
        listed = [(n, item) for n, item in zip(numbers, batch, strict=True) if not isinstance(item, Row)]
        numbers = [n for n, item in zip(numbers, batch, strict=True) if isinstance(item, Row)]
    kind = type(rows[0].record) if rows else None
    records: list[Any] = [row.record for row in rows]
    if kind in _VALUES:
        records = list(map(_VALUES[kind], records))
    files, lines, sources = [row.file for row in rows], [row.line for row in rows], [row.source for row in rows]
    return Packed(start, len(batch), listed, kind, numbers, records, files, lines, sources)
