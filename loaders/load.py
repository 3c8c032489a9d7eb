"""Load a source into the graph, and take it out again."""

from __future__ import annotations

import itertools
import re
import uuid
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from .. import __version__, cypher
from ..errors import InputError, SourceFileError, TooFewRecordsError, TooManyRejectsError, UnknownSourceError
from ..progress import progress
from ..schema import migrate
from ..schema.records import Document, SourceInfo
from .base import Reject, fingerprint
from .writer import Writer, batches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ..database import Database
    from ..settings import Settings
    from .base import Item, Source

MAX_REJECTS: Final = 10
MAX_REJECT_RATE: Final = 0.1
ENOUGH: Final = 1000
"""So many records tell whether a file is worth going on with."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


@dataclass(slots=True)
class LoadReport:
    """What a load did, or would do.

    Attributes:
        source: The source's id.
        load: The load's id; empty for a dry run.
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        rejected: Records that could not be stored.
        position: How many records and rejects the file has given so far.
        resumed_at: How many of them an interrupted run had dealt with before.
        rejects_file: Where the rejects are listed; None when there are none.
        known: Whether the same file was loaded before, so that nothing had to be read.
    """

    source: str
    load: str = ""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    rejected: int = 0
    position: int = 0
    resumed_at: int = 0
    rejects_file: Path | None = None
    known: bool = False

    def counts(self) -> dict[str, int]:
        """Give the counts that the graph keeps of a load.

        Returns:
            `position`, `added`, `changed`, `unchanged` and `rejected`.
        """
        return {name: getattr(self, name) for name in ("position", "added", "changed", "unchanged", "rejected")}

    def as_dict(self) -> dict[str, Any]:
        """Give the report as plain data.

        Returns:
            Data that `json.dumps` takes.
        """
        return asdict(self) | {"rejects_file": str(self.rejects_file) if self.rejects_file else None}

    def summary(self) -> str:
        """Say what happened.

        Returns:
            One line.
        """
        if self.known:
            return f"{self.source}: this file is loaded already; nothing changed ({self.unchanged:,} records)"
        verb = "" if self.load else "would be "
        resumed = f" (taken up at record {self.resumed_at:,})" if self.resumed_at else ""
        return (
            f"{self.source}: {self.added:,} records {verb}added, {self.changed:,} {verb}changed, "
            f"{self.unchanged:,} unchanged, {self.rejected:,} rejected{resumed}"
        )


def load(
    database: Database,
    source: Source,
    path: Path,
    rejects_folder: Path,
    *,
    info: SourceInfo | None = None,
    limit: int | None = None,
    dry_run: bool = False,
) -> LoadReport:
    """Bring a source's file into the graph; a second time changes nothing, an interrupted run is taken up.

    Args:
        database: Where to.
        source: What kind of file it is.
        path: The file or folder.
        rejects_folder: Where to list what could not be stored.
        info: What to record as the source instead of the loader's own, for files of one's own.
        limit: Stop after so many records.
        dry_run: Only compare; write nothing.

    Returns:
        The counts.

    Raises:
        SourceFileError: The file cannot be read.
        TooManyRejectsError: More than a tenth of the records, and more than ten, were rejected.
        TooFewRecordsError: The file holds fewer records than the source states as its minimum.
        DatabaseError: The database refused or went away; what was committed stays, and the load can be repeated.
    """
    info = info or source.info
    if not path.exists():
        raise SourceFileError("there is no such file or folder", path)
    report = LoadReport(info.id)
    sha256 = "" if dry_run else fingerprint(path)
    if not dry_run and limit is None and _is_loaded(database, info, sha256, report):
        return report
    total = source.estimate(path)  # which also finds a file that cannot be read, before anything is written
    if not dry_run:
        _begin(database, info, path, sha256, report)
        report.rejects_file = rejects_folder / f"{info.id}-{report.load}.tsv"
        _keep_lines(report.rejects_file, report.rejected)
    writer = Writer(database, info.id, report.load or None)
    items = itertools.islice(source.records(path), report.position, limit)
    with progress(f"loading {info.id}", "document", total) as bar:
        for batch in batches(items):
            _store(writer, batch, report)
            bar.update(sum(1 for item in batch if not isinstance(item, Reject) and isinstance(item.record, Document)))
            if report.position >= ENOUGH and _too_many_rejects(report):
                break
    error = _fault(info, report, whole=limit is None)
    if not dry_run:
        _finish(database, info, report, "failed" if error else "finished" if limit is None else "limited")
    if error:
        raise error
    if report.rejects_file is not None and not report.rejected:
        report.rejects_file = None
    return report


def load_named(  # noqa: PLR0913 - one argument an option of the command
    database: Database,
    settings: Settings,
    source: str,
    path: Path | None = None,
    *,
    name: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    limit: int | None = None,
    dry_run: bool = False,
) -> LoadReport:
    """Load a source by its name in commands.

    Args:
        database: Where to.
        settings: Where rejects go.
        source: The loader's name.
        path: The file or folder; None for a source that is packaged.
        name: For documents of one's own, the id of their source.
        title: For documents of one's own, the name of their source.
        licence: For documents of one's own, their licence.
        limit: Stop after so many records.
        dry_run: Only compare; write nothing.

    Returns:
        The counts.

    Raises:
        UnknownSourceError: There is no such loader.
        InputError: The path is missing, or the source's own facts cannot be changed.
        SourceError: The file cannot be loaded.
        DatabaseError: The database refused or went away.
    """
    from . import registry

    loader = registry.get(source)
    migrate.check(database)
    if (name or title or licence) and source != "documents":
        raise InputError(f"--as, --title and --licence are for documents of your own; {source} states its own")
    if name is not None and (not _NAME.fullmatch(name) or (name in registry.SOURCES and name != "documents")):
        raise InputError(
            f"{name!r} cannot name a source: use small letters, digits, - and _, and no known source's name"
        )
    path = path or loader.packaged
    if path is None:
        raise InputError(f"the source {source} needs a path: medgraph load {source} PATH")
    own = loader.info
    info = replace(own, id=name or own.id, title=title or own.title, licence=licence or own.licence)
    return load(database, loader, path, settings.home / "rejects", info=info, limit=limit, dry_run=dry_run)


def list_sources(database: Database) -> list[dict[str, Any]]:
    """List every source that can be loaded or is.

    Args:
        database: The graph.

    Returns:
        Rows of `source`, `loaded`, `documents`, `status`, `licence`, `version`, `title` and `url`.

    Raises:
        DatabaseError: The database refused or went away.
    """
    from . import registry

    loaded = {row["source"]: row for row in database.read(cypher.get("sources"))}
    rows = {s.info.id: s.info for s in registry.SOURCES.values()}
    known = [
        {"source": i.id, "title": i.title, "version": i.version, "licence": i.licence, "url": i.url, "documents": 0}
        for i in rows.values()
    ]
    merged = {row["source"]: row | {"status": None} for row in known} | loaded
    return [row | {"loaded": name in loaded} for name, row in sorted(merged.items())]


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
    if source not in {row["source"] for row in database.read(cypher.get("sources"))}:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    removed = 0
    for name in ("unload_documents", "unload_relations", "unload_entities", "summarise_concepts", "unload_source"):
        query = cypher.get(name)
        removed += sum(row["removed"] for row in database.run(query, source=source))
    return removed


def _is_loaded(database: Database, info: SourceInfo, sha256: str, report: LoadReport) -> bool:
    """Tell whether the source's newest load finished with the same file, and nothing was taken out since."""
    wanted = {"status": "finished", "sha256": sha256, "medgraph": __version__, "facts": _facts(info)}
    for row in database.read(cypher.get("last_load"), source=info.id):
        report.known = row["documents"] == row["recorded"] and wanted.items() <= row.items()
        report.unchanged = row["records"] if report.known else 0
    return report.known


def _facts(info: SourceInfo) -> dict[str, str]:
    facts = asdict(info)
    del facts["minimum"]
    return facts


def _begin(database: Database, info: SourceInfo, path: Path, sha256: str, report: LoadReport) -> None:
    name = path.name.encode("utf-8", "backslashreplace").decode()
    begun = database.write(
        cypher.get("begin_load"),
        source=_facts(info),
        load={"id": uuid.uuid4().hex, "file": name, "sha256": sha256, "medgraph": __version__},
    )[0]
    report.load = begun.pop("id")
    for name, value in begun.items():
        setattr(report, name, value)
    report.resumed_at = report.position


def _store(writer: Writer, batch: list[Item], report: LoadReport) -> None:
    outcome = writer.compare([item for item in batch if not isinstance(item, Reject)])
    rejects = [*(item for item in batch if isinstance(item, Reject)), *outcome.rejects]
    report.position += len(batch)
    report.added += len(outcome.added)
    report.changed += len(outcome.changed)
    report.unchanged += len(outcome.unchanged)
    report.rejected += len(rejects)
    if report.rejects_file is not None:
        # Listed before they are counted: a load that is taken up cuts the list to what was counted.
        _append(report.rejects_file, rejects)
        writer.store(outcome, report.counts())


def _finish(database: Database, info: SourceInfo, report: LoadReport, status: str) -> None:
    database.run(cypher.get("summarise_concepts"), source=info.id)
    database.write(cypher.get("finish_load"), load=report.load, status=status)
    database.run(cypher.get("refresh_fulltext"))


def _fault(info: SourceInfo, report: LoadReport, *, whole: bool) -> TooManyRejectsError | TooFewRecordsError | None:
    """Say what is wrong with a file as a whole."""
    if _too_many_rejects(report):
        verb = "were" if report.load else "would be"
        where = f"; see {report.rejects_file}" if report.rejects_file else ""
        remedy = f". What was good is in the graph; medgraph unload {info.id} takes it out" if report.load else ""
        return TooManyRejectsError(
            f"{report.rejected:,} of {report.position:,} records of {info.id} {verb} rejected{where}{remedy}"
        )
    records = report.position - report.rejected
    if whole and records < info.minimum:
        return TooFewRecordsError(
            f"{info.id} gave {records:,} records; a sound file holds at least {info.minimum:,}: is it whole?"
        )
    return None


def _too_many_rejects(report: LoadReport) -> bool:
    return report.rejected > max(MAX_REJECTS, MAX_REJECT_RATE * report.position)


def _keep_lines(path: Path, count: int) -> None:
    """Cut a rejects file to what the load had counted when it was interrupted."""
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[: count + 1]) if count else "", encoding="utf-8")


def _append(path: Path, rejects: Iterable[Reject]) -> None:
    rejects = list(rejects)
    if not rejects:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        if file.tell() == 0:
            file.write("file\tline\treason\n")
        for reject in rejects:
            where, reason = (" ".join(text.split()) for text in (reject.file, reject.reason))
            file.write(f"{where}\t{reject.line}\t{reason}\n")
