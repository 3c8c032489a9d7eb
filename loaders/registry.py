"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError, UnknownSourceError
from . import plugins

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from .base import Source

_FOLDERS: Final = ("ontologies", "sources", "exchange")


def _modules() -> Iterator[ModuleType]:
    """Import every module of the folders of sources, and `source` of each package in them."""
    for folder in _FOLDERS:
        for module in iter_modules([str(Path(__file__).parent / folder)]):
            yield import_module(f".{folder}.{module.name}{'.source' * module.ispkg}", __package__)


def _found() -> dict[str, Source]:
    found: list[Source] = []
    for module in _modules():
        found.extend(getattr(module, "SOURCES", [module.SOURCE] if hasattr(module, "SOURCE") else ()))
    return {source.info.id: source for source in sorted(found, key=lambda source: source.order)}


SOURCES: Final[dict[str, Source]] = _found()
"""The sources that come with medgraph, by name, in their order."""

EVALUATION: Final[dict[str, str]] = {
    "healthver": "HealthVer, an evaluation set,",
    "citint": "Citation-Integrity, an evaluation set,",
    "imapscore": "the benchmark of imapScore",
    "rqe_": "RQE, an evaluation set,",
    "mqp_": "Medical Question Pairs, an evaluation set,",
}
"""Words of the names of files that are there to measure by: they are never loaded."""


def is_mapping(name: str) -> bool:
    """Tell whether what is to be loaded by is the path of a mapping, not the name of a loader."""
    return name.lower().endswith((".yaml", ".yml"))


def get(name: str) -> Source:
    """Look a source up: one of these, one that another package brings, or a mapping.

    Args:
        name: Its id, or the path of a mapping (`.yaml` or `.yml`).

    Raises:
        UnknownSourceError: There is none of this name, and the message lists those there are; or the package that
            brings it is broken.
        SourceFileError: It is a mapping with mistakes, or one that has the name of one of these.
    """
    if name in SOURCES:
        return SOURCES[name]
    if is_mapping(name):
        from .mapping.source import from_file

        source = from_file(Path(name))
        if source.info.id in SOURCES:
            said = f"source.id is {source.info.id!r}, the name of a source that medgraph brings; choose another"
            raise SourceFileError(said, name)
        return source
    found = plugins.find()
    if name in found:
        return plugins.load(name, found[name], SOURCES)
    known = ", ".join(sorted({*SOURCES, *found}))
    raise UnknownSourceError(f"there is no source {name!r}; known are {known}, or give a mapping: FILE.yaml")


def sources() -> dict[str, Source]:
    """Give every source, those of other packages included.

    Returns:
        The sources by name; one that cannot be used is left out, and `faults` says why.
    """
    return SOURCES | {name: found for name, found in _of_others() if not isinstance(found, str)}


def faults() -> list[str]:
    """Say what is wrong with sources that other packages bring.

    Returns:
        A line for each that cannot be used, with its package and what mends it.
    """
    return [found for _, found in _of_others() if isinstance(found, str)]


def _of_others() -> Iterator[tuple[str, Source | str]]:
    for name, points in sorted(plugins.find().items()):
        try:
            yield name, plugins.load(name, points, SOURCES)
        except UnknownSourceError as error:
            yield name, str(error)


def recognised(folder: Path) -> list[tuple[Path, str, str]]:
    """Find out of which source each file of a folder is.

    Returns:
        Paths with the name of the source, or an empty name and the reason; in the order in which they are best loaded.
    """
    found: list[tuple[Path, str, str]] = []
    known = sources()
    names = list(known)
    for path in _paths(folder):
        if any(path.is_relative_to(whole) for whole, name, _ in found if name and whole.is_dir()):
            continue
        name = next((n for n, s in known.items() if s.recognise is not None and s.recognise(path)), "")
        if name or path.is_file():
            found.append((path, name, "" if name else _unknown(path)))
    return sorted(found, key=lambda row: (names.index(row[1]) if row[1] else -1, row[0]))


def _paths(folder: Path) -> list[Path]:
    """List what is in a folder, folders before what is in them."""
    return sorted(path for path in folder.rglob("*") if not path.name.startswith("."))


def _unknown(path: Path) -> str:
    kept = next((what for word, what in EVALUATION.items() if word in path.as_posix().lower()), None)
    return f"is {what} and left alone" if (what := kept) else "is not recognised as a source"
