"""The only place that writes what sources yield: one transaction a batch, several at once, and nothing twice."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...errors import ConflictError, DatabaseBusyError
from ...graph import catalogue
from ..base import Item, Row, unread_of
from . import kinds
from .compare import NO_LOAD, Comparison, Memory, numbered
from .kind import BATCH_ROWS, Known, Loading
from .outcome import Counts, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ...graph.catalogue import Query
    from ...graph.database import Database, Run
    from .kind import Key, Kind, Numbered

BATCH_CHARACTERS: Final = 4_000_000

# Of so many entities that records wait for, a load keeps the ids; of more it knows only that there are more
MOST_LACKED: Final = 1000
_TRIES: Final = 5


class _StoredBeforeError(Exception):
    """A batch is stored already: the reply to its transaction was lost, or somebody else took up the same load."""


@dataclass(slots=True)
class Writer:
    """Stores the records of one load; several threads may use it at once.

    It tells `report` the rejects of a batch before that is stored, perhaps more than once. With `again` the source was
    loaded before, so that most of its records are there.
    """

    database: Database
    source: str
    load: int
    report: Callable[[int, Sequence[Item], Outcome], None]
    last_wins: bool = False
    again: bool = False
    # Nearly all sources bring entities that no other has; the first one that is known shows that this one does not.
    _all_new: bool = True

    def store(self, batch: Sequence[Item], start: int) -> Outcome:
        """Store a batch in one transaction, together with how far the load has come; nothing of it if that fails.

        Give what became of each row; nothing, if an earlier try had stored it though its reply was lost.
        """
        for tries_left in reversed(range(_TRIES)):
            try:
                return self.database.transaction(lambda run: self._work(run, batch, start))
            except _StoredBeforeError:
                break
            except ConflictError:  # one of the entities is there, or another load made it meanwhile
                if not tries_left:
                    raise
                self._all_new = False
        return Outcome()

    def _work(self, run: Run, batch: Sequence[Item], start: int) -> Outcome:
        rows = list(numbered(batch))
        outcome = self._stored(run, rows) if rows else Outcome()
        counts, end = Counts.of(batch, outcome).by_name(), start + len(batch)
        noted = {"load": self.load, "start": start, "end": end, "counts": counts, "held": outcome.held}
        noted |= unread_of(batch)
        if run(catalogue.get("advance_load"), **noted, lacked=outcome.lacked, most=MOST_LACKED)[0]["again"]:
            raise _StoredBeforeError
        self.report(start, batch, outcome)
        return outcome

    def _stored(self, run: Run, rows: Numbered) -> Outcome:
        """Store records that are new first, where their kind can tell; compare the others."""
        kind = kinds.of(rows[0][1].record)
        loading = Loading(self.source, self.load, all_new=self._all_new)
        known = kind.look_up(run, [row for _, row in rows]) if self.again else Known()
        fresh = [(number, row) for number, row in rows if known.states.get(kind.key(row)) is None]
        created = kind.create(run, fresh, loading)
        left = [row for number, row in fresh if number not in created.numbers]
        if created.known is not None:
            known.add(created.known)
        elif left and (created.numbers or not self.again):
            known.add(kind.look_up(run, left))
        comparison = Comparison(run, self.source, self.load, last_wins=self.last_wins)
        others = [(number, row) for number, row in rows if number not in created.numbers]
        outcome = comparison.judge(kind, others, known)
        if outcome.former and kind.stored_as is not None:
            kind.stored_as.keep(run, self.load, [kind.key_row(row) for row in outcome.former])
        kind.write(run, outcome, loading)
        outcome.added.extend(row for number, row in rows if number in created.numbers)
        kind.complete(run, [*outcome.added, *outcome.changed])
        return outcome


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut a source's items into batches bounded by rows and characters, each with records of one kind."""
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


WORKERS: Final = 3  # One transaction is prepared and one committed while the server works on a third


@dataclass(frozen=True, slots=True)
class _Running:
    future: Future[Outcome]
    batch: Sequence[Item]
    start: int
    names: set[Key]
    kind: Kind | None


def store_all(
    writer: Writer, batches: Iterable[tuple[int, Sequence[Item]]], alone: Collection[Kind] = ()
) -> Iterator[tuple[Sequence[Item], Outcome]]:
    """Store batches, several at once where that makes no difference.

    A batch waits for those before it if it has records of another kind, or one of the same name as theirs.
    """
    running: deque[_Running] = deque()
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="store") as pool:
        try:
            for start, batch in batches:
                names, kind = _names(batch)
                while running and (kind in alone or any(kind is not r.kind or names & r.names for r in running)):
                    yield _next(writer, running)
                while len(running) > WORKERS:
                    yield _next(writer, running)
                running.append(_Running(pool.submit(writer.store, batch, start), batch, start, names, kind))
            while running:
                yield _next(writer, running)
        finally:
            for one in running:
                one.future.cancel()


def _next(writer: Writer, running: deque[_Running]) -> tuple[Sequence[Item], Outcome]:
    first = running.popleft()
    # Short waits, so that Ctrl-C is heard.
    while not first.future.done():
        wait([first.future], timeout=0.5)
    try:
        return first.batch, first.future.result()
    except DatabaseBusyError:
        # Batches that lock the same nodes may stand in each other's way as long as the driver tries: alone, none does.
        wait([one.future for one in running])
        return first.batch, writer.store(first.batch, first.start)


def _names(batch: Sequence[Item]) -> tuple[set[Key], Kind | None]:
    """Give the names that a batch writes to, and the kind of its records."""
    names: set[Key] = set()
    kind = None
    for item in batch:
        if isinstance(item, Row):
            kind = kinds.of(item.record)
            names.update(kind.names(item))
    return names, kind


def foretold(items: Iterable[Item], source: str, *, last_wins: bool = False) -> Iterator[Item]:
    """Yield records, or rejects in the place of those that a load into an empty graph would reject.

    One that only lacks an entity, which a graph may have, names it as `lacks`.
    """
    said = (item.stated_by(source) if isinstance(item, Row) else item for item in items)
    with Memory() as memory:
        comparison = Comparison(_nothing, source, NO_LOAD, memory, last_wins=last_wins)
        for batch in batches(said):
            rejected = dict(comparison.compare(list(numbered(batch))).rejects)
            for number, item in enumerate(batch):
                yield rejected.get(number, item)


def _nothing(query: Query, **parameters: Any) -> list[dict[str, Any]]:
    if query.name != "relation_states":
        return []
    nothing = {"same": False, "hash": None, "seen": None, "load": None}
    return [{"numbers": [n], "missing": [row[0], row[2]], **nothing} for n, row in enumerate(parameters["rows"])]
