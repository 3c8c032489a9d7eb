"""Take out of the graph what a source no longer says, or everything that it said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import UnknownSourceError
from ...graph import catalogue
from ...progress import progress
from . import kinds
from .history import keep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Database, Run
    from .compare import Memory
    from .kinds.kind import StoredKind
    from .kinds.states import KeyRow


def withdraw_unseen(database: Database, source: str, load: int) -> int:
    """Take out what a source has stated in earlier loads and not in this one, keeping it for `undo`.

    Args:
        database: The graph.
        source: The source's id.
        load: The id of the load.

    Returns:
        How many records went.

    Raises:
        DatabaseError: The database refused or went away; run the load again to go on.
    """
    sources = sources_of(database, source)
    gone = 0
    with progress(f"withdrawing from {source}", "record") as bar:
        for kind in kinds.LAST_FIRST:
            for page in kind.pages(database, kind.stale, sources, load):
                database.transaction(lambda run, kind=kind, page=page: _withdraw(run, load, kind, page))  # type: ignore[misc]
                gone += len(page)
                bar.update(len(page))
    return gone


def missing(database: Database, source: str, memory: Memory) -> Iterator[tuple[StoredKind, KeyRow]]:
    """List what a source has in the graph and a file lacks.

    Args:
        database: The graph.
        source: The source's id.
        memory: What the file has.

    Yields:
        Pairs of a kind and the key of a record.
    """
    sources = sources_of(database, source)
    for kind in kinds.STORED.values():
        for row in kind.keys(database, sources):
            if memory.recall(kind.name, [row[name] for name in kind.key_names]) is None:
                yield kind, row


def sources_of(database: Database, source: str) -> list[str]:
    """List a source and its parts.

    Args:
        database: The graph.
        source: The source's id.

    Returns:
        Their ids.
    """
    return [row["id"] for row in database.read(catalogue.get("source_parts"), source=source)]


def unload(database: Database, source: str) -> int:
    """Take everything out that a source contributed and no other source says too.

    Args:
        database: Where from.
        source: The source's id.

    Returns:
        How many nodes went.

    Raises:
        UnknownSourceError: The graph holds nothing of this source.
        DatabaseError: The database refused or went away; run it again to go on.
    """
    sources = sources_of(database, source)
    if not sources:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    removed = sum(kind.unload(database, sources) for kind in kinds.LAST_FIRST)
    for row in database.run(catalogue.get("summarise_concepts"), sources=sources):
        removed += row["removed"]
    return removed + int(database.write(catalogue.get("unload_source"), sources=sources)[0]["removed"])


def _withdraw(run: Run, load: int, kind: StoredKind, page: Sequence[KeyRow]) -> None:
    keep(run, load, kind, page)
    kind.remove(run, page)
    run(catalogue.get("count_withdrawn"), load=load, count=len(page))
