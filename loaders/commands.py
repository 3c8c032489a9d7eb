"""Sources by the names that commands know them by, and bulk loads of servers that are not ours, in two steps."""

from __future__ import annotations

import json
import pickle
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, MedgraphError, RecordError, SourceError, SourceFileError
from ..graph import catalogue
from ..progress import note
from ..schema import licences, migrate, prefixes
from . import addresses, recipes, registry, searches
from .addresses import Place
from .base import UNSTATED, Source, fingerprint
from .life.load import Task, load, only_one
from .life.outcome import LoadReport, Tolerance
from .life.withdraw import UndoReport, rank, undo, unload
from .registry import records_by_engine

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..graph.engine import Engine
    from ..schema.migrate import Model
    from ..schema.records import SourceInfo
    from ..settings import Settings
    from .life.kind import Gone


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a curator says of a load beyond source and path: facts of a format, options of a source, and how to load.

    It may be `max_rejects`, a number, a share such as 20%, or `all`; and a rank for its word on entities, from 1 to 9.
    What is fetched may have a hash, `sha256`, or one by address, `pinned`; `offline` takes it from the cache. `search`
    asks PubMed for the `most` relevant citations in the place of a file.
    """

    name: str | None = None
    title: str | None = None
    version: str | None = None
    licence: str | None = None
    url: str | None = None
    options: Mapping[str, str] | None = None
    limit: int | None = None
    replace: bool = False
    shrink: bool = False  # whether a replacement may withdraw most of what the source has
    again: bool = False
    max_rejects: str | None = None
    rank: int | None = None
    # Of the curator's own, with what their addresses begin with
    prefixes: Mapping[str, str] = field(default_factory=dict)
    sha256: str | None = None
    offline: bool = False
    pinned: Mapping[str, str] | None = None
    search: str | None = None
    most: int | None = None


Where = Path | Sequence[str] | None  # A file or folder, addresses, or nothing


def task_of(settings: Settings, source: str, where: Where, wish: LoadOptions, database: Database | None = None) -> Task:
    """Find out what is to be loaded, and fetch it if it has an address.

    Args:
        source: A loader's name, or the path of a mapping.
        where: The path, or addresses; None for a source that needs none, and for a search.
        database: The graph, for a search, which leaves out what other sources have.
    """
    loader = registry.get(source)
    place = _place(settings, loader, source, where, wish, database)
    path, wish = place.path, _of_search(wish, place)
    if unknown := (wish.options or {}).keys() - loader.options.keys():
        known = ", ".join(sorted(loader.options)) or "none"
        raise InputError(f"the source {source} has no option {min(unknown)!r}; it has: {known}")
    if wish.replace and wish.limit is not None:
        raise InputError("--limit reads a part of a file, and --replace takes it for the whole; leave one of them out")
    info = _info(loader, source, path, wish)
    folder = settings.home / "rejects"
    if loader.names_parts:
        loader = replace(loader, records=partial(loader.records, name=info.id))
    if "base" in loader.options and wish.url:
        wish = replace(wish, options={"base": wish.url, **(wish.options or {})})
    if loader.licensed:
        loader = replace(loader, records=partial(loader.records, licence=info.licence))
    tolerance = Tolerance() if wish.max_rejects is None else Tolerance.of(wish.max_rejects)
    # Hash the options of a load, and its mapping if it has one, and what stands beside its file.
    beside = loader.beside(path)
    said = json.dumps(wish.options, sort_keys=True).encode() if wish.options else b""
    said += Path(source).read_bytes() if registry.is_mapping(source) else b""
    said += fingerprint(beside).encode() if beside else b""
    said += own.read_bytes() if (own := prefixes.own_table()).exists() else b""
    return Task(
        *(loader, path, info, folder, wish.options or {}, wish.limit, wish.replace, wish.again or loader.changes),
        shrink=wish.shrink,
        title=wish.title or "",
        heads_parts=wish.name is not None,
        tolerance=tolerance,
        address=place.address,
        fetched=tuple({"address": file.address, "sha256": file.sha256, "date": file.date} for file in place.files),
        reading=(sha256(said).hexdigest() if said else ""),
    )


def _place(
    settings: Settings, loader: Source, source: str, where: Where, wish: LoadOptions, database: Database | None
) -> Place:
    """Find the file or folder; what has an address, or is searched for, is fetched."""
    if wish.search is not None:
        if source != "pubmed" or where is not None or database is None:
            said = "medgraph load pubmed --search TERMS, without a path"
            raise InputError(f"a search is one of PubMed, in the place of a path: {said}")
        return searches.find(settings, database, wish.search, wish.most, wish.name, offline=wish.offline)
    where = where or loader.packaged
    if where is None:
        raise InputError(f"the source {source} needs a path: medgraph load {source} PATH")
    if not isinstance(where, Path):
        addresses.refuse_terms(source, where)
        return addresses.Store(settings, wish.offline, wish.pinned or {}).place(where, wish.sha256 or "")
    try:
        there = where.exists()
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", where) from error
    if not there:
        raise SourceFileError("there is no such file or folder", where)
    if wish.sha256 and wish.sha256 != (found := fingerprint(where)):
        raise SourceFileError(f"has the SHA-256 {found}, and {wish.sha256} is expected", where)
    return Place(where)


def _of_search(wish: LoadOptions, place: Place) -> LoadOptions:
    """Name what a search found: it is the whole of a source of its own, as of the day on which it changed."""
    if wish.search is None:
        return wish
    (found,) = place.files
    title, url = wish.title or f"PubMed: {wish.search}"[:200], wish.url or place.address
    wish = replace(wish, replace=wish.limit is None, shrink=True)
    return replace(wish, name=found.name, title=title, url=url, version=found.date)


def announce(settings: Settings, source: str, where: Where, wish: LoadOptions) -> None:
    """Name the licence of what a loader will have fetched, before the first byte comes."""
    if where is not None and not isinstance(where, Path) and not wish.offline:
        info = registry.get(source).info
        offered = next((offer.licence for offer in recipes.offers() if offer.addresses == tuple(where)), UNSTATED)
        licence = wish.licence or (offered if info.licence == UNSTATED else info.licence)
        addresses.announce(settings, wish.title or info.title, licence, where)


def _info(loader: Source, source: str, path: Path, wish: LoadOptions) -> SourceInfo:
    own = loader.describe(path) if loader.describe else loader.info
    wished = {"id": wish.name} | {name: getattr(wish, name) for name in ("title", "version", "licence", "url")}
    given: dict[str, Any] = {name: value for name, value in wished.items() if value is not None}
    if given.keys() - {"version"} and loader.describe is None:
        raise InputError(f"--as, --title, --licence and --url are for formats; the source {source} states its own")
    if wish.name and wish.name != source and wish.name in registry.SOURCES:
        raise InputError(f"{wish.name!r} is the name of a known source; choose another one")
    try:
        known = prefixes.bases(own.namespaces)
        new = prefixes.own({name: base for name, base in wish.prefixes.items() if name not in known})
        info = replace(own, **given, namespaces=(*own.namespaces, *new))
    except RecordError as error:
        raise InputError(str(error)) from error
    if loader.needs_licence and info.licence == UNSTATED:
        said = "say so: --licence CC-BY-4.0, or LicenseRef-ours for texts of your own that nobody may pass on"
        raise InputError(f"the source {source} takes nothing without a licence, which every citation states; {said}")
    return info


def load_named(
    database: Database,
    settings: Settings,
    source: str,
    where: Where = None,
    wish: LoadOptions | None = None,
    *,
    dry_run: bool = False,
    bulk: bool = False,
    engine: Engine | None = None,
) -> LoadReport:
    """Load a source as `task_of` takes it; `engine` reads the files of a folder, each apart."""
    migrate.check(database)
    wish = wish or LoadOptions()
    announce(settings, source, where, wish)
    try:
        task, step = task_of(settings, source, where, wish, database), None
        if engine:
            elsewhere, step = records_by_engine(task.source, source, engine)
            task = replace(task, source=elsewhere)
        report = load_task(database, settings, task, wish, dry_run=dry_run, bulk=bulk)
    except SourceError:
        with suppress(OSError):  # of a name that is too long, say
            other = registry.source_of(where) if isinstance(where, Path) and where.exists() else ""
            if other not in {"", source}:
                note(f"{where} looks like a file of the source {other}: medgraph load {other} {where}")
        raise
    if engine and step:
        engine.forget(step)
    return report


def load_task(
    database: Database, settings: Settings, task: Task, wish: LoadOptions, *, dry_run: bool = False, bulk: bool = False
) -> LoadReport:
    """Load what `task_of` found out, as `load_named` does."""
    with prefixes.also(wish.prefixes):
        if bulk:
            from .bulk.load import load_in_bulk

            report = load_in_bulk(settings, database, task)
        else:
            report = load(database, task, dry_run=dry_run)
    if wish.rank is not None and not dry_run:
        rank_named(database, settings, report.source, wish.rank)
    return report if licences.identifier(task.info.licence) else replace(report, licence=task.info.licence)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of one file of a folder: the loader that recognised it, if any, and a report or why there is none.

    It has `failed` if it should have been loaded.
    """

    path: Path
    source: str
    report: LoadReport | None = None
    reason: str = ""
    failed: bool = False


def load_all(
    database: Database, settings: Settings, folder: Path, wish: LoadOptions | None = None, *, dry_run: bool = False
) -> Iterator[Loaded]:
    """Load every source that is found in a folder; one that cannot be loaded stops none of the others."""
    migrate.check(database)
    wish = wish or LoadOptions()
    if not folder.is_dir():
        raise SourceFileError("is no folder; to load one file, name its source", folder)
    found = registry.recognised(folder)
    yield from (Loaded(path, "", reason=reason) for path, name, reason in found if not name)
    taken: dict[str, Path] = {}
    for path, name, _ in found:
        if not name:
            continue
        try:
            task = task_of(settings, name, path, wish)
            if task.info.id in taken:
                other = taken[task.info.id].relative_to(folder)
                yield Loaded(path, name, reason=f"is the source {task.info.id} as well, which was loaded from {other}")
                continue
            taken[task.info.id] = path
            yield Loaded(path, name, load_task(database, settings, task, wish, dry_run=dry_run))
        except MedgraphError as error:
            yield Loaded(path, name, reason=str(error), failed=True)


def unload_named(database: Database, settings: Settings, source: str) -> Gone:
    """Take a source out, while nobody else changes it, as `unload` does."""
    with only_one(database, source, settings.home / "rejects"):
        return unload(database, source)


def rank_named(database: Database, settings: Settings, source: str, value: int | None) -> None:
    """Say how much a source's word on entities counts, while nobody else changes it, as `rank` does."""
    with only_one(database, source, settings.home / "rejects"):
        rank(database, source, value)


def undo_named(database: Database, settings: Settings, source: str) -> UndoReport:
    """Take back the last load of a source, while nobody else changes it, as `undo` does."""
    with only_one(database, source, settings.home / "rejects"):
        return undo(database, source)


def list_available() -> list[dict[str, str]]:
    """List the files that others give out: `source`, `file`, `size`, `licence`, `recipes`, `url`, `title`."""
    rows = []
    for offer in recipes.offers():
        info = registry.SOURCES[offer.loader].info
        rows.append({"source": offer.loader, "file": offer.file, "licence": offer.licence, "title": info.title})
        rows[-1] |= {"size": f"{offer.megabytes} MB" if offer.megabytes else "", "recipes": ", ".join(offer.recipes)}
        rows[-1] |= {"url": " ".join(offer.addresses) or info.url}
    return rows


def list_sources(database: Database) -> list[dict[str, Any]]:
    """List every source that can be loaded or is."""
    loaded = {row["source"]: row for row in database.read(catalogue.get("sources"))}
    names, nothing = ("title", "version", "licence", "url"), {"documents": 0, "entities": 0, "status": None}
    infos = {source.info.id: source.info for source in registry.sources().values()}
    known = {name: {"source": name} | {n: getattr(info, n) for n in names} | nothing for name, info in infos.items()}
    return [row | {"loaded": name in loaded} for name, row in sorted((known | loaded).items())]


# Files of a bulk load of a server that is not ours
ARGUMENTS: Final = "neo4j-admin.arguments"
COMMAND: Final = "COMMAND.txt"
DONE: Final = "exported.pickle"


def write_import_folder(settings: Settings, source: str, path: Path, wish: LoadOptions, folder: Path) -> str:
    """Write the records of a source as files that `neo4j-admin database import` takes, into an empty folder."""
    from .bulk.load import Bulk

    task, folder = task_of(settings, source, path, wish), folder.absolute()
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    sha256 = fingerprint(path)
    arguments, done = Bulk(task, folder).sort()
    lines = (argument.replace(f"{folder}/", "./") for argument in arguments)
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / DONE).write_bytes(pickle.dumps((source, path.absolute(), wish, sha256, done)))
    # The words of the command that makes a database of a folder's files, from within it.
    words = ["neo4j-admin", "database", "import", "full", settings.neo4j_database]
    words += ["--overwrite-destination", f"@{ARGUMENTS}"]
    (folder / COMMAND).write_text(f"{shlex.join(words)}\n", encoding="utf-8")
    return f"cd {shlex.quote(str(folder))} && {shlex.join(words)}"


def finish_import(settings: Settings, database: Database, folder: Path, encoder: Model) -> LoadReport:
    """Make an ordinary load's graph of a database that a folder's files were imported into; again, it goes on."""
    from .bulk.load import Bulk

    try:
        source, path, wish, sha256, done = pickle.loads((folder / DONE).read_bytes())  # noqa: S301 # of this user
    except (OSError, pickle.UnpicklingError) as error:
        remedy = "medgraph export import-files makes one"
        raise InputError(f"{folder} is no folder of import files ({error}); {remedy}") from error
    task = task_of(settings, source, path, wish)
    if sha256 != fingerprint(path):
        raise InputError(f"{path} has changed since {folder} was made of it; export and import it again")
    if not database.read(catalogue.get("first_content")):
        raise InputError(f"the graph is empty; its operator imports {folder} first: see {folder / COMMAND}")
    return Bulk(task, folder.absolute()).finish(database, encoder, sha256, done)
