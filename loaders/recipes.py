"""Recipes: lists of sources with their public addresses, of which a project is begun."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_cells
from ..text import did_you_mean
from . import registry
from .addresses import is_address

if TYPE_CHECKING:
    from collections.abc import Sequence

_TABLE: Final = Path(__file__).with_name("recipes.tsv")


@dataclass(frozen=True, slots=True)
class Offer:
    """Files of a source that others give out: loader, recipes, addresses, and how much they are and take.

    What cannot be fetched has its `file` instead of addresses. Megabytes and minutes are as they are told to people,
    empty where nobody knows.
    """

    loader: str
    recipes: tuple[str, ...]
    addresses: tuple[str, ...]
    file: str
    megabytes: str
    minutes: str
    licence: str
    more: str

    @property
    def title(self) -> str:
        """What people call it: the source's title, or the file of a format."""
        info = registry.SOURCES[self.loader].info
        return self.file if registry.SOURCES[self.loader].describe and not info.url else info.title

    def entry(self) -> str:
        """Write it as an entry of a project's file."""
        path = self.addresses[0] if len(self.addresses) == 1 else "".join(f"\n      - {one}" for one in self.addresses)
        size = f"{float(self.megabytes):,.0f} MB, about {self.minutes} min"
        lines = [f"  # {self.title}: {self.licence}, {size}", f"  - load: {self.loader}", f"    path: {path}"]
        lines += [f"    {self.more}"] * bool(self.more)
        return "\n".join(line.replace("path: \n", "path:\n") for line in lines) + "\n"


def offers() -> list[Offer]:
    """Read the table of what others give out."""
    found = []
    for _, cells in table_cells(_TABLE, 7, "LOADER, RECIPES, WHERE, MB, MINUTES, LICENCE and MORE"):
        loader, recipes, where, *more = ("" if cell == "-" else cell for cell in cells)
        addresses = tuple(where.split()) if is_address(where) else ()
        names = ", ".join(address.rpartition("/")[2] for address in addresses) or where
        found.append(Offer(loader, tuple(recipes.split()), addresses, names, *more))
    return found


def names() -> list[str]:
    """List the recipes."""
    return sorted({name for offer in offers() for name in offer.recipes})


def chosen(recipes: Sequence[str]) -> list[Offer]:
    """Give what recipes take, each once, in the order of loading; `InputError` lists them where one is unknown."""
    if unknown := [name for name in recipes if name not in names()]:
        raise InputError(f"there is no recipe {unknown[0]!r}{did_you_mean(unknown[0], names())}")
    order = list(registry.SOURCES)
    found = [offer for offer in offers() if set(offer.recipes) & set(recipes)]
    return sorted(found, key=lambda offer: order.index(offer.loader))
