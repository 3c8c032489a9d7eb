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
from typing import TYPE_CHECKING, Final

from ...errors import EmbeddedServerError, InputError
from ...graph import catalogue
from ...graph.database import Database
from ...progress import note, progress
from ...schema import migrate
from ...server.embedded import EmbeddedNeo4j
from ..base import Item, Remark, Row, facts_of, fingerprint, standing_of, unread_of
from ..life.kinds import DOCUMENTS
from ..life.load import Task, begin, end, fault, known_load, only_one
from ..life.outcome import Counts, LoadReport, Outcome, RejectsFile
from ..life.write import MOST_LACKED, Writer, batches, store_all
from .sorting import LOAD, Sorted, read_left
from .sorting_process import SortingProcess

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ...settings import Settings

# Characters that mean something in the names of files that are to be imported
_PATTERN: Final = re.compile(r"[^\w/. -]")


def load_in_bulk(settings: Settings, database: Database, task: Task) -> LoadReport:
    """Bring a source's file into a graph that holds nothing yet; the embedded server is stopped and started for it.

    After any error the graph is as it was; an `InputError` says that it holds something, or is not the embedded
    server's.
    """
    if settings.neo4j_uri is not None:
        raise InputError("--bulk works on the embedded server only; unset NEO4J_URI, or load without --bulk")
    with only_one(database, task.info.id, task.folder):
        sha256 = fingerprint(task.path)
        if report := known_load(database, task, sha256):
            return report
        _require_empty(database)
        recorded = database.read(catalogue.get("encoder"))[0]
        encoder = migrate.Model(recorded["name"], recorded["dimension"])
        with _folder(settings) as folder:
            bulk = Bulk(task, folder, "; the graph is as it was")
            arguments, done = bulk.sort()
            server = EmbeddedNeo4j(settings, note)

            def open_server() -> Database:
                return Database(server.bolt_uri, "neo4j", server.password())

            def check() -> None:
                with open_server() as opened:
                    _require_empty(opened)

            with server.exchanged(arguments, check), open_server() as made:
                return bulk.finish(made, encoder, sha256, done)


def _require_empty(database: Database) -> None:
    for row in database.read(catalogue.get("first_content")):
        said = f"--bulk fills a graph that holds nothing, and this one has a {row['label']}"
        raise InputError(f"{said}; load without --bulk, or set MEDGRAPH_HOME to a new folder")


@contextmanager
def _folder(settings: Settings) -> Iterator[Path]:
    folder = settings.home / "bulk"
    if found := _PATTERN.search(str(folder)):
        said = f"--bulk cannot work in {folder}, for the {found[0]!r} in its name"
        raise InputError(f"{said}; set MEDGRAPH_HOME to another")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    except OSError as error:
        raise EmbeddedServerError(f"{folder} cannot be written ({error.strerror}); the graph is as it was") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Bulk:
    """One bulk load, with its files in a folder; an error says what is `kept` of the graph."""

    def __init__(self, task: Task, folder: Path, kept: str = "") -> None:
        self._task = task
        self._folder = folder
        self._kept = kept
        self._rejects = RejectsFile(task.folder / f"{task.info.id}-{LOAD}.tsv")
        self._unread: list[Item] = []

    def sort(self) -> tuple[list[str], Sorted]:
        """Write the source's records into files; give what to tell the importer, and what became of all items."""
        self._rejects.keep(lambda _: False)
        with SortingProcess(self._folder, self._task.info.id) as sorter:
            task = self._task
            total = task.source.estimate(task.path)
            total = total if task.source.unit == "record" else None
            with closing(task.items()) as items, progress(f"reading {task.info.id}", "record", total) as bar:
                counts = Counts()
                for listed, done in sorter.sort(_collected(batches(items))):
                    self._rejects.append(listed)
                    self._unread.extend(item for _, item in listed if isinstance(item, Remark) and item.count)
                    bar.update(done.position - counts.position)
                    counts = done
                    if task.tolerance.hopeless(counts):
                        break
            self._refuse(counts)
            return sorter.finish()

    def finish(self, database: Database, encoder: migrate.Model, sha256: str, done: Sorted) -> LoadReport:
        """Make an ordinary load's graph of what was imported, from what `sort` gave; again, it goes on."""
        migrate.begin_indexes(database, encoder.dimension)
        migrate.apply(database, encoder.name, encoder.dimension, lambda _: None)
        begun = begin(database, self._task, sha256)
        if begun.load != LOAD:
            raise InputError("another load began meanwhile; wait for it, and load without --bulk")
        counts = self._note_clean(database, done)
        counts += self._store_left(database, counts.position, done.left)
        self._refuse(counts)
        return end(database, self._task, begun, counts, self._rejects)

    def _refuse(self, counts: Counts) -> None:
        """Raise an error if a file is not sound as a whole; before the end of a bulk load nothing of it stays."""
        if error := fault(self._task, counts, self._rejects):
            raise type(error)(f"{error}{self._kept}")

    def _note_clean(self, database: Database, done: Sorted) -> Counts:
        """Note what the import has stored, as if these items had come first."""
        for info in done.parts.values():
            facts, standing = facts_of(info), standing_of(info)
            database.write(catalogue.get("write_source"), facts=facts, whole=self._task.info.id, standing=standing)
        counts = replace(done.counts, position=done.counts.position - done.left)
        if counts.position:
            figures = counts.by_name()
            noted = {"load": LOAD, "start": 0, "end": counts.position, "counts": figures, "held": []}
            noted |= unread_of(self._unread)
            database.write(catalogue.get("advance_load"), **noted, lacked=list(done.lacked), most=MOST_LACKED)
        return counts

    def _store_left(self, database: Database, position: int, size: int) -> Counts:
        numbers: dict[int, list[int]] = {}

        def list_rejects(start: int, _: Sequence[Item], outcome: Outcome) -> None:
            self._rejects.append((numbers[start][n], reject) for n, reject in outcome.rejects)

        def parted() -> Iterator[tuple[int, Sequence[Item]]]:
            start, left = position, read_left(self._folder, size)
            waiting: list[int] = []
            for batch in batches(_numbers_kept(left, waiting)):
                numbers[start] = waiting[: len(batch)]
                del waiting[: len(batch)]
                yield start, batch
                start += len(batch)

        writer = Writer(database, self._task.info.id, LOAD, list_rejects, last_wins=self._task.source.last_wins)
        counts = Counts()
        with progress(f"comparing {self._task.info.id}", "record", size) as bar:
            for batch, outcome in store_all(writer, parted(), (DOCUMENTS,)):
                counts += Counts.of(batch, outcome)
                bar.update(len(batch))
        return counts


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
