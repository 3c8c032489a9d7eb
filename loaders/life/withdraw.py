"""Take out of the graph what a source no longer says, all that it said, or what its last load brought.

Where sources differ on an entity, the word of one counts by its rank; summaries follow when a curator changes that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ...errors import InputError, UnknownSourceError
from ...graph import catalogue
from ...progress import Progress, progress
from ...schema.concept_relations import fold_sources
from . import kinds
from .compare import NO_LOAD
from .kind import PAGE, Former, Gone, KeyRow, StoredKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Database, Run
    from .compare import Memory
    from .kinds import Parts


def rank(database: Database, source: str, value: int | None) -> None:
    """Rank the word of a source, from 1, believed before all, to 9; 5 is what nobody ranked, None takes it away."""
    ranked = database.write(catalogue.get("rank_source"), source=source, rank=value)
    if not ranked:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    settle(database, [row["id"] for row in ranked])


def settle(database: Database, sources: Sequence[str]) -> int:
    """Summarise anew what sources share with others, where their standing is not the one it was summarised by."""
    settled = 0
    for row in database.read(catalogue.get("unsettled_sources"), sources=sources):
        after = ""
        with progress(f"weighing {row['id']}", "entity") as bar:
            while page := database.read(catalogue.get("shared_entities"), source=row["id"], after=after, limit=PAGE):
                ids = [found["id"] for found in page]
                database.run(catalogue.get("summarise_entities"), ids=ids)
                after, settled = ids[-1], settled + len(ids)
                bar.update(len(ids))
        database.write(catalogue.get("settle_source"), source=row["id"], standing=row["standing"])
    return settled


def withdraw_unseen(database: Database, source: str, load: int) -> int:
    """Take out what a source has stated in earlier loads and not in this one, keeping it for `undo`."""
    sources = sources_of(database, source)
    gone = 0
    with progress(f"withdrawing from {source}", "record") as bar:
        for kind in kinds.LAST_FIRST:
            for page in kind.pages(database, kind.stale, sources, load):
                database.transaction(lambda run, kind=kind, page=page: _withdraw(run, load, kind, page))  # type: ignore[misc]
                gone += len(page)
                bar.update(len(page))
    return gone


@dataclass(frozen=True, slots=True)
class Missing:
    """A record that a source has in the graph and a file lacks.

    Sources that are `pointing` keep an entity, which nobody else states, as a stub by their relations.
    """

    kind: StoredKind
    key: KeyRow
    pointing: tuple[str, ...] = ()


def missing(database: Database, source: str, memory: Memory) -> Iterator[Missing]:
    """List what a source has in the graph and a file lacks."""
    sources = sources_of(database, source)
    for kind in kinds.STORED.values():
        every = kind.keys(database, sources)
        keys = (row for row in every if memory.recall(kind.name, [row[name] for name in kind.key_names]) is None)
        while page := list(islice(keys, PAGE)):
            pointing = _pointing(database, source, sources, memory, page) if kind is kinds.ENTITIES else {}
            yield from (Missing(kind, row, pointing.get(row.get("id", ""), ())) for row in page)


def _pointing(
    database: Database, source: str, sources: Sequence[str], memory: Memory, page: Sequence[KeyRow]
) -> dict[str, tuple[str, ...]]:
    """Tell which sources keep entities as stubs: others, and this one where its file has a relation with it."""
    found = {}
    for row in database.read(catalogue.get("pointed_at"), ids=[key["id"] for key in page], sources=sources):
        own = [source] if memory.recall("end", (row["id"],)) else []
        if pointing := (*row["others"], *own):
            found[row["id"]] = pointing
    return found


def sources_of(database: Database, source: str) -> list[str]:
    """List a source and its parts."""
    return [row["id"] for row in database.read(catalogue.get("source_parts"), source=source)]


def unload(database: Database, source: str) -> Gone:
    """Take everything out that a source contributed and no other source says too."""
    sources = sources_of(database, source)
    if not sources:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    gone = Gone(records=database.read(catalogue.get("unseen_records"), sources=sources, load=NO_LOAD)[0]["records"])
    for kind in kinds.LAST_FIRST:
        gone += kind.unload(database, sources)
    for row in database.run(catalogue.get("summarise_concepts"), sources=sources):
        gone += Gone(row["removed"])
    fold_sources(database, sources)
    return gone + Gone(database.write(catalogue.get("unload_source"), sources=sources)[0]["removed"])


def _withdraw(run: Run, load: int, kind: StoredKind, page: Sequence[KeyRow]) -> None:
    kind.keep(run, load, page)
    stubs = kind.remove(run, page)
    run(catalogue.get("count_withdrawn"), load=load, count=len(page), stubs=stubs)


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What taking back the load of a file did: how many records it removed and restored.

    Of the restored ones so many `documents` want chunks and vectors again; of the removed ones `stubs` stay.
    """

    source: str
    file: str
    removed: int
    restored: int
    documents: int = 0
    stubs: int = 0


def undo(database: Database, source: str) -> UndoReport:
    """Take back the last load of a source: what it added goes, what it changed or withdrew returns.

    An `InputError` says that the load before it cannot be told from this one any more.
    """
    loads = database.read(catalogue.get("last_loads"), source=source)
    if not loads:
        raise UnknownSourceError(f"the graph holds no load of {source!r}; medgraph sources lists what is loaded")
    file = loads[0]["file"]
    if len(loads) == 1:
        return UndoReport(source, file, loads[0]["added"], 0, stubs=unload(database, source).stubs)
    load, before = loads[0]["id"], loads[1]["id"]
    if database.read(catalogue.get("undone_loads"), source=source, load=load):
        said = f"what {source} was before its load of {file} is not kept any more: only the last load can be taken back"
        raise InputError(f"{said}; load the earlier file with --replace, or run: medgraph unload {source}")
    sources = sources_of(database, source)
    with progress(f"taking back {file}", "record") as bar:
        # Bring back what the load changed or withdrew; counted by kind.
        restored: Counter[str] = Counter()
        while rows := database.read(catalogue.get("former_records"), load=load, limit=PAGE):
            page = [Former(**row) for row in rows]
            kind = kinds.RESTORED[page[0].kind]
            formers = [former for former in page if former.kind == kind.name]
            database.transaction(lambda run, kind=kind, formers=formers: _restore(run, kind, formers))  # type: ignore[misc]
            restored[kind.name] += len(formers)
            bar.update(len(formers))
        removed = _removed(database, sources, load, bar)
    database.run(catalogue.get("summarise_concepts"), sources=sources)
    fold_sources(database, sources)
    database.write(catalogue.get("undo_load"), load=load, before=before)
    settle(database, sources)
    database.write(catalogue.get("finish_load"), load=before, status=loads[1]["status"])
    database.run(catalogue.get("refresh_fulltext"))
    documents = restored[kinds.DOCUMENTS.name]
    return UndoReport(source, file, removed.removed, restored.total(), documents, removed.stubs)


def is_last_left(database: Database, source: str) -> bool:
    """Tell whether others were taken back, and only the first load of a source is left."""
    loads = database.read(catalogue.get("last_loads"), source=source)
    return len(loads) == 1 and bool(database.read(catalogue.get("undone_loads"), source=source, load=loads[0]["id"]))


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
