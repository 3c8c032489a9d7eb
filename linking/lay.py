"""Names that people use and vocabularies lack: of diseases (`lay.tsv`), of drugs and their brands (`drugs.tsv`)."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

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
    """Give the everyday names of an entity that are not among its names, each once."""
    known = {name.lower() for name in names}
    return list(dict.fromkeys(lay for name in sorted(known) for lay in _everyday().get(name, ()) if lay not in known))


def is_lay(name: str) -> bool:
    """Tell whether a name is an everyday one of the table."""
    return name in _every()


@cache
def _every() -> frozenset[str]:
    return frozenset(everyday for names in _everyday().values() for everyday in names)


TABLE: Final = Path(__file__).with_name("drugs.tsv")


class DrugNames(NamedTuple):
    """Other names of a substance, and what it is sold as."""

    generic: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()


@cache
def drugs() -> dict[str, DrugNames]:
    """Read all names and brands of each substance, by each of its names in small letters."""
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
    """Give the names and brands that a drug has not among its names; none of what is no drug, or of several."""
    known = {name.lower() for name in names}
    meant = {drug for name in known if (drug := drugs().get(name))}
    if len(meant) != 1:
        return DrugNames()
    (drug,) = meant
    return DrugNames(*(tuple(name for name in some if name.lower() not in known) for some in drug))
