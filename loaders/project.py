"""Projects: a folder that says what a graph is built from; what changed in it is loaded anew."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from ..errors import InputError, MedgraphError, SourceFileError
from ..files import below, write_whole
from ..schema import migrate, prefixes
from . import registry
from .base import fingerprint
from .commands import LoadOptions, load_task, rank_named, task_of, unload_named
from .life.withdraw import sources_of
from .mapping import yaml_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..graph.database import Database
    from ..settings import Settings
    from .life.load import Task
    from .life.outcome import LoadReport
    from .mapping.yaml_nodes import Node

Kept = TypeVar("Kept", bound=dict[str, Any])

FILE: Final = "sources.yaml"
LOCK: Final = "sources.lock"
# Nanoseconds in which a second change of a file may have the time of the first: the coarsest clock of file systems
_MOMENT: Final = 2_000_000_000
_EXAMPLE: Final = Path(__file__).parent / "project_files"  # The files of a new project
# Keys of an entry that are texts → the field of `LoadOptions`
_WISHES: Final = {
    "as": "name",
    "title": "title",
    "release": "version",
    "licence": "licence",
    "url": "url",
    "max_rejects": "max_rejects",
}
# Keys of an entry; `from` says to people where the file may be had
_KEYS: Final = ("load", "path", *_WISHES, "rank", "options", "from")


@dataclass(frozen=True, slots=True)
class Entry:
    """One source of a project: loader (or the path of a mapping), file, wishes, and its line in the project's file."""

    loader: str
    path: Path | None
    wish: LoadOptions
    line: int


@dataclass(frozen=True, slots=True)
class Built:
    """What became of one source, or of the loader or mapping that could not be opened.

    A `reason` says why it failed, or that it was taken out.
    """

    source: str
    report: LoadReport | None = None
    reason: str = ""
    failed: bool = False

    @property
    def changed(self) -> bool:
        """Whether the graph may have changed."""
        return not self.failed and not (self.report and self.report.known)


def load_project(folder: Path) -> list[Entry]:
    """Read the file of a project; `SourceFileError` names the line that breaks the rules."""
    file = folder / FILE
    if not file.exists():
        raise SourceFileError(f"there is no {FILE}; make a project by: medgraph init {folder}", file)
    root = yaml_nodes.load(file)
    known = root.value if isinstance(root.value, dict) and root.keys.keys() <= {"sources", "prefixes"} else {}
    entries = known["sources"].value if "sources" in known else None
    if not isinstance(entries, list):
        raise SourceFileError("has `sources:`, a list of what to load, and perhaps `prefixes:`", file, root.line)
    own = _prefixes(file, known["prefixes"]) if "prefixes" in known else {}
    return [_entry(folder, file, node, own) for node in entries]


def _prefixes(file: Path, node: Node) -> dict[str, str]:
    """Read prefixes of the curator's own, each with what its addresses begin with."""
    if not isinstance(node.value, dict):
        raise SourceFileError("`prefixes` has a prefix and what its addresses begin with in each line", file, node.line)
    found = {name: _text(file, value) for name, value in node.value.items()}
    for name, base in found.items():
        if said := prefixes.fault(name, base):
            raise SourceFileError(f"prefixes.{name}: {said}", file, node.keys[name])
    return found


def build(database: Database, settings: Settings, folder: Path, *, locked: bool = False) -> Iterator[Built]:
    """Load every source of a project; what is loaded already stays, and sources no longer named go.

    Args:
        locked: Take only files that are those of the lock file.

    Yields:
        What became of each source; one that cannot be loaded stops none of the others.

    Raises:
        SourceFileError: The project's file cannot be read, or breaks the rules.
        InputError: An entry asks for what cannot be; two entries are the same source; or a file is not that of the lock
            file, where that is wanted.
        SchemaMissingError: The schema has not been applied.
        DatabaseError: The database went away.
    """
    migrate.check(database)
    before = _read_lock(folder)
    tasks, failed = _opened(settings, folder, _Fingerprints(_mark(database, settings, folder, "files")))
    yield from failed
    ids = [task.info.id for _, task in tasks]
    now = {task.info.id: {"file": task.path.name, "sha256": task.sha256} for _, task in tasks}
    if len(now) < len(tasks):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise InputError(f"{FILE} names the source {twice} twice; give one another `as:`, or its mapping another id")
    if locked and (other := sorted(name for name, row in now.items() if before.get(name) != row)):
        raise InputError(f"not as {LOCK} has them: {', '.join(other)}; medgraph build without --locked accepts them")
    put = _Put(_mark(database, settings, folder, "sources"))
    gone = set[str]() if failed else {*before, *put.known} - now.keys()  # what cannot be opened is still named
    for name in sorted(gone):
        if sources_of(database, name):
            yield _taken_out(database, settings, folder, name)
        put.forget(name)
    kept = {name: row for name, row in before.items() if name not in gone}
    for entry, task in tasks:
        name, rank = task.info.id, entry.wish.rank
        done, ranked = put.known.get(name, (False, None))
        if not done or rank != ranked:
            note_index(database, settings, folder, current=False)
        put.note(name, done=False, rank=rank or ranked)
        try:
            report = load_task(database, settings, task, entry.wish)
            if ranked and not rank:
                rank_named(database, settings, name, None)
        except MedgraphError as error:
            note_index(database, settings, folder, current=False)
            yield Built(name, reason=str(error), failed=True)
            continue
        kept[name] = now[name]
        built = Built(name, report)
        if built.changed:
            note_index(database, settings, folder, current=False)
        put.note(name, done=True, rank=rank)
        _write_lock(folder, kept)
        yield built
    _write_lock(folder, kept)


def _taken_out(database: Database, settings: Settings, folder: Path, name: str) -> Built:
    note_index(database, settings, folder, current=False)
    unload_named(database, settings, name)
    return Built(name, reason=f"is no longer in {FILE}; taken out")


def _opened(settings: Settings, folder: Path, known: _Fingerprints) -> tuple[list[tuple[Entry, Task]], list[Built]]:
    """Open the entries of a project; give also those whose file is missing, or cannot be read."""
    tasks: list[tuple[Entry, Task]] = []
    failed: list[Built] = []
    for entry in load_project(folder):
        try:
            task = _task(settings, folder, entry)
            tasks.append((entry, replace(task, sha256=known.of(task.path))))
        except SourceFileError as error:
            failed.append(Built(entry.wish.name or Path(entry.loader).stem, reason=str(error), failed=True))
    known.keep()
    return tasks, failed


def note_index(database: Database, settings: Settings, folder: Path, *, current: bool) -> None:
    """Note whether the graph's indexes have all that is loaded: an interrupted build makes them the next time."""
    mark = _mark(database, settings, folder, "indexed")
    if current:
        write_whole(mark, b"")
    else:
        mark.unlink(missing_ok=True)


def is_indexed(database: Database, settings: Settings, folder: Path) -> bool:
    """Tell whether the indexes had all that was loaded when the last build of this graph ended."""
    return _mark(database, settings, folder, "indexed").exists()


def _mark(database: Database, settings: Settings, folder: Path, what: str) -> Path:
    graph = sha256(f"{database.uri} {database.name} {folder.resolve()}".encode()).hexdigest()
    (settings.home / "builds").mkdir(parents=True, exist_ok=True)
    return settings.home / "builds" / f"{graph[:16]}.{what}"


class _Put:
    """The sources that a project has put into one graph, which the lock file, made for another graph too, cannot tell.

    Of each is `known` whether its last build came to its end, and the rank that the project gave it, or None.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self.known = _kept(file, dict[str, tuple[bool, int | None]])

    def note(self, name: str, *, done: bool, rank: int | None) -> None:
        self.known[name] = done, rank
        self._write()

    def forget(self, name: str) -> None:
        self.known.pop(name, None)
        self._write()

    def _write(self) -> None:
        write_whole(self._file, msgspec.json.encode(self.known))


def _kept(file: Path, kind: type[Kept]) -> Kept:
    """Read what is kept from build to build; nothing where it is missing or broken."""
    try:
        kept: Kept = msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError):
        return kind()
    return kept


class _Fingerprints:
    """The fingerprints of files, kept from build to build: one of the same sizes and times is not read again.

    Times are those of the last change of content, which programs may set, and of any change, which the system sets. A
    file that has just changed is read again the next time: a further change might have the same time.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known = _kept(file, dict[str, tuple[str, str]])

    def of(self, path: Path) -> str:
        name, now, (state, changed) = str(path.resolve()), time.time_ns(), _state(path)
        known, found = self._known.pop(name, ("", ""))
        if known != state:
            found = fingerprint(path)
        if changed < now - _MOMENT:
            self._known[name] = state, found
        return found

    def keep(self) -> None:
        write_whole(self._file, msgspec.json.encode(self._known))


def _state(path: Path) -> tuple[str, int]:
    """Tell the names, sizes and times of a file, or of every file of a folder, as a hash, and when the last changed."""
    try:
        files = sorted(file for file in below(path) if file.is_file()) if path.is_dir() else [path]
        stats = [(str(file), file.stat()) for file in files]
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    said = [(name, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) for name, stat in stats]
    return sha256(repr(said).encode()).hexdigest(), max((changed for *_, changed in said), default=0)


def init(folder: Path) -> list[Path]:
    """Begin a project: what to load, a mapping with its table, and a README; none of these may be there already."""
    made = [folder / file.name for file in sorted(_EXAMPLE.iterdir())]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}; choose another folder") from error
    if taken := [path for path in made if path.exists()]:
        raise InputError(f"{taken[0]} is there already; choose another folder")
    for path in made:
        write_whole(path, (_EXAMPLE / path.name).read_bytes())
    return made


def _entry(folder: Path, file: Path, node: Node, own: Mapping[str, str]) -> Entry:
    if not isinstance(node.value, dict) or "load" not in node.value:
        raise SourceFileError("an entry has `load:`, the name of a loader or the path of a mapping", file, node.line)
    given = node.value
    if unknown := sorted(given.keys() - set(_KEYS)):
        known = ", ".join(_KEYS)
        raise SourceFileError(f"has the unknown key {unknown[0]!r}; known are {known}", file, node.keys[unknown[0]])
    texts = {key: _text(file, given[key]) for key in given if key != "options"}
    if empty := next((key for key, text in texts.items() if not text), None):
        raise SourceFileError(f"`{empty}` is empty; say something, or take the line out", file, node.keys[empty])
    wish: dict[str, Any] = {field: texts[key] for key, field in _WISHES.items() if key in texts}
    if "rank" in texts:
        if texts["rank"] not in map(str, range(1, 10)):
            raise SourceFileError("`rank` is a number from 1 to 9", file, given["rank"].line)
        wish["rank"] = int(texts["rank"])
    if "options" in given:
        options = given["options"].value
        if not isinstance(options, dict):
            raise SourceFileError("`options` has a name and a value in each line", file, given["options"].line)
        wish["options"] = {name: _text(file, value) for name, value in options.items()}
    loader = texts["load"]
    if registry.is_mapping(loader):
        loader = str(folder / loader)
    path = folder / texts["path"] if "path" in texts else None
    if path and folder.resolve().is_relative_to(os.path.realpath(path)):
        said = "`path` is the project's own folder, which every build changes; give the files a folder of their own"
        raise SourceFileError(said, file, given["path"].line)
    return Entry(loader, path, LoadOptions(**wish, replace=True, prefixes=own), node.line)


def _text(file: Path, node: Node) -> str:
    if not isinstance(node.value, str):
        raise SourceFileError("a text is wanted here", file, node.line)
    return node.value


def _task(settings: Settings, folder: Path, entry: Entry) -> Task:
    try:
        return task_of(settings, entry.loader, entry.path, entry.wish)
    except SourceFileError:
        raise
    except MedgraphError as error:
        raise InputError(str(SourceFileError(str(error), folder / FILE, entry.line))) from error


def _read_lock(folder: Path) -> dict[str, Any]:
    """Read the lock file: name and hash of the file of each source."""
    file = folder / LOCK
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SourceFileError(f"cannot be read: {error}; remove it, and medgraph build writes it anew", file) from error
    if not isinstance(rows, dict):
        raise SourceFileError("is no lock file; remove it, and medgraph build writes it anew", file)
    return rows


def _write_lock(folder: Path, rows: dict[str, Any]) -> None:
    text = json.dumps(dict(sorted(rows.items())), indent=2, ensure_ascii=False) + "\n"
    if not (folder / LOCK).exists() or rows != _read_lock(folder):
        write_whole(folder / LOCK, text.encode())
