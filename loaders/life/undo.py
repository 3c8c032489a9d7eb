"""Take back the last load of a source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InputError, UnknownSourceError
from ...graph import catalogue
from ...progress import progress
from ...schema.concept_relations import fold_sources
from . import kinds, standing
from .kinds.kind import PAGE
from .kinds.states import Former, Gone
from .withdraw import sources_of, unload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...graph.database import Database, Run
    from ...progress import Progress
    from .kinds.kind import StoredKind
    from .kinds.part import Parts


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What taking back a load did.

    Attributes:
        source: The source's id.
        file: The file of the load that was taken back.
        removed: Records that the load had added and that went.
        restored: Records that the load had changed or withdrawn and that are as they were.
        documents: How many of the restored ones are documents, which want chunks and vectors again.
        stubs: How many of the removed ones stay as stubs, since others point to them.
    """

    source: str
    file: str
    removed: int
    restored: int
    documents: int = 0
    stubs: int = 0


def undo(database: Database, source: str) -> UndoReport:
    """Take back the last load of a source: what it added goes, what it changed or withdrew returns.

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
        return UndoReport(source, file, loads[0]["added"], 0, stubs=unload(database, source).stubs)
    load, before = loads[0]["id"], loads[1]["id"]
    if database.read(catalogue.get("undone_loads"), source=source, load=load):
        raise InputError(
            f"what {source} was before its load of {file} is not kept any more: only the last load can be taken back; "
            f"load the earlier file with --replace, or run: medgraph unload {source}"
        )
    sources = sources_of(database, source)
    with progress(f"taking back {file}", "record") as bar:
        restored = _restored(database, load, bar)
        removed = _removed(database, sources, load, bar)
    database.run(catalogue.get("summarise_concepts"), sources=sources)
    fold_sources(database, sources)
    database.write(catalogue.get("undo_load"), load=load, before=before)
    standing.settle(database, sources)
    database.write(catalogue.get("finish_load"), load=before, status=loads[1]["status"])
    database.run(catalogue.get("refresh_fulltext"))
    documents = restored[kinds.DOCUMENTS.name]
    return UndoReport(source, file, removed.removed, restored.total(), documents, removed.stubs)


def is_last_left(database: Database, source: str) -> bool:
    """Tell whether others were taken back, and only the first load of a source is left."""
    loads = database.read(catalogue.get("last_loads"), source=source)
    return len(loads) == 1 and bool(database.read(catalogue.get("undone_loads"), source=source, load=loads[0]["id"]))


def _restored(database: Database, load: int, bar: Progress) -> Counter[str]:
    """Bring back what the load changed or withdrew; counted by kind."""
    counts: Counter[str] = Counter()
    while rows := database.read(catalogue.get("former_records"), load=load, limit=PAGE):
        page = [Former(**row) for row in rows]
        kind = kinds.RESTORED[page[0].kind]
        formers = [former for former in page if former.kind == kind.name]
        database.transaction(lambda run, kind=kind, formers=formers: _restore(run, kind, formers))  # type: ignore[misc]
        counts[kind.name] += len(formers)
        bar.update(len(formers))
    return counts


def _restore(run: Run, kind: StoredKind | Parts, formers: Sequence[Former]) -> None:
    kind.restore(run, formers)
    run(catalogue.get("drop_former"), elements=[former.element for former in formers])


def _removed(database: Database, sources: Sequence[str], load: int, bar: Progress) -> Gone:
    """Remove what the load added: what it changed bears the number of an earlier load again."""
    gone = Gone()
    for kind in kinds.LAST_FIRST:
        for page in kind.pages(database, kind.written, sources, load):
            stubs = database.transaction(lambda run, kind=kind, page=page: kind.remove(run, page))  # type: ignore[misc]
            gone += Gone(len(page), stubs)
            bar.update(len(page))
    return gone
