"""Everyday names of diseases that no vocabulary at hand has; they stand in `lay.tsv`."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

_TABLE: Final = Path(__file__).with_name("lay.tsv")


@cache
def _everyday() -> dict[str, list[str]]:
    names = defaultdict(list)
    for _, line in table_lines(_TABLE):
        everyday, name = line.split("\t")
        names[name.lower()].append(everyday)
    return dict(names)


def lay_names(names: Iterable[str]) -> list[str]:
    """Give the everyday names of an entity.

    Returns:
        Those that it has not among its names, each once.
    """
    known = {name.lower() for name in names}
    return list(dict.fromkeys(lay for name in sorted(known) for lay in _everyday().get(name, ()) if lay not in known))


def is_lay(name: str) -> bool:
    """Tell whether a name is an everyday one of the table."""
    return name in _every()


@cache
def _every() -> frozenset[str]:
    return frozenset(everyday for names in _everyday().values() for everyday in names)
