"""Curated lists of names: those that people use and vocabularies lack, and words that never name something.

Everyday names of diseases stand in `lay.tsv`, names and brands of drugs in `drugs.tsv`. The stop list has three columns
with tabs between: the words, the id of a concept or entity that they never name, or `*` for anything at all, and why.
One is shipped beside this file; `never.tsv` in the data folder adds to it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ..errors import SourceFileError
from ..files import table_lines
from .words import Word, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SHIPPED: Final = Path(__file__).with_name("never.tsv")
OWN: Final = "never.tsv"  # what the user's table is called, in the data folder
# Stands for the id of whatever words in a text would name; who looks up just these words means something.
ANYTHING: Final = "*"
_COLUMNS: Final = 3


class StopNames:
    """Words that are no names: in their form for comparison → ids of what they never name, or `*`."""

    def __init__(self, settled: Mapping[str, frozenset[str]]) -> None:
        self._settled = settled

    @property
    def fingerprint(self) -> str:
        """What tells one list from another."""
        lines = sorted(f"{said}\t{' '.join(sorted(ids))}" for said, ids in self._settled.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]

    def settled(self, run: Sequence[Word]) -> frozenset[str]:
        """Give the ids of concepts and entities that words never name, or `*`; mostly nothing."""
        return self._settled.get(_key(run), frozenset())


def load_never(home: Path | None = None) -> StopNames:
    """Read what is settled, in the data folder, too; SourceFileError where a line has not the three columns."""
    settled: dict[str, set[str]] = defaultdict(set)
    own = [home / OWN] if home and (home / OWN).exists() else []
    for path in (SHIPPED, *own):
        for said, concept in _lines(path):
            settled[said].add(concept)
    return StopNames({said: frozenset(ids) for said, ids in settled.items()})


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        for number, line in table_lines(path):
            cells = [cell.strip() for cell in line.split("\t")]
            said = _key(words(cells[0]))
            if len(cells) != _COLUMNS or not all(cells) or not said:
                raise SourceFileError("write words, a tab, an id or *, a tab, and why", path, number)
            yield said, cells[1]
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error


def _key(run: Iterable[Word]) -> str:
    return " ".join(word.normal for word in run)


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
    """Give the names and brands that a drug has not among its names; none for other entities, or for several drugs."""
    known = {name.lower() for name in names}
    meant = {drug for name in known if (drug := drugs().get(name))}
    if len(meant) != 1:
        return DrugNames()
    (drug,) = meant
    return DrugNames(*(tuple(name for name in some if name.lower() not in known) for some in drug))
