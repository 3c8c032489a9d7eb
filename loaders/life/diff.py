"""Lists the changes that loading a file would make, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schema.rows import differences, title
from ..base import Reject, Row
from . import kinds
from .compare import Memory
from .load import judged
from .withdraw import missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Database
    from .load import Task


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that a load would change.

    It is `added`, `changed` (`detail` names attributes), `withdrawn` or `rejected` (`detail` says why).
    """

    change: str
    kind: str
    element: str
    detail: str = ""


def diff(database: Database, task: Task) -> Iterator[Difference]:
    """Compare a file, as a source's whole next release, with the graph; nothing is written.

    Yields what would be added, changed and rejected, in the file's order, then what would be withdrawn; of a source
    whose later records replace earlier ones, what comes of all of them.
    """
    found = _differences(database, task)
    yield from _net(found) if task.source.last_wins else found


def _net(found: Iterator[Difference]) -> Iterator[Difference]:
    standing: dict[tuple[str, str], Difference] = {}
    for one in found:
        if one.change == "rejected":
            yield one
            continue
        before = standing.pop((one.kind, one.element), one)
        if before.change != "added" or one.change != "withdrawn":  # else it comes and goes
            standing[one.kind, one.element] = before if before.change == "added" else one
    yield from standing.values()


def _differences(database: Database, task: Task) -> Iterator[Difference]:
    with Memory() as memory:
        for batch, outcome in judged(database, task, memory):
            yield from (_difference("added", row) for row in outcome.added)
            if outcome.changed:
                yield from _changed(database, outcome.changed)
            yield from (_difference("withdrawn", row) for row in outcome.withdrawn)
            broken = (item for item in batch if isinstance(item, Reject))
            for reject in (*broken, *(reject for _, reject in outcome.rejects)):
                yield Difference("rejected", "", reject.where, reject.reason)
        for gone in missing(database, task.info.id, memory):
            named = (gone.key[name] for name in gone.kind.key_names if name != "source" and gone.key[name])
            kept = f"stays as a stub: relations of {', '.join(gone.pointing)} point to it" if gone.pointing else ""
            yield Difference("withdrawn", gone.kind.name, " ".join(named), kept)


def _changed(database: Database, rows: Sequence[Row]) -> Iterator[Difference]:
    kind = kinds.of(rows[0].record)
    stored = kind.stored_as.stored(database.read, [kind.key_row(row) for row in rows]) if kind.stored_as else []
    before = {kind.key(Row(beside.record, "", source=beside.source)): beside.record for beside in stored}
    for row in rows:
        former = before.get(kind.key(row))
        yield _difference("changed", row, ", ".join(differences(former, row.record)) if former else "")


def _difference(change: str, row: Row, detail: str = "") -> Difference:
    return Difference(change, kinds.of(row.record).name, title(row.record), detail)
