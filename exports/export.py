"""Exports by the names that commands know them by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..progress import progress
from ..schema import migrate
from . import graph, kgx, nquads, sssom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from ..graph.database import Database
    from ..schema.records import Record

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote.

    Attributes:
        files: The files.
        sources: The ids of the sources whose statements they hold.
        counts: By kind, how many records or mappings.
        remarks: What the files cannot say.
    """

    files: tuple[str, ...]
    sources: tuple[str, ...]
    counts: Mapping[str, int]
    remarks: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Give the report as plain data.

        Returns:
            Data that `json.dumps` takes.
        """
        return {
            "files": list(self.files),
            "sources": list(self.sources),
            "counts": dict(self.counts),
            "remarks": list(self.remarks),
        }


def export(
    database: Database,
    form: str,
    path: Path,
    sources: Collection[str] = (),
    licences: Collection[str] = (),
    *,
    table: bool = False,
    force: bool = False,
) -> Exported:
    """Write what sources state into files.

    Args:
        form: `kgx`, `nquads` or `sssom`.
        path: The file, or the folder for KGX.
        table: For KGX, TSV instead of JSON Lines.

    Raises:
        NotInGraphError: A source or licence is not in the graph.
        InputError: A file is there already, or cannot be written; nothing is changed.
        DatabaseError: The database refused or went away; nothing is written.
    """
    migrate.check(database)
    infos = graph.chosen(database, sources, licences)
    counts: Counter[str] = Counter()
    remarks: list[str] = []
    if form == "sssom":
        remarks = sssom.write(path, infos, _counted(graph.mappings(database, infos), counts), force=force)
        files = [path]
    else:
        statements = _counted(graph.statements(database, infos), counts)
        if form == "kgx":
            files, remarks = kgx.write(path, statements, table=table, force=force)
        else:
            files = nquads.write(path, statements, force=force)
    return Exported(tuple(map(str, files)), tuple(info.id for info in infos), counts, tuple(remarks))


def _counted(items: Iterable[T], counts: Counter[str]) -> Iterator[T]:
    """Pass items on, count them, and show how it goes."""
    with progress("exporting", "record") as bar:
        for item in items:
            counts[_kind(item)] += 1
            bar.update(1)
            yield item


def _kind(item: tuple[str, Record] | sssom.Mapping | Any) -> str:
    return type(item[1] if isinstance(item, tuple) else item).__name__.removesuffix("Info").lower()
