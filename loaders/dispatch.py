"""Batches stored side by side, and yet as if one after the other."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final

from ..schema.records import Document, Entity
from . import rows as as_rows
from .base import Row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from .base import Item
    from .comparison import Outcome
    from .writer import Writer

WORKERS: Final = 3
"""One transaction is prepared and one committed while the server works on a third."""

Stored = tuple["Sequence[Item]", "Outcome"]


def store_all(
    writer: Writer, batches: Iterable[tuple[int, Sequence[Item]]], alone: Collection[type] = ()
) -> Iterator[Stored]:
    """Store batches, several at once where that makes no difference.

    A batch waits for those before it if it has records of another kind, or one of the same name as theirs.

    Args:
        writer: Stores them.
        batches: Pairs of how many items came before, and the batch.
        alone: Kinds of records of which one batch at a time is stored.

    Yields:
        Each batch with what became of it, in the order in which they were begun.

    Raises:
        DatabaseError: A batch could not be stored; those that were begun are stored or not, and the graph knows which.
    """
    running: deque[tuple[Future[Outcome], Sequence[Item], set[tuple[str, ...]], type | None]] = deque()
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="store") as pool:
        try:
            for start, batch in batches:
                names, kind = _names(batch)
                while running and (kind in alone or any(kind is not k or names & n for _, _, n, k in running)):
                    yield _next(running)
                while len(running) > WORKERS:
                    yield _next(running)
                running.append((pool.submit(writer.store, batch, start), batch, names, kind))
            while running:
                yield _next(running)
        finally:
            for future, *_ in running:
                future.cancel()


def _next(running: deque[tuple[Future[Outcome], Sequence[Item], set[tuple[str, ...]], type | None]]) -> Stored:
    # Short waits, so that Ctrl-C is heard.
    while not running[0][0].done():
        wait([running[0][0]], timeout=0.5, return_when=FIRST_COMPLETED)
    future, batch, _, _ = running.popleft()
    return batch, future.result()


def _names(batch: Sequence[Item]) -> tuple[set[tuple[str, ...]], type | None]:
    """Give the names that a batch writes to, and the kind of its records."""
    names: set[tuple[str, ...]] = set()
    kind = None
    for item in batch:
        if isinstance(item, Row):
            kind = type(item.record)
            # Sources that state the same entity write to the same node.
            names.add(as_rows.key(item)[1:] if kind is Entity else as_rows.key(item))
            if isinstance(item.record, Document):
                names.update(("part", part) for part in as_rows.parts(item.record))
    return names, kind
