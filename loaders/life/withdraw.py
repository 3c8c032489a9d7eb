"""Take out of the graph what a source no longer says, or everything that it said."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ...errors import UnknownSourceError
from ...graph import catalogue
from ...progress import progress
from .history import keep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Database, Run
    from .compare import Memory

PAGE: Final = 500

STALE: Final = ("stale_relations", "stale_documents", "stale_entities")
"""Queries for what a load has not seen."""
WRITTEN: Final = ("written_relations", "written_documents", "written_entities")
"""Queries for what a load wrote."""


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
        for kind, page in pages(database, STALE, sources, load):
            database.transaction(lambda run, kind=kind, page=page: _withdraw(run, load, kind, page))  # type: ignore[misc]
            gone += len(page)
            bar.update(len(page))
    return gone


def pages(
    database: Database, queries: tuple[str, str, str], sources: list[str], load: int
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """List records that are taken out page by page: relations first, since entities take theirs with them.

    Args:
        database: The graph.
        queries: `STALE` or `WRITTEN`.
        sources: Ids of a source and its parts.
        load: The id of a load.

    Yields:
        Pairs of `Relation`, `Document` or `Entity` and the keys of some records, which must be gone before the next.
    """
    relations, documents, entities = map(catalogue.get, queries)
    found = database.stream(relations, sources=sources, load=load)
    while page := list(islice(found, PAGE)):
        yield "Relation", page
    for kind, query in (("Document", documents), ("Entity", entities)):
        while page := database.read(query, sources=sources, load=load, limit=PAGE):
            yield kind, page


def remove(run: Run, kind: str, keys: Sequence[dict[str, Any]]) -> None:
    """Take records of one kind out of the graph.

    Args:
        run: Runs statements in a transaction.
        kind: `Entity`, `Relation` or `Document`.
        keys: What tells them from others: `id` and `source`, or for relations all that makes their key.
    """
    if kind == "Entity":
        ids = list(dict.fromkeys(row["id"] for row in keys))
        run(catalogue.get("release_entities"), rows=list(keys))
        run(catalogue.get("distrust_loads_of"), ids=ids)
        run(catalogue.get("summarise_entities"), ids=ids)
    elif kind == "Relation":
        run(catalogue.get("remove_relations"), rows=list(keys))
    else:
        run(catalogue.get("remove_documents"), ids=[row["id"] for row in keys])


def missing(database: Database, source: str, memory: Memory) -> Iterator[tuple[str, dict[str, Any]]]:
    """List what a source has in the graph and a file lacks.

    Args:
        database: The graph.
        source: The source's id.
        memory: What the file has.

    Yields:
        Pairs of `Entity`, `Relation` or `Document` and what tells the record from others.
    """
    sources = sources_of(database, source)
    for kind, query, names in (
        ("Entity", "all_entities", ("source", "id")),
        ("Relation", "stale_relations", ("source", "subject", "type", "object", "predicate")),
        ("Document", "all_documents", ("id",)),
    ):
        parameters = {"load": 0} if kind == "Relation" else {}
        for row in database.stream(catalogue.get(query), sources=sources, **parameters):
            if memory.recall(kind, [row[name] for name in names]) is None:
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
    removed: int = sum(row["removed"] for row in database.run(catalogue.get("unload_documents"), sources=sources))
    database.run(catalogue.get("unload_relations"), sources=sources)
    database.run(catalogue.get("distrust_loads"), sources=sources)
    removed += sum(row["removed"] for row in database.run(catalogue.get("unload_entities"), sources=sources))
    while rows := database.read(catalogue.get("stated_entities"), sources=sources, limit=2 * PAGE):
        database.transaction(lambda run, rows=rows: remove(run, "Entity", rows))  # type: ignore[misc]
    for row in database.run(catalogue.get("summarise_concepts"), sources=sources):
        removed += row["removed"]
    removed += database.write(catalogue.get("unload_source"), sources=sources)[0]["removed"]
    return removed


def _withdraw(run: Run, load: int, kind: str, page: list[dict[str, Any]]) -> None:
    keep(run, load, kind, page)
    remove(run, kind, page)
    run(catalogue.get("count_withdrawn"), load=load, count=len(page))
