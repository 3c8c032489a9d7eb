"""Drugs by the names that people use: what else a substance is called, and its brands; they stand in `drugs.tsv`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ..files import table_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

TABLE: Final = Path(__file__).with_name("drugs.tsv")


class DrugNames(NamedTuple):
    """What else a drug is called.

    Attributes:
        generic: Other names of the substance.
        brands: What it is sold as.
    """

    generic: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()


@cache
def drugs() -> dict[str, DrugNames]:
    """Read the table.

    Returns:
        All names and brands of each substance, by each of its names in small letters.
    """
    found: dict[str, DrugNames] = {}
    for _, line in table_lines(TABLE):
        generic, _, brands = line.partition("\t")
        drug = DrugNames(tuple(generic.split(", ")), tuple(filter(None, brands.split(", "))))
        found |= dict.fromkeys((name.lower() for name in drug.generic), drug)
    return found


def is_brand(name: str) -> bool:
    """Tell whether a name is a brand of the table."""
    return name.lower() in _brands()


@cache
def _brands() -> frozenset[str]:
    return frozenset(brand.lower() for drug in drugs().values() for brand in drug.brands)


def drug_names(names: Iterable[str]) -> DrugNames:
    """Give what else a drug is called.

    Returns:
        The names and brands that it has not among its names; none of what is no drug of the table, or of several.
    """
    known = {name.lower() for name in names}
    meant = {drug for name in known if (drug := drugs().get(name))}
    if len(meant) != 1:
        return DrugNames()
    (drug,) = meant
    return DrugNames(*(tuple(name for name in some if name.lower() not in known) for some in drug))
