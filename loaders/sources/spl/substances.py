"""Makes entities of what labels say of their drugs: one a moiety, one a combination, one a class, and their relations.

Salts, hydrates and esters lead to the moiety: `lisinopril dihydrate` is a narrower name of lisinopril. A brand is a
name of the one thing that all labels with that brand have in them; a brand of several things names none of them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ....files import word_table
from ....schema.records import Entity, Relation
from ...base import Item, made
from ...files.cell_values import slug

if TYPE_CHECKING:
    from collections.abc import Iterator


_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
_SALTS: Final = frozenset(_TABLE["words"]["salts"])
_IONS: Final = frozenset(_TABLE["words"]["ions"])
_QUALIFIERS: Final = frozenset(_TABLE["words"]["qualifiers"])
_AND: Final = re.compile(r",? and |, ", re.IGNORECASE)
_FORMERLY: Final = re.compile(r"\s*\([^()]*\)$")
_BIOLOGIC: Final = re.compile(r"-[a-z]{4}$")
_KIND: Final = re.compile(r"\s*\[(EPC|MoA|PE|CS|Chemical/Ingredient|EXT)\]\s*$", re.IGNORECASE)
# Kind of pharmacologic class → relation of a drug to it, and the word of MED-RT for that.
_CLASSES: Final = {kind: (relation, word) for kind, (relation, word) in _TABLE["class"].items()}


@dataclass(frozen=True, slots=True)
class Substance:
    """An ingredient; `moieties` are names and UNIIs of what acts in it, `strength` is such as `20 mg`."""

    name: str
    unii: str = ""
    moieties: tuple[tuple[str, str], ...] = ()
    strength: str = ""

    def parts(self) -> tuple[tuple[str, str], ...]:
        """Give id and plain name of each moiety."""
        plain = base_name(self.name)
        found = self.moieties or ((plain, self.unii if plain.lower() == self.name.lower() else ""),)
        return tuple((_id(base_name(name), unii), base_name(name)) for name, unii in found)


@dataclass(frozen=True, slots=True)
class Drug:
    """The names of a product, and what acts in it; `classes` are names and ids, which may be empty."""

    brand: str
    generic: str
    active: tuple[Substance, ...] = ()
    classes: tuple[tuple[str, str], ...] = ()

    def substances(self) -> tuple[Substance, ...]:
        """Give its active ingredients, those of its generic name where none are listed, or else its brand."""
        return self.active or tuple(map(Substance, parted(self.generic or self.brand)))

    def moieties(self) -> dict[str, str]:
        """Give the plain name of each moiety by its id."""
        return dict(part for one in self.substances() for part in one.parts())

    def entity(self) -> tuple[str, str]:
        """Give id and name of the moiety, or of the combination; empty where nothing is named."""
        parts = self.moieties()
        if len(parts) < 2:
            return next(iter(parts.items()), ("", ""))
        names = [name if not place else name[:1].lower() + name[1:] for place, name in enumerate(parts.values())]
        return f"openfda:{slug(' and '.join(sorted(parts.values())))}", f"{', '.join(names[:-1])} and {names[-1]}"


@lru_cache(maxsize=1 << 15)
def base_name(name: str) -> str:
    """Give the name of the moiety that a name of a salt, a hydrate or an ester tells.

    Example:
        >>> base_name("SERTRALINE HYDROCHLORIDE"), base_name("SODIUM CHLORIDE"), base_name("adalimumab-ryvk")
        ('Sertraline', 'Sodium chloride', 'Adalimumab')
    """
    words = _FORMERLY.sub("", name.strip()).replace(",", " ").lower().split() or name.lower().split()
    kept = len(words)
    while kept > 1 and words[kept - 1] in _SALTS:
        kept -= 1
    if words[:kept] and words[kept - 1] in _IONS and (kept == 1 or words[kept - 2] in _IONS):
        kept = len(words)
    plain = _BIOLOGIC.sub("", " ".join(words[:kept])) if len(words) == 1 else " ".join(words[:kept])
    return plain[:1].upper() + plain[1:]


def parted(name: str) -> list[str]:
    """Part the generic name of a combination into its ingredients."""
    found: list[str] = []
    for part in filter(None, map(str.strip, _AND.split(name))):
        if found and all(word in _QUALIFIERS for word in part.lower().split()):
            found[-1] += f", {part}"
        else:
            found.append(part)
    return found


def _id(name: str, unii: str) -> str:
    return f"UNII:{unii}" if unii else f"openfda:{slug(name)}"


@dataclass(slots=True)
class _Names:
    name: str
    file: str
    brands: set[str] = field(default_factory=set)
    narrow: set[str] = field(default_factory=set)
    xrefs: set[str] = field(default_factory=set)


class Substances:
    """Collects what labels say of their drugs, and makes entities and relations of it."""

    def __init__(self) -> None:
        self._named: dict[str, _Names] = {}
        self._names: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._brands: defaultdict[str, set[str]] = defaultdict(set)
        self._classes: dict[str, tuple[str, str]] = {}
        self._relations: dict[tuple[str, str, str, str], str] = {}

    def add(self, drug: Drug, file: str) -> None:
        """Take up what a label says of a drug."""
        key, name = drug.entity()
        if not key:
            return
        for one in drug.substances():
            self._add_substance(one, file)
        whole = self._entry(key, name, file)
        parts = drug.moieties()
        if len(parts) > 1:
            self._relations |= {(key, "HAS_PART", part, "has_ingredient"): file for part in parts}
        if drug.generic.lower() not in {name.lower(), *(part.lower() for part in parts.values())}:
            whole.narrow.add(drug.generic.lower())
        if base_name(drug.brand or name) == name:
            whole.narrow.add(drug.brand.lower())
        elif drug.brand.lower() != drug.generic.lower():
            self._brands[drug.brand.lower()].add(key)
            whole.brands.add(drug.brand.title() if drug.brand.isupper() else drug.brand)
        if len(parts) == 1:
            for said, code in drug.classes:
                self._add_class(key, said, code, file)

    def _entry(self, key: str, name: str, file: str) -> _Names:
        self._names[key][name] += 1
        return self._named.setdefault(key, _Names(name, file))

    def _add_substance(self, one: Substance, file: str) -> None:
        parts = one.parts()
        for key, name in parts:
            entry = self._entry(key, name, file)
            if len(parts) == 1 and one.name.lower() != name.lower():
                entry.narrow.add(one.name.lower())
            entry.narrow.update(said.lower() for said, unii in one.moieties if _id(base_name(said), unii) == key)
            if len(parts) == 1 and one.unii and key != f"UNII:{one.unii}":
                entry.xrefs.add(f"UNII:{one.unii}")

    def _add_class(self, key: str, said: str, code: str, file: str) -> None:
        kind = _KIND.search(said)
        name = _KIND.sub("", said).strip()
        relation, predicate = _CLASSES.get(kind[1].upper() if kind else "EPC", ("RELATED_TO", "has_class"))
        own = f"NDFRT:{code}" if re.fullmatch(r"N\d{10}", code) else f"openfda:class-{slug(said)}"
        if name:
            self._classes.setdefault(own, (name, file))
            self._relations.setdefault((key, relation, own, predicate), file)

    def items(self) -> Iterator[Item]:
        """Make entities, then relations, each in the order of its ids; rejects for what cannot be one."""
        for key in sorted(self._named):
            yield self._entity(key, self._named[key])
        for key, (name, file) in sorted(self._classes.items()):
            yield made(file, 1, Entity, key, "DrugClass", name, adds=True)
        for (subject, relation, other, predicate), file in sorted(self._relations.items()):
            yield made(file, 1, Relation, subject, relation, other, predicate)

    def _entity(self, key: str, entry: _Names) -> Item:
        name = min(self._names[key], key=lambda said: (-self._names[key][said], said))
        brands = sorted(said for said in entry.brands if len(self._brands[said.lower()]) == 1)
        synonyms = tuple({said.lower(): said for said in brands}.values())
        taken = {name.lower(), *map(str.lower, synonyms)}
        narrow = tuple(sorted(filter(None, entry.narrow - taken)))
        said: dict[str, Any] = {"narrow_synonyms": narrow, "xrefs": tuple(sorted(entry.xrefs))}
        return made(entry.file, 1, Entity, key, "Drug", name, synonyms, adds=True, **said)
