"""Maps annotation and relation properties of ontologies to their meaning in the graph, by CURIE."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_name("properties.tsv")


def _read() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


_ROWS: Final = _read()
ANNOTATIONS: Final[dict[str, str]] = {row["property"]: row["meaning"] for row in _ROWS}
"""Annotation property → what it says: a name, a definition, a synonym and its scope … or the property it goes to."""

PREFIXES: Final = {row["property"]: row["prefix"] for row in _ROWS if row["prefix"]}
"""Annotation property → prefix of the ids that its values are, where they stand without one."""

TEXTS: Final = frozenset("name definition description synonym xref comments".split())
"""What annotations say in words, which old converters and SKOS-XL write as nodes of their own."""

MATCHES: Final = {curie: role for curie, role in ANNOTATIONS.items() if role.endswith("_matches")}
"""Mapping property of SKOS → the property that lists what a term maps to."""

_EXACT: Final[dict[str, str]] = {
    "is_a": "IS_A",
    "rdfs:subClassOf": "IS_A",
    "BFO:0000050": "PART_OF",
    "part_of": "PART_OF",
    "BFO:0000051": "HAS_PART",
    "has_part": "HAS_PART",
    "RO:0001025": "LOCATED_IN",
    "located_in": "LOCATED_IN",
    "RO:0002202": "DEVELOPS_FROM",
    "develops_from": "DEVELOPS_FROM",
    "RO:0002452": "HAS_SYMPTOM",
    "has_symptom": "HAS_SYMPTOM",
    "RO:0002351": "HAS_MEMBER",
    "has_member": "HAS_MEMBER",
    "RO:0002211": "REGULATES",
    "regulates": "REGULATES",
    "RO:0002434": "INTERACTS_WITH",
    "interacts_with": "INTERACTS_WITH",
    "RO:0000056": "PARTICIPATES_IN",
    "participates_in": "PARTICIPATES_IN",
    "RO:0002292": "EXPRESSES",
    "expresses": "EXPRESSES",
    "RO:0003311": "WORSENED_BY",
    "condition_exacerbated_by": "WORSENED_BY",
    "biolink:contraindicated_in": "CONTRAINDICATED_IN",
    "contraindicated_in": "CONTRAINDICATED_IN",
    "biolink:has_contraindication": "CONTRAINDICATED_WITH",
    "has_contraindication": "CONTRAINDICATED_WITH",
    "skos:exactMatch": "EXACT_MATCH",
    "skos:closeMatch": "CLOSE_MATCH",
    "skos:broadMatch": "BROAD_MATCH",
    "skos:narrowMatch": "NARROW_MATCH",
    "skos:relatedMatch": "RELATED_MATCH",
}
"""Property whose meaning the relation type has in full."""

_NARROWER: Final[dict[str, str]] = {
    "skos:broader": "IS_A",
    "skos:broaderTransitive": "IS_A",
    "owl:equivalentClass": "EXACT_MATCH",
    "RO:0002200": "HAS_SYMPTOM",
    "RO:0004026": "LOCATED_IN",
    "disease_has_location": "LOCATED_IN",
    "IDO:0000664": "CAUSED_BY",
    "has_material_basis_in": "CAUSED_BY",
    "RO:0002608": "CAUSED_BY",
    "RO:0002606": "TREATS",
    "RO:0002302": "TREATED_BY",
    "RO:0002212": "REGULATES",
    "negatively_regulates": "REGULATES",
    "RO:0002213": "REGULATES",
    "positively_regulates": "REGULATES",
    "RO:0002436": "INTERACTS_WITH",
    "RO:0002331": "PARTICIPATES_IN",
    "RO:0002610": "COVARIES_WITH",
}
"""Property that says more than the relation type, which keeps it as predicate."""

TURNED: Final[dict[str, str]] = {"RO:0003309": "WORSENED_BY", "exacerbates_condition": "WORSENED_BY"}
"""Property whose meaning the relation type has in full, from the other end."""


def relation_type(predicate: str, name: str = "") -> tuple[str, bool]:
    """Find the relation type of a property (`TURNED` ones change ends), and whether it says all."""
    if kind := _EXACT.get(predicate) or TURNED.get(predicate):
        return kind, True
    word = re.sub(r"[\s_-]+", "_", name.strip().lower())
    kind = _NARROWER.get(predicate) or _EXACT.get(word) or _NARROWER.get(word)
    return kind or "RELATED_TO", False
