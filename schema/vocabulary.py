"""The words of the graph: labels, relation types and section types, each with its Biolink term."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_cells, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


OTHER: Final = "other information"
GENERAL: Final = "information"  # The kind that counts only where nothing else is asked
_TABLE: Final = Path(__file__).with_name("kinds.tsv")


@cache
def kind_values(what: str) -> Mapping[str, str]:
    """Give one thing that the table says of kinds.

    Returns:
        Kind → what is said of it, in the table's order; several lines of a kind are joined by `|`.
    """
    found: dict[str, str] = {}
    for _, line in table_lines(_TABLE):
        kind, name, value = line.split("\t")
        if name == what:
            found[kind] = f"{found[kind]}|{value}" if kind in found else value
    return found


def lists(what: str) -> dict[str, tuple[str, ...]]:
    """Give what the table lists for kinds with `;` between, as `kind_values` does."""
    return {kind: tuple(filter(None, value.split("; "))) for kind, value in kind_values(what).items()}


@cache
def patterns(what: str) -> Mapping[str, re.Pattern[str]]:
    """Compile what the table says of kinds as regular expressions, which begin with a word, as `kind_values` does."""
    return {kind: re.compile(rf"(?<!\w)(?:{value})", re.IGNORECASE) for kind, value in kind_values(what).items()}


def _rows(name: str, columns: int, named: str) -> list[list[str]]:
    return [cells for _, cells in table_cells(_TABLE.with_name(name), columns, named)]


# Label of an entity's category → Biolink class
ENTITY_LABELS: Final[dict[str, str]] = dict(_rows("labels.tsv", 2, "LABEL and CLASS"))
# Label of an entity that nobody names: relations point to it, or sources add to it, until one tells what it is
STUB: Final = "Stub"
CONDITIONS: Final = ("Disease", "Symptom", "Phenotype", "SideEffect")  # Labels of what people suffer from
_PRODUCTS: Final = ("Gene", "Protein", "Variant")
_GROUPS: Final = {
    "conditions": CONDITIONS,
    "means": ("Drug", "Chemical", "DrugClass", "Treatment", "Test", "Protein", "Cell", "Organism"),
    "products": _PRODUCTS,
    "anything": tuple(ENTITY_LABELS),
}
_RELATIONS: Final = _rows("relations.tsv", 5, "TYPE, PREDICATE, two lists of labels and what holds")
RELATION_TYPES: Final[dict[str, str]] = {kind: predicate for kind, predicate, *_ in _RELATIONS}


def _labels(words: str) -> tuple[str, ...]:
    return tuple(label for word in words.split() for label in _GROUPS.get(word, (word,)))


# Relation → labels that it may start at, and labels that it may point to; others join anything, as `Topic` does
RELATION_ENDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    kind: (_labels(starts), _labels(ends)) for kind, _, starts, ends, _ in _RELATIONS if starts != "-"
}
# Groups of labels so near to each other that something of one may be a kind of something of another
KIN: Final = (
    CONDITIONS,
    ("Drug", "Chemical", "DrugClass", "Protein", "Treatment"),
    ("Treatment", "Test"),
    _PRODUCTS,
    ("Anatomy", "Cell", "CellularComponent"),
    ("BiologicalProcess", "MolecularFunction", "Pathway", "CellularComponent"),
    ("Disease", "BiologicalProcess"),
)
# Labels of nodes; entities carry the label of their category too
NODE_LABELS: Final = tuple(
    "Source Load Former Document Section Chunk Question Entity Concept Term Answer Claim Run Migration Encoder".split()
)
# Relation that sources state → the one that concepts have instead, turned round
INVERSES: Final[dict[str, str]] = {kind: more for kind, *_, more in _RELATIONS if more in RELATION_TYPES}
# Relations that say the same either way; of concepts they start at the first one by category and id
SYMMETRIC: Final = tuple(kind for kind, *_, more in _RELATIONS if more == "symmetric")
# Relations that concepts have to each other
CONCEPT_RELATIONS: Final = tuple(relation for relation in RELATION_TYPES if relation not in INVERSES)
# Relations of concepts to terms, phrases that no vocabulary has
TERM_RELATIONS: Final = tuple(kind for kind, *_, more in _RELATIONS if more == "of_terms")
_TYPES: Final = {"stated": tuple(RELATION_TYPES), "of_concepts": CONCEPT_RELATIONS, "of_terms": TERM_RELATIONS}
# Every relation that the graph may hold: label of its start, type, label of its end
METAGRAPH: Final = tuple(
    (start, kind, end)
    for start, kinds, end in _rows("metagraph.tsv", 3, "LABEL, TYPE and LABEL")
    for kind in _TYPES.get(kinds, (kinds,))
)
# Section type → other words that people use for it. Sources may bring further types, kept as given.
SECTION_TYPES: Final = lists("also")
_ALIASES: Final = {alias: name for name, aliases in SECTION_TYPES.items() for alias in aliases}

# Kind of study → the words of sources for it, itself among them, in small letters; the most telling kind first
STUDIES: Final = {kind: (kind, *words.split("; ")) for kind, words in _rows("studies.tsv", 2, "KIND and words with ;")}


def studies_of(words: Iterable[str]) -> str:
    """Name the kinds of study that publication types say, the most telling first; empty where they say none."""
    said = {word.lower() for word in words}
    return ", ".join(kind for kind, known in STUDIES.items() if not said.isdisjoint(known))


def section_type(word: str) -> str:
    """Translate a word for a section type, such as `Diagnosis`, into the graph's own; else give it in lower case."""
    plain = " ".join(word.lower().split())
    return _ALIASES.get(plain, plain)


def heading_type(words: str) -> str:
    """Tell the section type that a heading, or a title's end, names: `Ear infection (Diagnosis)`; empty for none."""
    plain = " ".join(words.lower().split()).rstrip(".:?")
    inner = plain.rpartition("(")[2].removesuffix(")").strip() if plain.endswith(")") else plain
    found = section_type(inner)
    return found if found in SECTION_TYPES else ""


def page_heading_type(words: str) -> str:
    """Tell the section type that a heading of a page for patients names or asks for."""
    if known := heading_type(words):
        return known
    found = [kind for what in ("heads", "asks") for kind, said in patterns(what).items() if said.search(words)]
    return next((kind for kind in found if kind != GENERAL), GENERAL if found else OTHER)


# What the National Library of Medicine sorts labels into (its NlmCategory)
CATEGORIES: Final = frozenset({"background", "objective", "methods", "results", "conclusions"})


def part_type(label: str, category: str = "") -> str:
    """Tell what a part of an abstract is about."""
    given = category.lower()
    if given in CATEGORIES:
        return given
    if label.strip().upper() in {"", "UNLABELLED", "UNASSIGNED"}:
        return "information"
    if (known := section_type(label)) in SECTION_TYPES:
        return known
    return next((kind for kind, pattern in patterns("part").items() if pattern.search(label)), OTHER)
