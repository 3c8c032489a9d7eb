"""Every route for programs: each module of `resources/` exports its own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .route import Route


def _found() -> tuple[Route, ...]:
    folder = Path(__file__).parent / "resources"
    modules = [import_module(f".resources.{module.name}", __package__) for module in iter_modules([str(folder)])]
    found: list[Route] = [route for module in modules for route in module.ROUTES]
    return tuple(sorted(found, key=lambda route: (not route.path.startswith("/v1/"), route.path, route.method)))


ROUTES: Final[tuple[Route, ...]] = _found()
"""The routes, those of the interface first, each by path."""
