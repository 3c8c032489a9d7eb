"""Load a source into the graph, or list what that would change, element by element."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256 as sha256_of
from typing import TYPE_CHECKING, Any, Final

from ... import __version__
from ...errors import ConflictError, InputError, SourceError, SourceFileError, TooFewRecordsError, TooManyRejectsError
from ...files import locked
from ...graph import catalogue
from ...progress import note, progress
from ...schema.checks import MAX_ID
from ...schema.concept_relations import fold_sources
from ...schema.records import SourceInfo
from ...schema.rows import differences, title
from ..base import UNSTATED, UNVERSIONED, Item, Reject, Remark, Row, Source, facts_of, fingerprint, standing_of
from ..files.cell_values import stem
from ..judged import judged_values
from . import kinds, withdraw
from .compare import NO_LOAD, Comparison, Memory, numbered
from .outcome import Counts, LoadReport, Outcome, RejectsFile, Tolerance
from .write import MOST_LACKED, Writer, batches, store_all

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ...graph.database import Database

_TRIES: Final = 5
SHOWN: Final = 10  # rejects of a dry run that are shown; all are listed
FEW: Final = 20  # records of which a replacement may withdraw most


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be loaded, and how."""

    source: Source
    path: Path
    info: SourceInfo
    folder: Path
    options: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    replace: bool = False  # whether the file is the source's whole next release, so that what it lacks is withdrawn
    again: bool = False  # whether it is read even if the same file is loaded already
    shrink: bool = False  # whether it may lack most of what the source has
    title: str = ""  # what a curator calls the source, for the titles of its parts; empty where nobody says
    heads_parts: bool = False  # whether the source's id was wished for, so that the ids of its parts begin with it
    tolerance: Tolerance = field(default_factory=Tolerance)
    sha256: str = ""
    address: str = ""  # where the file was fetched from, which the load's node names in the place of the file
    fetched: tuple[Mapping[str, str], ...] = ()  # address, hash and day of each file that was fetched
    reading: str = ""  # the hash of the options, the mapping and the file beside; empty if there are none

    def items(self) -> Generator[Item, None, None]:
        """Read the file, with remarks on values that cannot be; each row has the id of the source that says so."""
        with closing(self._stated()) as items:
            yield from judged_values(items, self.info, self.options.get("prefix", ""), stem(self.path))

    def _stated(self) -> Generator[Item, None, None]:
        parts = {self.info.id: self.info.id}
        for number, item in enumerate(self.source.records(self.path, **self.options)):
            if self.limit is not None and number >= self.limit:
                return
            if not isinstance(item, Row):
                if isinstance(item, Remark) and item.loud:
                    note(f"{item.file}:{item.line}: {item.text}")
                yield item
                continue
            record = item.record
            if isinstance(record, SourceInfo):
                part = self._part(record)
                parts[record.id], record = part.id, part
            source = item.source or self.info.id
            if source in parts:
                yield replace(item, record=record, source=parts[source])
            else:
                yield Reject(item.file, item.line, f"the source {source} was not announced before")

    def _part(self, part: SourceInfo) -> SourceInfo:
        """Give a part the licence and release of the whole where it states none, and the id and title wished for."""
        begins = not self.heads_parts or part.id.startswith((f"{self.info.id}-", f"{self.info.id[:25]}-"))
        return replace(
            part,
            id=part.id if begins else f"{self.info.id[:25]}-{part.id}"[:60],
            licence=self.info.licence if part.licence == UNSTATED else part.licence,
            version=self.info.version if part.version == UNVERSIONED else part.version,
            title=f"{self.title}: {part.title}"[:MAX_ID] if self.title else part.title,
        )


def load(database: Database, task: Task, *, dry_run: bool = False) -> LoadReport:
    """Bring a source's file into the graph; a second time changes nothing, an interrupted run is taken up.

    Raises what `fault` finds; an `InputError` where it is loaded as a part of another source. Where the database fails,
    what was committed stays, and the load can be repeated.
    """
    if not task.path.exists():
        raise SourceFileError("there is no such file or folder", task.path)
    for row in database.read(catalogue.get("source_facts"), ids=[task.info.id]):
        if whole := row["part_of"]:
            raise InputError(f"the source {task.info.id} is a part of {whole} here; run first: medgraph unload {whole}")
    if dry_run:
        return _foretold(database, task)
    with only_one(database, task.info.id, task.folder):
        return _load(database, task)


def _foretold(database: Database, task: Task) -> LoadReport:
    counts, gone, reasons = Counts(), Counts(), list[str]()
    rejects = RejectsFile(task.folder / f"{task.info.id}-dry-run.tsv")
    rejects.path.unlink(missing_ok=True)
    with Memory() as memory:
        for batch, outcome in judged(database, task, memory):
            found = _unsound(counts.position, batch, outcome)
            rejects.append(found)
            reasons += [f"{item.where}: {item.reason}" for _, item in found if isinstance(item, Reject)]
            del reasons[SHOWN:]
            counts += Counts.of(batch, outcome)
            if task.tolerance.hopeless(counts):
                break
        if task.replace and not task.tolerance.exceeded(counts):
            for missing in withdraw.missing(database, task.info.id, memory):
                gone += Counts(withdrawn=1, stubs=bool(missing.pointing))
    counts += gone
    rejects.keep(lambda _: True)
    listed = rejects.path if rejects.path.exists() else None
    if error := fault(task, counts, rejects) or _shrinking(database, task, gone=gone.withdrawn):
        others = (reason for reason in reasons if reason.partition(": ")[2] not in str(error))
        raise type(error)("\n".join([str(error), *others]))
    return LoadReport(**asdict(counts), source=task.info.id, rejects_file=listed, reasons=tuple(reasons))


def _unsound(start: int, batch: Sequence[Item], outcome: Outcome) -> list[tuple[int, Reject | Remark]]:
    """Give the rejects and remarks of a batch, each with its number in the file."""
    read = [(start + n, item) for n, item in enumerate(batch) if not isinstance(item, Row)]
    return [*read, *((start + n, item) for n, item in outcome.rejects)]


def only_one(database: Database, source: str, folder: Path) -> AbstractContextManager[None]:
    """Give a context in which no other process of this machine changes a source."""
    where = sha256_of(f"{database.uri} {database.name}".encode()).hexdigest()[:12]
    lock = folder.parent / "locks" / f"{source}-{where}"
    return locked(lock, lambda: note(f"{source} is being changed by another command; waiting for it"))


def judged(database: Database, task: Task, memory: Memory) -> Iterator[tuple[Sequence[Item], Outcome]]:
    """Compare a file with the graph, writing nothing; yield batches, each with what would become of it."""
    total = task.source.estimate(task.path)
    comparison = Comparison(database.read, task.info.id, NO_LOAD, memory, last_wins=task.source.last_wins)
    with closing(task.items()) as items, progress(f"comparing {task.info.id}", task.source.unit, total) as bar:
        for batch in batches(items):
            yield batch, comparison.compare(list(numbered(batch)))
            bar.update(_size(task, batch))


def _load(database: Database, task: Task) -> LoadReport:
    sha256 = task.sha256 or fingerprint(task.path)
    if report := known_load(database, task, sha256):
        return report
    total = task.source.estimate(task.path)  # which also finds a file that cannot be read, before anything is written
    before = database.read(catalogue.get("last_load"), source=task.info.id)
    begun = begin(database, task, sha256)
    rejects = RejectsFile(task.folder / f"{task.info.id}-{begun.load}.tsv")
    rejects.keep(begun.has_done)

    def list_rejects(start: int, batch: Sequence[Item], outcome: Outcome) -> None:
        rejects.append(_unsound(start, batch, outcome))

    how = {"last_wins": task.source.last_wins, "again": bool(before)}
    writer = Writer(database, task.info.id, begun.load, list_rejects, **how)
    # A document that changes gives ids of sections free, which another one may claim in the next batch.
    sources = withdraw.sources_of(database, task.info.id)
    known = database.read(catalogue.get("stale_documents"), sources=sources, load=NO_LOAD, limit=1)
    counts, alone = begun.counts, (kinds.DOCUMENTS,) if known else ()
    # Closed here and now: what loaders keep in files of their own belongs to this thread.
    try:
        with closing(task.items()) as items, progress(f"loading {task.info.id}", task.source.unit, total) as bar:
            for batch, outcome in store_all(writer, _pending_batches(task, items, begun, bar.update), alone):
                counts += Counts.of(batch, outcome)
                if task.tolerance.hopeless(counts):
                    break
    except SourceError:  # the file cannot be read to its end, so that nothing can be taken up
        _settle(database, task, begun, "failed")
        raise
    return end(database, task, begun, counts, rejects)


def _pending_batches(
    task: Task, items: Iterable[Item], begun: LoadRun, advance: Callable[[int], Any]
) -> Iterator[tuple[int, Sequence[Item]]]:
    """Give the batches that the load has not stored yet, with how many items come before each."""
    start = 0
    for batch in batches(items):
        advance(_size(task, batch))
        if not begun.has_done(start):
            yield start, batch
        start += len(batch)


def end(database: Database, task: Task, begun: LoadRun, counts: Counts, rejects: RejectsFile) -> LoadReport:
    """Bring what a load has stored into its final form, and note how it ended; raises what `fault` finds."""
    error = fault(task, counts, rejects, begun.load) or _shrinking(database, task, begun.load, counts)
    if task.replace and not error:
        withdraw.withdraw_unseen(database, task.info.id, begun.load)
    stored = _settle(database, task, begun, "failed" if error else "finished" if task.limit is None else "limited")
    done = Counts.stored(stored)
    rejects.keep(lambda number: not stored or number < done.position)
    if error:
        raise error
    listed = rejects.path if rejects.path.exists() else None
    left = 0 if task.limit is not None else stored["left"]
    facts: dict[str, Any] = {"source": task.info.id, "load": begun.load, "resumed_at": begun.counts.position}
    return LoadReport(**asdict(done), **facts, rejects_file=listed, left=left)


def _settle(database: Database, task: Task, begun: LoadRun, status: str) -> Mapping[str, Any]:
    """Summarise what a load stored, and give its figures; one that failed before it stored anything is forgotten."""
    if status == "failed" and database.write(catalogue.get("drop_load"), load=begun.load)[0]["dropped"]:
        return {}
    database.run(catalogue.get("drop_formers"), load=begun.load)
    sources = withdraw.sources_of(database, task.info.id)
    withdraw.settle(database, sources)
    database.run(catalogue.get("summarise_concepts"), sources=sources)
    database.run(catalogue.get("link_documents"))
    fold_sources(database, sources, begun.load, gone=task.replace)
    stored: Mapping[str, Any] = database.write(catalogue.get("finish_load"), load=begun.load, status=status)[0]
    database.run(catalogue.get("refresh_fulltext"))
    return stored


def known_load(database: Database, task: Task, sha256: str) -> LoadReport | None:
    """Tell whether the source's newest load finished with the same file, and reading it again would change nothing.

    Nothing was taken out since, and nothing has come that records of it were rejected for the lack of.
    """
    if task.limit is not None or task.again:
        return None
    wanted: dict[str, Any] = {"status": "finished", "sha256": sha256, "reading": task.reading, "medgraph": __version__}
    wanted |= {"facts": facts_of(task.info), "loader": task.source.info.id}
    for row in database.read(catalogue.get("last_load"), source=task.info.id):
        same = row["elements"] == row["recorded"] and wanted.items() <= row.items()
        same = same and (row["replaced"] or not task.replace)  # what it lacks may be there from loads before it
        if same and not database.read(catalogue.get("waiting_loads"), load=row["id"], most=MOST_LACKED):
            return LoadReport(source=task.info.id, unchanged=row["records"], lacking=row["lacking"], known=True)
    return None


@dataclass(frozen=True, slots=True)
class LoadRun:
    """A load that has begun, or is taken up after an interruption.

    What was stored before is counted; `ahead` are beginnings and ends of what it had stored beyond its position.
    """

    load: int
    counts: Counts = field(default_factory=Counts)
    ahead: tuple[tuple[int, int], ...] = ()

    def has_done(self, item: int) -> bool:
        """Tell whether an interrupted run has stored or rejected the item of a number."""
        return item < self.counts.position or any(start <= item < end for start, end in self.ahead)


def begin(database: Database, task: Task, sha256: str) -> LoadRun:
    """Note that a load begins, or goes on; a `ConflictError` where too many others begin at the same time."""
    name = task.address or task.path.name.encode("utf-8", "backslashreplace").decode()
    facts: dict[str, Any] = {"file": name, "sha256": sha256, "reading": task.reading, "medgraph": __version__}
    facts |= {"replace": task.replace, "loader": task.source.info.id}
    begun: dict[str, Any] = {}
    given = {"source": facts_of(task.info), "load": facts, "standing": standing_of(task.info)}
    for number in range(_TRIES):
        try:
            begun = database.write(catalogue.get("begin_load"), **given)[0]
            break
        except ConflictError:  # another source's load began at the same time and took the number
            if number == _TRIES - 1:
                raise
    flat = begun["ahead"]
    return LoadRun(begun["id"], Counts.stored(begun), tuple(zip(flat[::2], flat[1::2], strict=True)))


def _size(task: Task, batch: Iterable[Item]) -> int:
    if task.source.unit == "document":
        return sum(1 for item in batch if isinstance(item, Row) and kinds.of(item.record) is kinds.DOCUMENTS)
    return sum(1 for _ in batch)


def fault(task: Task, counts: Counts, rejects: RejectsFile, load: int = 0) -> SourceError | None:
    """Say what is wrong with a file as a whole, if anything; `load` is 0 where nothing of it stays."""
    verb = "were" if load else "would be"
    where = f"; see {rejects.path}" if rejects.path.exists() else ""
    rejected = f"{counts.rejected:,} of {counts.total:,} records of {task.info.id} {verb} rejected{where}"
    if task.tolerance.exceeded(counts):
        stay = f". What was good is in the graph; medgraph unload {task.info.id} takes it out"
        remedy = stay if load and counts.records else ""
        limit = "If they may be left out, --max-rejects goes on: a number, a share such as 20%, or all"
        return TooManyRejectsError(f"{rejected}. {rejects.commonest}{remedy}. {limit}")
    if task.limit is None and counts.records < task.info.minimum:
        few = f"{task.address or task.path}: {task.info.id} gave {counts.records:,} records"
        few = f"{few}; a sound file holds at least {task.info.minimum:,}"
        why = f"{rejected}. {rejects.commonest}" if counts.rejected else rejects.remark or "is it whole?"
        return TooFewRecordsError(f"{few}: {why}")
    return None


def _shrinking(
    database: Database, task: Task, load: int = NO_LOAD, counts: Counts | None = None, gone: int | None = None
) -> SourceError | None:
    """Refuse a file that would withdraw most of what its source has, unless a curator has said that it may."""
    if not task.replace or task.shrink:
        return None
    sources, counts = withdraw.sources_of(database, task.info.id), counts or Counts()
    (found,) = database.read(catalogue.get("unseen_records"), sources=sources, load=load)
    had, gone = found["records"] - counts.added, found["unseen"] if gone is None else gone
    if had < FEW or 2 * gone <= had:
        return None
    said = f"{task.address or task.path} lacks {gone:,} of the {had:,} records that the source {task.info.id} has"
    new = f", and medgraph undo {task.info.id} takes back what is new" if counts.added + counts.changed else ""
    stay = f"They stay{new}. If they are to go, --allow-shrink withdraws them"
    return TooFewRecordsError(f"{said}: is it whole? {stay}")


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that a load would change.

    It is `added`, `changed` (`detail` says what went and what came), `withdrawn` or `rejected` (`detail` says why).
    """

    change: str
    kind: str
    element: str
    detail: str = ""


def diff(database: Database, task: Task) -> Iterator[Difference]:
    """Compare a file, as a source's whole next release, with the graph; nothing is written.

    Yields what would be added, changed and rejected, in the file's order, then what would be withdrawn; of a source
    whose later records replace earlier ones, what comes of all of them.
    """
    found = _differences(database, task)
    yield from _net(found) if task.source.last_wins else found


def _net(found: Iterator[Difference]) -> Iterator[Difference]:
    standing: dict[tuple[str, str], Difference] = {}
    for one in found:
        if one.change == "rejected":
            yield one
            continue
        before = standing.pop((one.kind, one.element), one)
        if before.change != "added" or one.change != "withdrawn":  # else it comes and goes
            standing[one.kind, one.element] = before if before.change == "added" else one
    yield from standing.values()


def _differences(database: Database, task: Task) -> Iterator[Difference]:
    with Memory() as memory:
        for batch, outcome in judged(database, task, memory):
            yield from (_difference("added", row) for row in outcome.added)
            if outcome.changed:
                yield from _changed(database, outcome.changed)
            yield from (_difference("withdrawn", row) for row in outcome.withdrawn)
            broken = (item for item in batch if isinstance(item, Reject))
            for reject in (*broken, *(reject for _, reject in outcome.rejects)):
                yield Difference("rejected", "", reject.where, reject.reason)
        for gone in withdraw.missing(database, task.info.id, memory):
            named = (gone.key[name] for name in gone.kind.key_names if name != "source" and gone.key[name])
            kept = f"stays as a stub: relations of {', '.join(gone.pointing)} point to it" if gone.pointing else ""
            yield Difference("withdrawn", gone.kind.name, " ".join(named), kept)


def _changed(database: Database, rows: Sequence[Row]) -> Iterator[Difference]:
    kind = kinds.of(rows[0].record)
    stored = kind.stored_as.stored(database.read, [kind.key_row(row) for row in rows]) if kind.stored_as else []
    before = {kind.key(Row(beside.record, "", source=beside.source)): beside.record for beside in stored}
    for row in rows:
        former = before.get(kind.key(row))
        yield _difference("changed", row, "; ".join(differences(former, row.record)) if former else "")


def _difference(change: str, row: Row, detail: str = "") -> Difference:
    return Difference(change, kinds.of(row.record).name, title(row.record), detail)
