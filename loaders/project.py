"""Projects: a folder that says what a graph is built from; what changed in it is loaded anew."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from ..errors import DownloadError, InputError, MedgraphError, SourceFileError, TermsError
from ..files import below, write_whole
from ..schema import migrate, prefixes
from . import registry
from .addresses import is_address
from .base import fingerprint
from .commands import LoadOptions, Where, announce, load_task, rank_named, task_of, unload_named
from .life.withdraw import sources_of
from .mapping import yaml_nodes
from .recipes import chosen
from .searches import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    "sha256": "sha256",
    "search": "search",
}
# Keys of an entry; `from` says to people where the file may be had
_KEYS: Final = ("load", "path", *_WISHES, "rank", "options", "from", "most")


@dataclass(frozen=True, slots=True)
class Entry:
    """One source of a project: loader (or the path of a mapping), file or addresses, wishes, and its line."""

    loader: str
    where: Where
    wish: LoadOptions
    line: int


@dataclass(frozen=True, slots=True)
class Built:
    """What became of one source, or of what could not be opened; `reason` says why it failed or was taken out."""

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
    if fault := next((name for name, base in found.items() if prefixes.fault(name, base)), ""):
        raise SourceFileError(f"prefixes.{fault}: {prefixes.fault(fault, found[fault])}", file, node.keys[fault])
    return found


def build(
    database: Database,
    settings: Settings,
    folder: Path,
    *,
    locked: bool = False,
    offline: bool = False,
    shrink: bool = False,
) -> Iterator[Built]:
    """Load every source of a project; what is loaded already stays, and sources no longer named go.

    Args:
        locked: Take only files that are those of the lock file; another one is an `InputError`.
        offline: Fetch nothing, and take what was fetched before.
        shrink: Let a source lose most of what it has.

    Yields:
        What became of each source; one that cannot be loaded stops none of the others.
    """
    migrate.check(database)
    before = _read_lock(folder)
    tasks, failed = _opened(database, settings, folder, before if locked else {}, offline=offline)
    yield from failed
    now = {task.info.id: _lock_row(task) for _, task in tasks}
    if len(now) < len(tasks):
        twice = next(name for name in now if sum(task.info.id == name for _, task in tasks) > 1)
        raise InputError(f"{FILE} names the source {twice} twice; give one another `as:`, or its mapping another id")
    changed = (n for n, row in now.items() if any(before.get(n, {}).get(key) != row[key] for key in ("file", "sha256")))
    if locked and (other := sorted(changed)):
        raise InputError(f"not as {LOCK} has them: {', '.join(other)}; medgraph build without --locked accepts them")
    put = _kept(file := _mark(database, settings, folder, "sources"), dict[str, tuple[bool, int | None]])
    gone = set[str]() if failed else {*before, *put} - now.keys()  # what cannot be opened is still named
    for name in sorted(gone):
        if sources_of(database, name):
            yield _taken_out(database, settings, folder, name)
        _note(file, put, name)
    kept = {name: row for name, row in before.items() if name not in gone}
    for entry, task in tasks:
        name, rank = task.info.id, entry.wish.rank
        done, ranked = put.get(name, (False, None))
        if not done or rank != ranked:
            note_index(database, settings, folder, current=False)
        _note(file, put, name, (False, rank or ranked))
        try:
            report = load_task(database, settings, replace(task, shrink=shrink or task.shrink), entry.wish)
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
        _note(file, put, name, (True, rank))
        _write_lock(folder, kept)
        yield built
    _write_lock(folder, kept)


def _taken_out(database: Database, settings: Settings, folder: Path, name: str) -> Built:
    note_index(database, settings, folder, current=False)
    unload_named(database, settings, name)
    return Built(name, reason=f"is no longer in {FILE}; taken out")


def _narrowed(entry: Entry, lock: dict[str, Any], *, offline: bool) -> Entry:
    """Let an entry fetch nothing, or only files that the lock file names; a search is not asked anew for it."""
    pinned = {file["address"]: file["sha256"] for row in lock.values() for file in row.get("fetched", ())}
    offline = offline or bool(lock and entry.wish.search)
    return replace(entry, wish=replace(entry.wish, offline=offline, pinned=pinned))


def _opened(
    database: Database, settings: Settings, folder: Path, lock: dict[str, Any], *, offline: bool
) -> tuple[list[tuple[Entry, Task]], list[Built]]:
    """Open the entries of a project; give also those whose file is missing, or cannot be fetched or read."""
    known = _Fingerprints(_mark(database, settings, folder, "files"))
    tasks: list[tuple[Entry, Task]] = []
    failed: list[Built] = []
    entries = [_narrowed(entry, lock, offline=offline) for entry in load_project(folder)]
    for entry in entries:
        with suppress(MedgraphError):  # which opening it tells
            announce(settings, entry.loader, entry.where, entry.wish)
    for entry in entries:
        try:
            task = _task(database, settings, folder, entry)
            tasks.append((entry, replace(task, sha256=known.of(task.path))))
        except (SourceFileError, DownloadError, TermsError) as error:
            failed.append(Built(entry.wish.name or Path(entry.loader).stem, reason=str(error), failed=True))
    known.keep()
    return tasks, failed


def _lock_row(task: Task) -> dict[str, Any]:
    """Say of which file a source is, by name and hash, and of what was fetched, whence and when it came."""
    row = {"file": task.path.name if task.path.is_file() else task.address or task.path.name, "sha256": task.sha256}
    return row | ({"fetched": list(task.fetched)} if task.fetched else {})


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


def _note(file: Path, put: dict[str, tuple[bool, int | None]], name: str, *said: tuple[bool, int | None]) -> None:
    """Note what is `said` of a source that a project put into a graph, or that it is gone; the lock file cannot tell.

    It is whether its last build came to its end, and the rank that the project gave it, or None.
    """
    put.pop(name, None)
    put.update((name, one) for one in said)
    write_whole(file, msgspec.json.encode(put))


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


def init(folder: Path, recipes: Sequence[str] = ()) -> list[Path]:
    """Begin a project: what to load, a mapping with its table, and a README; none of these may be there already.

    With recipes, it loads what these name, and has neither mapping nor table.
    """
    texts = {file.name: file.read_bytes() for file in sorted(_EXAMPLE.iterdir())}
    if recipes:
        head, key, _ = texts[FILE].partition(b"sources:\n")
        entries = "".join(offer.entry() for offer in chosen(recipes))
        texts = {"README.md": texts["README.md"].split(b"`conditions.yaml`")[0], FILE: head + key + entries.encode()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}; choose another folder") from error
    if taken := [folder / name for name in texts if (folder / name).exists()]:
        raise InputError(f"{taken[0]} is there already; choose another folder")
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def _entry(folder: Path, file: Path, node: Node, own: Mapping[str, str]) -> Entry:
    if not isinstance(node.value, dict) or "load" not in node.value:
        raise SourceFileError("an entry has `load:`, the name of a loader or the path of a mapping", file, node.line)
    given = node.value
    if unknown := sorted(given.keys() - set(_KEYS)):
        known = ", ".join(_KEYS)
        raise SourceFileError(f"has the unknown key {unknown[0]!r}; known are {known}", file, node.keys[unknown[0]])
    texts = {key: _text(file, given[key]) for key in given if key not in {"options", "path"}}
    if empty := next((key for key, text in texts.items() if not text), None):
        raise SourceFileError(f"`{empty}` is empty; say something, or take the line out", file, node.keys[empty])
    wish: dict[str, Any] = {field: texts[key] for key, field in _WISHES.items() if key in texts}
    for key, most in (("rank", 9), ("most", LIMIT)):
        if key in texts:
            if not texts[key].isdecimal() or not 1 <= int(texts[key]) <= most:
                raise SourceFileError(f"`{key}` is a number from 1 to {most}", file, given[key].line)
            wish[key] = int(texts[key])
    if "options" in given:
        options = given["options"].value
        if not isinstance(options, dict):
            raise SourceFileError("`options` has a name and a value in each line", file, given["options"].line)
        wish["options"] = {name: _text(file, value) for name, value in options.items()}
    loader = texts["load"]
    if registry.is_mapping(loader):
        loader = str(folder / loader)
    where = _where(folder, file, given["path"]) if "path" in given else None
    return Entry(loader, where, LoadOptions(**wish, replace=True, prefixes=own), node.line)


def _where(folder: Path, file: Path, node: Node) -> Where:
    """Read what stands as `path`: a file or folder, from the project's own, or one address or several."""
    listed = isinstance(node.value, list)
    texts = [_text(file, one) for one in (node.value if isinstance(node.value, list) else [node])]
    if not (texts and all(texts)):
        raise SourceFileError("`path` is empty; say something, or take the line out", file, node.line)
    if listed or is_address(texts[0]):
        if other := next((text for text in texts if not is_address(text)), None):
            raise SourceFileError(f"{other!r} is no address; a list has addresses alone", file, node.line)
        return tuple(texts)
    path = folder / texts[0]
    if folder.resolve().is_relative_to(os.path.realpath(path)):
        said = "`path` is the project's own folder, which every build changes; give the files a folder of their own"
        raise SourceFileError(said, file, node.line)
    return path


def _text(file: Path, node: Node) -> str:
    if not isinstance(node.value, str):
        raise SourceFileError("a text is wanted here", file, node.line)
    return node.value


def _task(database: Database, settings: Settings, folder: Path, entry: Entry) -> Task:
    try:
        return task_of(settings, entry.loader, entry.where, entry.wish, database)
    except (SourceFileError, DownloadError, TermsError):
        raise
    except MedgraphError as error:
        raise InputError(str(SourceFileError(str(error), folder / FILE, entry.line))) from error


def _read_lock(folder: Path) -> dict[str, Any]:
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
