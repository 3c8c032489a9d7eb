"""Exports by the names that commands know them by."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from ..progress import progress
from ..schema import migrate
from . import graph, kgx, nquads, sssom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from ..graph.database import Database
    from ..schema.records import Record

T = TypeVar("T")


def export(
    database: Database,
    form: str,
    path: Path,
    sources: Collection[str] = (),
    licences: Collection[str] = (),
    *,
    table: bool = False,
    force: bool = False,
) -> dict[str, Any]:
    """Write what sources state into files.

    Args:
        database: The graph.
        form: `kgx`, `nquads` or `sssom`.
        path: The file, or the folder for KGX.
        sources: Only these.
        licences: Only sources of these licences.
        table: For KGX, TSV instead of JSON Lines.
        force: Replace what is there.

    Returns:
        `files`, `sources`, how many records of each kind, and how many mappings were `left_out` for want of a CURIE.

    Raises:
        NotInGraphError: A source or licence is not in the graph.
        InputError: A file is there already, or cannot be written; nothing is changed.
        DatabaseError: The database refused or went away; nothing is written.
    """
    migrate.check(database)
    infos = graph.chosen(database, sources, licences)
    counts: Counter[str] = Counter()
    left_out = 0
    if form == "sssom":
        left_out = sssom.write(path, infos, _told(graph.mappings(database, infos), counts), force=force)
        files = [path]
    else:
        said = _told(graph.statements(database, infos), counts)
        files = (
            kgx.write(path, said, table=table, force=force) if form == "kgx" else nquads.write(path, said, force=force)
        )
    return {
        "files": [str(file) for file in files],
        "sources": [info.id for info in infos],
        "counts": dict(counts),
        "left_out": left_out,
    }


def _told(items: Iterable[T], counts: Counter[str]) -> Iterator[T]:
    """Pass items on, count them, and show how it goes."""
    with progress("exporting", "record") as bar:
        for item in items:
            counts[_kind(item)] += 1
            bar.update(1)
            yield item


def _kind(item: tuple[str, Record] | sssom.Mapping | Any) -> str:
    return type(item[1] if isinstance(item, tuple) else item).__name__.removesuffix("Info").lower()
