"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import UnknownSourceError
from . import documents, medquad, sample
from .base import Source

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SOURCES: Final[dict[str, Source]] = {
    source.info.id: source for source in (documents.SOURCE, medquad.SOURCE, sample.SOURCE)
}


GROUP: Final = "medgraph.sources"
"""The entry-point group by which other packages bring sources."""


def get(name: str) -> Source:
    """Look a source up: one of these here, one that another package brings, or a mapping.

    Args:
        name: Its id, or the path of a mapping (`.yaml` or `.yml`).

    Returns:
        The source.

    Raises:
        UnknownSourceError: There is none of this name, and the message lists those there are; or the package that brings
            it is broken.
        SourceFileError: It is a mapping with mistakes.
    """
    if name in SOURCES:
        return SOURCES[name]
    if name.lower().endswith((".yaml", ".yml")):
        from .mapping import from_file

        return from_file(Path(name))
    found = _points().get(name, [])
    if found:
        return _plugin(name, found)
    known = sorted({*SOURCES, *_points()})
    raise UnknownSourceError(f"there is no source {name!r}; known are {', '.join(known)}, or give a mapping: FILE.yaml")


def sources() -> dict[str, Source]:
    """Give every source, those of other packages included.

    Returns:
        The sources by name; a source that is broken, or whose name is taken, is left out: `faults` tells.
    """
    found = dict(SOURCES)
    for name, points in _points().items():
        with suppress(UnknownSourceError):
            found.setdefault(name, _plugin(name, points))
    return found


def faults() -> list[str]:
    """Say what is wrong with the sources that other packages bring.

    Returns:
        A line a source that cannot be used, with its package and what mends it.
    """
    said = []
    for name, points in sorted(_points().items()):
        try:
            _plugin(name, points)
        except UnknownSourceError as error:
            said.append(str(error))
    return said


def _points() -> dict[str, list[EntryPoint]]:
    """Find the sources of other packages by name, without importing them."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        known = found.setdefault(point.name, [])
        if not any((point.value, _package(point)) == (other.value, _package(other)) for other in known):
            known.append(point)
    return found


def _plugin(name: str, points: list[EntryPoint]) -> Source:
    packages = " and ".join(_package(point) for point in points)
    if name in SOURCES or len(points) > 1:
        owners = f"medgraph itself and {packages}" if name in SOURCES else packages
        raise UnknownSourceError(f"the source {name!r} is brought by {owners}; rename it in one, or uninstall one")
    remedy = f"mend or uninstall {packages}"
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise UnknownSourceError(f"the source {name!r} of {packages} cannot be imported ({said}); {remedy}") from error
    if not isinstance(found, Source):
        what = f"{points[0].value} is {type(found).__name__}, not a medgraph.loaders.base.Source"
        raise UnknownSourceError(f"the source {name!r} of {packages} cannot be used: {what}; {remedy}")
    if found.info.id != name:
        said = f"it calls itself {found.info.id!r}; give its entry point that name"
        raise UnknownSourceError(f"the source {name!r} of {packages} cannot be used: {said}; {remedy}")
    return found


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
