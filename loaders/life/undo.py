"""Take back the last load of a source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UnknownSourceError
from ...graph import catalogue
from ...progress import Progress, progress
from ...schema import rows as as_rows
from ...schema.records import Document, Entity, Relation
from ..base import Row
from .withdraw import PAGE, WRITTEN, pages, remove, sources_of, unload
from .write import write_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...graph.database import Database, Run


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What taking back a load did.

    Attributes:
        source: The source's id.
        file: The file of the load that was taken back.
        removed: Records that the load had added and that went.
        restored: Records that the load had changed or withdrawn and that are as they were.
        documents: How many of the restored ones are documents, which want chunks and vectors again.
    """

    source: str
    file: str
    removed: int
    restored: int
    documents: int = 0


def undo(database: Database, source: str) -> UndoReport:
    """Take back the last load of a source: what it added goes, what it changed or withdrew returns.

    Args:
        database: The graph.
        source: The source's id.

    Returns:
        What was done.

    Raises:
        UnknownSourceError: The graph holds nothing of this source.
        InputError: The load before it cannot be told from this one any more.
        DatabaseError: The database refused or went away; run it again to go on.
    """
    loads = database.read(catalogue.get("last_loads"), source=source)
    if not loads:
        raise UnknownSourceError(f"the graph holds no load of {source!r}; medgraph sources lists what is loaded")
    file = loads[0]["file"]
    if len(loads) == 1:
        unload(database, source)
        return UndoReport(source, file, loads[0]["added"], 0)
    load, before = loads[0]["id"], loads[1]["id"]
    if database.read(catalogue.get("undone_loads"), source=source, load=load):
        raise InputError(
            f"what {source} was before its load of {file} is not kept any more: only the last load can be taken back; "
            f"load the earlier file with --replace, or run: medgraph unload {source}"
        )
    sources = sources_of(database, source)
    with progress(f"taking back {file}", "record") as bar:
        restored, removed = _total(bar, _restored(database, load)), _total(bar, _removed(database, sources, load))
    database.run(catalogue.get("summarise_concepts"), sources=sources)
    database.write(catalogue.get("undo_load"), load=load, before=before)
    database.write(catalogue.get("finish_load"), load=before, status=loads[1]["status"])
    database.run(catalogue.get("refresh_fulltext"))
    return UndoReport(source, file, removed.total(), restored.total(), restored["Document"])


def _total(bar: Progress, counts: Iterable[tuple[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for kind, count in counts:
        bar.update(count)
        total[kind] += count
    return total


def _restored(database: Database, load: int) -> Iterator[tuple[str, int]]:
    while page := database.read(catalogue.get("former_records"), load=load, limit=PAGE):
        kind = page[0]["kind"]
        rows = [row for row in page if row["kind"] == kind]
        database.transaction(lambda run, kind=kind, rows=rows: _restore(run, kind, rows))  # type: ignore[misc]
        yield kind, len(rows)


def _restore(run: Run, kind: str, formers: list[dict[str, Any]]) -> None:
    if kind == "Entity":
        _restore_entities(run, formers)
    elif kind == "Relation":
        told = [(as_rows.from_json(Relation, row["record"]), row) for row in formers]
        written = [as_rows.relation_row(record, row["source"]) | _as_it_was(row) for record, row in told]
        run(catalogue.get("write_relations"), rows=written, load=0)
    else:
        run(catalogue.get("remove_documents"), ids=[row["key"] for row in formers])
        for row in formers:
            record = as_rows.from_json(Document, row["record"])
            write_documents(run, [Row(record, "", 1, row["source"])], row["load"])
    run(catalogue.get("drop_former"), elements=[row["element"] for row in formers])


def _restore_entities(run: Run, formers: list[dict[str, Any]]) -> None:
    told = [(as_rows.from_json(Entity, row["record"]), row) for row in formers]
    written = [as_rows.entity_row(record, row["source"]) | _as_it_was(row) for record, row in told]
    run(catalogue.get("clear_concepts"), rows=[{"id": row["key"], "source": row["source"]} for row in formers])
    run(catalogue.get("write_entities"), rows=written, load=0)
    run(catalogue.get("write_concepts"), rows=[as_rows.concept_row(e, row["source"]) for e, row in told if e.concepts])
    run(catalogue.get("summarise_entities"), ids=[row["key"] for row in formers])


def _as_it_was(row: dict[str, Any]) -> dict[str, Any]:
    return {"hash": row["hash"], "load": row["load"]}


def _removed(database: Database, sources: list[str], load: int) -> Iterator[tuple[str, int]]:
    """Remove what the load added: what it changed bears the number of an earlier load again."""
    for kind, page in pages(database, WRITTEN, sources, load):
        database.transaction(lambda run, kind=kind, page=page: remove(run, kind, page))  # type: ignore[misc]
        yield kind, len(page)
