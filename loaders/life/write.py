"""The only place that writes what sources yield: one transaction a batch, and nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import ConflictError
from ...graph import catalogue
from ..base import Row, unread_of
from . import kinds
from .compare import Comparison, numbered
from .history import keep
from .kinds.kind import BATCH_ROWS
from .kinds.states import Loading
from .outcome import Counts, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...graph.database import Database, Run
    from ..base import Item
    from .kinds.kind import Kind

    Numbered = Sequence[tuple[int, Row]]

BATCH_CHARACTERS: Final = 4_000_000

MOST_LACKED: Final = 1000
"""Of so many entities that records wait for, a load keeps the ids; of more it knows only that there are more."""

_TRIES: Final = 5


class _StoredBeforeError(Exception):
    """A batch is stored already: the reply to its transaction was lost, or somebody else took up the same load."""


class Writer:
    """Stores the records of one load; several threads may use it at once.

    Args:
        source: The id of the source that is loaded.
        last_wins: Whether a later record replaces an earlier one of the same load.
        report: Is told the rejects of a batch before it is stored, perhaps more than once.
    """

    def __init__(
        self,
        database: Database,
        source: str,
        load: int,
        report: Callable[[int, Sequence[Item], Outcome], None],
        *,
        last_wins: bool = False,
    ) -> None:
        self._database = database
        self._source = source
        self._load = load
        self._report = report
        self._last_wins = last_wins
        # Nearly all sources bring entities that no other has; the first one that is known shows that this one does not.
        self._all_new = True

    def store(self, batch: Sequence[Item], start: int) -> Outcome:
        """Store a batch in one transaction, together with how far the load has come.

        Args:
            batch: Items whose records are of one kind.

        Returns:
            What became of each row; nothing, if an earlier try had stored it though its reply was lost.

        Raises:
            DatabaseError: Nothing of the batch is stored.
        """
        for _ in range(_TRIES - 1):
            try:
                return self._try(batch, start)
            except ConflictError:  # one of the entities is there, or another load made it meanwhile
                self._all_new = False
        return self._try(batch, start)

    def _try(self, batch: Sequence[Item], start: int) -> Outcome:
        try:
            return self._database.transaction(lambda run: self._work(run, batch, start))
        except _StoredBeforeError:
            return Outcome()

    def _work(self, run: Run, batch: Sequence[Item], start: int) -> Outcome:
        rows = list(numbered(batch))
        outcome = self._stored(run, rows) if rows else Outcome()
        counts, end = Counts.of(batch, outcome).by_name(), start + len(batch)
        noted = {"load": self._load, "start": start, "end": end, "counts": counts, "held": outcome.held}
        noted |= unread_of(batch)
        if run(catalogue.get("advance_load"), **noted, lacked=outcome.lacked, most=MOST_LACKED)[0]["again"]:
            raise _StoredBeforeError
        self._report(start, batch, outcome)
        return outcome

    def _stored(self, run: Run, rows: Numbered) -> Outcome:
        """Store records that are new first, where their kind can tell; compare the others."""
        kind = kinds.of(rows[0][1].record)
        loading = Loading(self._source, self._load, all_new=self._all_new)
        created = kind.create(run, rows, loading)
        rest = [(number, row) for number, row in rows if number not in created.numbers]
        comparison = Comparison(run, self._source, self._load, last_wins=self._last_wins)
        known = created.known
        outcome = comparison.compare(rest) if known is None else comparison.judge(kind, rest, known)
        self._keep(run, kind, outcome)
        kind.write(run, outcome, loading)
        outcome.added.extend(row for number, row in rows if number in created.numbers)
        kind.complete(run, [*outcome.added, *outcome.changed])
        return outcome

    def _keep(self, run: Run, kind: Kind, outcome: Outcome) -> None:
        if outcome.former and kind.stored_as is not None:
            keep(run, self._load, kind.stored_as, [kind.key_row(row) for row in outcome.former])


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut a stream into batches bounded by rows and characters, each with records of one kind.

    Args:
        items: Rows, rejects and remarks, in the source's order.

    Yields:
        Lists that are not empty.
    """
    batch: list[Item] = []
    size = 0
    kind: Kind | None = None
    for item in items:
        weight, its_kind = 0, kind
        if isinstance(item, Row):
            its_kind = kinds.of(item.record)
            weight = its_kind.weight(item.record)
        if batch and (
            len(batch) >= (its_kind.batch_rows if its_kind else BATCH_ROWS)
            or size + weight > BATCH_CHARACTERS
            or (its_kind is not kind and kind is not None)
        ):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size, kind = size + weight, its_kind
    if batch:
        yield batch
