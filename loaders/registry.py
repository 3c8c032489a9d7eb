"""Every source that `medgraph load` knows, by name; other packages bring some by entry points.

Files of a folder are read by an engine's workers, each apart, and joined as if they were read one by one.
"""

from __future__ import annotations

import logging
import pickle
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, SourceFileError, UnknownSourceError
from ..files import below
from ..graph.engine import Step
from ..patterns import read_pairs
from ..text import did_you_mean
from .base import Item, Source, fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from importlib.metadata import EntryPoint

    from ..graph.engine import Engine, Row

_LOG: Final = logging.getLogger(__name__)


def _entry_points() -> dict[str, list[EntryPoint]]:
    """Find the sources of other packages by name, without importing them; several where packages use the same name."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group="medgraph.sources"):
        known = found.setdefault(point.name, [])
        # A package that is installed in two folders is found twice; the first folder is the one that is imported.
        said = point.value, getattr(point.dist, "name", "")
        if said not in ((other.value, getattr(other.dist, "name", "")) for other in known):
            known.append(point)
    return found


def _load(name: str, points: list[EntryPoint]) -> Source:
    named = (f"{point.dist.name} {point.dist.version}" if point.dist else point.value for point in points)
    packages = " and ".join(named)
    if name in SOURCES or len(points) > 1:
        owners = f"medgraph itself and {packages}" if name in SOURCES else packages
        raise UnknownSourceError(f"the source {name!r} is brought by {owners}; rename it in one, or uninstall one")
    what, remedy = f"the source {name!r} of {packages}", f"mend or uninstall {packages}"
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise UnknownSourceError(f"{what} cannot be imported ({said}); {remedy}") from error
    if not isinstance(found, Source):
        said = f"{points[0].value} is a {type(found).__name__} and not a medgraph.loaders.base.Source"
        raise UnknownSourceError(f"{what} cannot be used: {said}; {remedy}")
    if found.info.id != name:
        said = f"it calls itself {found.info.id!r}, and its entry point has to have that name"
        raise UnknownSourceError(f"{what} cannot be used: {said}; {remedy}")
    return replace(found, recognise=partial(_recognise, found.recognise, what)) if found.recognise else found


def _recognise(ask: Callable[[Path], bool], what: str, path: Path) -> bool:
    """Ask a source whether a file is its own, and go on with the others when that fails."""
    try:
        return bool(ask(path))
    except Exception as error:  # noqa: BLE001  # whatever another package raises
        _LOG.warning("%s could not look at %s: %s: %s", what, path, type(error).__name__, error)
        return False


def _found() -> dict[str, Source]:
    """Import every module of the folders of sources, and `source` of each package in them."""
    modules = [
        import_module(f".{folder}.{module.name}{'.source' * module.ispkg}", __package__)
        for folder in ("ontologies", "sources", "exchange")
        for module in iter_modules([str(Path(__file__).parent / folder)])
    ]
    found: list[Source] = []
    for module in modules:
        found.extend(getattr(module, "SOURCES", [module.SOURCE] if hasattr(module, "SOURCE") else ()))
    return {source.info.id: source for source in sorted(found, key=lambda source: source.order)}


SOURCES: Final[dict[str, Source]] = _found()  # The sources that come with medgraph, by name, in their order
# Words of the names of files that are there to measure by: they are never loaded
EVALUATION: Final = dict(read_pairs(Path(__file__).with_name("evaluation.tsv")))


def is_mapping(name: str) -> bool:
    """Tell whether what is to be loaded by is the path of a mapping, not the name of a loader."""
    return name.lower().endswith((".yaml", ".yml"))


def get(name: str) -> Source:
    """Look a source up by its id: one of these, or one that another package brings; or a mapping by its path."""
    if name in SOURCES:
        return SOURCES[name]
    if is_mapping(name):
        from .mapping.source import from_file

        source = from_file(Path(name))
        if source.info.id in SOURCES:
            said = f"source.id is {source.info.id!r}, the name of a source that medgraph brings; choose another"
            raise SourceFileError(said, name)
        return source
    found = _entry_points()
    if name in found:
        return _load(name, found[name])
    known = did_you_mean(name, sorted({*SOURCES, *found}))
    raise UnknownSourceError(f"there is no source {name!r}{known}, or give a mapping: FILE.yaml")


def sources() -> dict[str, Source]:
    """Give every source by name, also of other packages, without those that cannot be used, as `faults` says."""
    return SOURCES | {name: found for name, found in _of_others() if not isinstance(found, str)}


def faults() -> list[str]:
    """Say which sources of other packages cannot be used, why, and what mends it."""
    return [found for _, found in _of_others() if isinstance(found, str)]


def _of_others() -> Iterator[tuple[str, Source | str]]:
    for name, points in sorted(_entry_points().items()):
        try:
            yield name, _load(name, points)
        except UnknownSourceError as error:
            yield name, str(error)


def source_of(path: Path, known: Mapping[str, Source] | None = None) -> str:
    """Name the source, of those that are known, that recognises a file or folder; empty where none does."""
    return next((n for n, s in (known or sources()).items() if s.recognise is not None and s.recognise(path)), "")


def recognised(folder: Path) -> list[tuple[Path, str, str]]:
    """Find out of which source each file of a folder is, or why of none (an empty name), in the order of loading.

    A folder in it that a source takes as a whole is listed in place of its files, and so is the folder itself where
    nothing in it is of another source.
    """
    found: list[tuple[Path, str, str]] = []
    known = sources()
    names = list(known)
    for path in below(folder):
        if any(path.is_relative_to(whole) for whole, name, _ in found if name and whole.is_dir()):
            continue
        name = source_of(path, known)
        is_loop = path.is_symlink() and path.resolve() in path.absolute().parents
        if name or not path.is_dir() or is_loop:
            found.append((path, name, "" if name else _unknown(path)))
    if (whole := source_of(folder, known)) and {name for _, name, _ in found if name} <= {whole}:
        found = [*(row for row in found if not row[1]), (folder, whole, "")]
    return sorted(found, key=lambda row: (names.index(row[1]) if row[1] else -1, row[0]))


def _unknown(path: Path) -> str:
    if not path.is_file():
        return "leads back to a folder that it is in" if path.is_dir() else "is no file, but a link that leads nowhere"
    what = next((what for word, what in EVALUATION.items() if word in path.as_posix().lower()), None)
    return f"is {what} and left alone" if what else "is not recognised as a source"


PART: Final = 1000  # Items of a file that are written as one row


def records_by_engine(source: Source, name: str, engine: Engine) -> tuple[Source, Step]:
    """Let an engine read a source's files; raises `InputError` where they cannot be read apart."""
    if source.files is None:
        known = ", ".join(known for known, one in sources().items() if one.files)
        raise InputError(f"the source {name} is read as a whole, so leave --engine out; it goes with: {known}")
    step, files = Step(f"files-{name}", source.info.id, file_records), source.files

    def records(path: Path) -> Iterator[Item]:
        listed = ((file, str(file.absolute())) for file in files.listed(path))
        pages = ([{"source": name, "file": shown, "sha256": fingerprint(file)}] for file, shown in listed)
        yield from files.join(_items(rows) for rows in engine.rows(step, None, pages))

    return replace(source, records=records), step


def file_records(page: list[Row], _model: None) -> list[Row]:
    """Read the file of a row of `source` and `file` into rows of pickled `items`, the last perhaps with a `fault`."""
    (asked,) = page
    files, rows, items = get(asked["source"]).files, list[dict[str, Any]](), list[Any]()
    try:
        for item in files.read(Path(asked["file"])) if files else ():
            items.append(item)
            if len(items) == PART:
                rows.append({"items": pickle.dumps(items)})
                items = []
    except SourceFileError as error:
        rows.append({"items": pickle.dumps(items), "fault": pickle.dumps(error)})
        return rows
    rows.append({"items": pickle.dumps(items)})
    return rows


def _items(rows: list[Row]) -> Iterator[Any]:
    for row in rows:
        yield from pickle.loads(row["items"])  # noqa: S301 # a file that a worker of this user wrote
        if "fault" in row:
            raise pickle.loads(row["fault"])  # noqa: S301
