"""Take out of the graph what a source no longer says, or everything that it said."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ...errors import UnknownSourceError
from ...graph import catalogue
from ...progress import progress
from ...schema.concept_relations import fold_sources
from . import kinds
from .history import keep
from .kinds.kind import PAGE
from .kinds.states import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Database, Run
    from .compare import Memory
    from .kinds.kind import StoredKind
    from .kinds.states import KeyRow


def withdraw_unseen(database: Database, source: str, load: int) -> int:
    """Take out what a source has stated in earlier loads and not in this one, keeping it for `undo`.

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


@dataclass(frozen=True, slots=True)
class Missing:
    """A record that a source has in the graph and a file lacks.

    Attributes:
        kind: Its kind.
        key: What tells it from others.
        pointing: For an entity that nobody else states, the sources whose relations keep it as a stub.
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
    """Take everything out that a source contributed and no other source says too.

    Raises:
        UnknownSourceError: The graph holds nothing of this source.
        DatabaseError: The database refused or went away; run it again to go on.
    """
    sources = sources_of(database, source)
    if not sources:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    gone = Gone()
    for kind in kinds.LAST_FIRST:
        gone += kind.unload(database, sources)
    for row in database.run(catalogue.get("summarise_concepts"), sources=sources):
        gone += Gone(row["removed"])
    fold_sources(database, sources)
    return gone + Gone(database.write(catalogue.get("unload_source"), sources=sources)[0]["removed"])


def _withdraw(run: Run, load: int, kind: StoredKind, page: Sequence[KeyRow]) -> None:
    keep(run, load, kind, page)
    stubs = kind.remove(run, page)
    run(catalogue.get("count_withdrawn"), load=load, count=len(page), stubs=stubs)
