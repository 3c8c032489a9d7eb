"""What a load of a file would change, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schema import rows as as_rows
from ..base import Reject, Row
from . import kinds
from .compare import Memory
from .history import stored
from .load import judged
from .withdraw import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...graph.database import Database
    from .load import Task


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that a load would change.

    Attributes:
        change: `added`, `changed`, `withdrawn` or `rejected`.
        kind: `Entity`, `Relation`, `Document` or `SourceInfo`.
        element: Its id, or what a relation says.
        detail: The attributes that change, or why it is rejected.
    """

    change: str
    kind: str
    element: str
    detail: str = ""


def diff(database: Database, task: Task) -> Iterator[Difference]:
    """Compare a file with what the graph holds of its source; nothing is written.

    Args:
        database: The graph.
        task: What would be loaded, as the source's whole next release.

    Yields:
        What would be added, changed and rejected, in the file's order, then what would be withdrawn.

    Raises:
        SourceFileError: The file cannot be read.
        DatabaseError: The database refused or went away.
    """
    with Memory() as memory:
        for batch, outcome in judged(database, task, memory):
            yield from (_difference("added", row) for row in outcome.added)
            if outcome.changed:
                yield from _changed(database, outcome.changed)
            yield from (_difference("withdrawn", row) for row in outcome.withdrawn)
            broken = (item for item in batch if isinstance(item, Reject))
            for reject in (*broken, *(reject for _, reject in outcome.rejects)):
                yield Difference("rejected", "", f"{reject.file}:{reject.line}", reject.reason)
        for kind, found in missing(database, task.info.id, memory):
            said = " ".join(found[name] for name in ("subject", "type", "object", "predicate", "id") if found.get(name))
            yield Difference("withdrawn", kind, said)


def _changed(database: Database, rows: list[Row]) -> Iterator[Difference]:
    kind = as_rows.kind_of(rows[0].record)
    found = [] if kind == "SourceInfo" else stored(database.read, kind, [kinds.key_row(row) for row in rows])
    before = {kinds.key(Row(record, "", source=beside["source"])): record for beside, record in found}
    for row in rows:
        former = before.get(kinds.key(row))
        yield _difference("changed", row, ", ".join(as_rows.differences(former, row.record)) if former else "")


def _difference(change: str, row: Row, detail: str = "") -> Difference:
    return Difference(change, as_rows.kind_of(row.record), as_rows.name_of(row.record), detail)
