"""Batches stored side by side, and yet as if one after the other."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...errors import DatabaseBusyError
from ..base import Row
from . import kinds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ..base import Item
    from .kinds.kind import Kind
    from .kinds.states import Key
    from .outcome import Outcome
    from .write import Writer

WORKERS: Final = 3
"""One transaction is prepared and one committed while the server works on a third."""

Stored = tuple["Sequence[Item]", "Outcome"]


@dataclass(frozen=True, slots=True)
class _Running:
    """A batch that is being stored."""

    future: Future[Outcome]
    batch: Sequence[Item]
    start: int
    names: set[Key]
    kind: Kind | None


def store_all(
    writer: Writer, batches: Iterable[tuple[int, Sequence[Item]]], alone: Collection[Kind] = ()
) -> Iterator[Stored]:
    """Store batches, several at once where that makes no difference.

    A batch waits for those before it if it has records of another kind, or one of the same name as theirs.

    Args:
        batches: Pairs of how many items came before, and the batch.
        alone: Kinds of records of which one batch at a time is stored.

    Yields:
        Each batch with what became of it, in the order in which they were begun.

    Raises:
        DatabaseError: A batch could not be stored; those that were begun are stored or not, and the graph knows which.
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


def _next(writer: Writer, running: deque[_Running]) -> Stored:
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
