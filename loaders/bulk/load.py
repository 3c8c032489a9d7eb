"""A first load of millions: records become CSV files, and `neo4j-admin database import` makes the graph of them.

What an import cannot do, such as comparing what a source says twice, is left for the writer, which does it afterwards:
the graph is that of an ordinary load. Until all is done the former database is kept; it comes back if anything fails.
"""

from __future__ import annotations

import gc
import re
import shutil
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ...errors import EmbeddedServerError, InputError
from ...graph import catalogue
from ...graph.database import Database
from ...progress import note, progress
from ...schema import migrate
from ...schema.records import Document
from ...server.embedded import EmbeddedNeo4j
from ..base import Row, facts_of, fingerprint
from ..life.load import ENOUGH, begin, count, end, fault, is_loaded, only_one, too_many_rejects
from ..life.parallel import store_all
from ..life.report import LoadReport, RejectsFile
from ..life.write import Writer, batches
from .sorting import LOAD, Sorter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ...settings import Settings
    from ..base import Item
    from ..life.compare import Outcome
    from ..life.load import Task

_PATTERN: Final = re.compile(r"[^\w/. -]")
"""Characters that mean something in the names of files that are to be imported."""


def load_in_bulk(settings: Settings, database: Database, task: Task) -> LoadReport:
    """Bring a source's file into a graph that holds nothing yet; the embedded server is stopped and started for it.

    Args:
        settings: Where the embedded server is.
        database: Its database.
        task: What is to be loaded.

    Returns:
        The counts.

    Raises:
        InputError: The graph holds something, or is not the embedded server's.
        SourceError: The file cannot be read, or too much of it is rejected; the graph is as it was.
        EmbeddedServerError: The import failed; the graph is as it was.
        DatabaseError: The database refused or went away; the graph is as it was.
    """
    if settings.neo4j_uri is not None:
        raise InputError("--bulk works on the embedded server only; unset NEO4J_URI, or load without --bulk")
    with only_one(database, task.info.id, task.folder):
        report = LoadReport(task.info.id)
        sha256 = fingerprint(task.path)
        if task.limit is None and is_loaded(database, task, sha256, report):
            return report
        _require_empty(database)
        encoder = database.read(catalogue.get("encoder"))[0]
        with _folder(settings) as folder, Sorter(folder, task.info.id) as sorter:
            return _Bulk(settings, task, sorter, encoder).load(sha256, report)


def _require_empty(database: Database) -> None:
    for row in database.read(catalogue.get("first_content")):
        raise InputError(
            f"--bulk fills a graph that holds nothing, and this one has a {row['label']}; load without --bulk, or set "
            "MEDGRAPH_HOME to a new folder"
        )


@contextmanager
def _folder(settings: Settings) -> Iterator[Path]:
    """Make a folder for the files, on the disk where the graph will be."""
    folder = settings.home / "bulk"
    if found := _PATTERN.search(str(folder)):
        raise InputError(
            f"--bulk cannot work in {folder}, for the {found[0]!r} in its name; set MEDGRAPH_HOME to another"
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    except OSError as error:
        raise EmbeddedServerError(f"{folder} cannot be written ({error.strerror}); the graph is as it was") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Bulk:
    """One bulk load."""

    def __init__(self, settings: Settings, task: Task, sorter: Sorter, encoder: dict[str, Any]) -> None:
        self._server = EmbeddedNeo4j(settings, note)
        self._task = task
        self._encoder = encoder
        self._sorter = sorter
        self._rejects = RejectsFile(task.folder / f"{task.info.id}-{LOAD}.tsv")

    def load(self, sha256: str, report: LoadReport) -> LoadReport:
        self._rejects.keep(lambda _: False)
        self._sort(report)
        with self._server.exchanged(self._sorter.finish(), self._check), self._open() as database:
            migrate.apply(database, self._encoder["name"], self._encoder["dimension"], lambda _: None)
            begin(database, self._task, sha256, report)
            if report.load != LOAD:
                raise InputError("another load began meanwhile; wait for it, and load without --bulk")
            self._note_clean(database, report)
            self._store_left(database, report)
            self._refuse(report)
            return end(database, self._task, report, self._rejects)

    def _open(self) -> Database:
        return Database(self._server.bolt_uri, "neo4j", self._server.password())

    def _check(self) -> None:
        with self._open() as database:
            _require_empty(database)

    def _sort(self, report: LoadReport) -> None:
        task, counts = self._task, self._sorter.counts
        total = task.source.estimate(task.path)
        total = total if task.source.unit == "record" else None
        with closing(task.items()) as items, progress(f"reading {task.info.id}", "record", total) as bar:
            for batch in _collected(batches(items)):
                self._rejects.append(self._sorter.sort(batch))
                report.position, report.rejected, report.remarks = counts.position, counts.rejected, counts.remarks
                bar.update(len(batch))
                if report.position >= ENOUGH and too_many_rejects(report):
                    break
        self._refuse(report)

    def _refuse(self, report: LoadReport) -> None:
        """Raise an error if a file is not sound as a whole; before the end of a bulk load nothing of it stays."""
        if error := fault(self._task, replace(report, load=0)):
            where = f"; see {self._rejects.path}" if self._rejects.path.exists() else ""
            raise type(error)(f"{error}{where}; the graph is as it was")

    def _note_clean(self, database: Database, report: LoadReport) -> None:
        """Note what the import has stored, as if these items had come first."""
        counts = self._sorter.counts
        for info in counts.parts.values():
            database.write(catalogue.get("write_source"), facts=facts_of(info), whole=self._task.info.id)
        report.added, report.position = counts.clean, counts.position - counts.left
        done = {"changed": 0, "unchanged": 0, "withdrawn": 0}
        done |= {"added": counts.clean, "rejected": counts.rejected, "remarks": counts.remarks}
        if report.position:
            database.write(catalogue.get("advance_load"), load=LOAD, start=0, end=report.position, counts=done)

    def _store_left(self, database: Database, report: LoadReport) -> None:
        numbers: dict[int, list[int]] = {}

        def list_rejects(start: int, _: Sequence[Item], outcome: Outcome) -> None:
            self._rejects.append((numbers[start][n], reject) for n, reject in outcome.rejects)

        def parted() -> Iterator[tuple[int, Sequence[Item]]]:
            start, left = report.position, self._sorter.left()
            waiting: list[int] = []
            for batch in batches(_numbers_kept(left, waiting)):
                numbers[start] = waiting[: len(batch)]
                del waiting[: len(batch)]
                yield start, batch
                start += len(batch)

        writer = Writer(database, self._task.info.id, LOAD, list_rejects, last_wins=self._task.source.last_wins)
        with progress(f"comparing {self._task.info.id}", "record", self._sorter.counts.left) as bar:
            for batch, outcome in store_all(writer, parted(), (Document,)):
                count(report, batch, outcome)
                bar.update(len(batch))


def _numbers_kept(left: Iterator[tuple[int, Row]], numbers: list[int]) -> Iterator[Row]:
    for number, row in left:
        numbers.append(number)
        yield row


def _collected(parts: Iterator[list[Item]]) -> Iterator[list[Item]]:
    """Let Python look for garbage once a batch: records are made by the thousand and hold no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for number, part in enumerate(parts):
            yield part
            if number % 8 == 0:
                gc.collect(1)
    finally:
        if was_enabled:
            gc.enable()
