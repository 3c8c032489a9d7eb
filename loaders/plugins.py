"""Sources that other packages bring, through the entry-point group `medgraph.sources`."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from ..errors import UnknownSourceError
from .base import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from importlib.metadata import EntryPoint
    from pathlib import Path

GROUP: Final = "medgraph.sources"
_LOG: Final = logging.getLogger(__name__)


def find() -> dict[str, list[EntryPoint]]:
    """Find the sources of other packages, without importing them.

    Returns:
        Their entry points by the sources' names; more than one where packages use the same name.
    """
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        known = found.setdefault(point.name, [])
        # A package that is installed in two folders is found twice; the first folder is the one that is imported.
        if not any(point.value == other.value and _name(point) == _name(other) for other in known):
            known.append(point)
    return found


def load(name: str, points: list[EntryPoint], taken: Collection[str]) -> Source:
    """Import a source of another package.

    Args:
        points: Its entry points, as `find` gives them.
        taken: Names that other packages cannot use.

    Raises:
        UnknownSourceError: Its name is taken, or it is broken; the message names the package.
    """
    packages = " and ".join(_package(point) for point in points)
    if name in taken or len(points) > 1:
        owners = f"medgraph itself and {packages}" if name in taken else packages
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


def _name(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
