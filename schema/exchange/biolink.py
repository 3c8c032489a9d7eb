"""Biolink's words and ours: its classes and predicates, as KGX files write them, into labels and relation types."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...files import word_table
from ..vocabulary import ENTITY_LABELS, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable

_TABLE: Final = word_table(Path(__file__).parent.with_name("biolink.tsv"))
# Biolink class → label, particular classes first; a class that is not here says no more than `NamedThing`
LABELS: Final[dict[str, str]] = {name: label for label, names in _TABLE["class"].items() for name in names}
# Mappings have SKOS predicates in the graph; KGX files use Biolink's for them
MATCHES: Final[dict[str, str]] = {kind: f"biolink:{kind.lower()}" for kind in RELATION_TYPES if kind.endswith("_MATCH")}
LISTS: Final = frozenset(_TABLE["slots"]["list"])  # Slots that hold lists; all others hold one value
PREFIXES: Final = frozenset(_TABLE["prefixes"]["listed"])  # Biolink's validator wants no others
_ANY: Final = "biolink:NamedThing"
# Predicates that Biolink has today, where ours are not or no longer among them
_WRITTEN: Final = {kind: words[0] for kind, words in _TABLE["written"].items()}
_NARROW: Final = {kind: words[0] for kind, words in _TABLE["written"].items() if "wider" not in words}
_TYPES: Final = {predicate: kind for said in (RELATION_TYPES, MATCHES, _NARROW) for kind, predicate in said.items()} | {
    predicate: kind for kind, predicate in RELATION_TYPES.items() if kind in MATCHES
}
_TYPES["biolink:contraindicated_for"] = "CONTRAINDICATED_IN"  # its name in Biolink before version 4

# Predicate that the graph has no type for → the one that says the same from the other end, which it has one for
TURNED: Final = {predicate: word for predicate, (word,) in _TABLE["turned"].items()}
_ORDER: Final = {name: place for place, name in enumerate(LABELS)}


def label_of(categories: Iterable[str]) -> str | None:
    """Give the label of the most particular known one of Biolink categories, with or without prefix; None for none."""
    names = [name.removeprefix("biolink:") for name in categories]
    known = sorted((name for name in names if name in LABELS), key=_ORDER.__getitem__)
    return LABELS[known[0]] if known else None


def categories_of(label: str) -> list[str]:
    """Give the Biolink categories of a label, which may be empty: its own if it has one, and `biolink:NamedThing`."""
    return list(dict.fromkeys((ENTITY_LABELS.get(label, _ANY), _ANY)))


def relation_of(predicate: str) -> str | None:
    """Give the relation type for a predicate of Biolink or SKOS; None when the graph has no type for it."""
    return _TYPES.get(predicate)


def predicate_of(kind: str) -> str:
    """Give the predicate of a relation type that Biolink has, such as `biolink:treats`."""
    return _WRITTEN.get(kind) or MATCHES.get(kind, RELATION_TYPES[kind])
