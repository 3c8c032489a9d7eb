"""Annotations of genes and their products with GO terms: GAF 2.1 and 2.2, GPAD 1 and 2 (geneontology.org/docs).

Which evidence code goes with which reference is kept (`statements`). Rows that say NOT are left out and counted. GPAD
names nothing: load the genes, or a GAF, and the ontology as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import Entity, SourceInfo
from ..base import Reject, Row, Source
from ..files import tables
from ..files.opening import head
from .annotations import Annotation, relations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...schema.records import Properties
    from ..base import Item

INFO: Final = SourceInfo(
    id="gaf",
    title="Annotations with the Gene Ontology",
    version="unversioned",
    licence="CC-BY-4.0",
    url="https://geneontology.org/",
    citation=(
        "The Gene Ontology Consortium. The Gene Ontology knowledgebase in 2023. Genetics 224(1), iyad031 (2023). "
        "doi:10.1093/genetics/iyad031"
    ),
)

_GAF: Final = (
    "db object_id symbol qualifier term reference evidence with aspect name synonyms type taxon date assigned_by "
    "extension form"
).split()
_FORMS: Final = {
    "gaf": tuple(_GAF),
    "gpad1": tuple(
        "db object_id qualifier term reference evidence with taxon date assigned_by extension props".split()
    ),
    "gpad2": tuple(
        "object negation qualifier term reference evidence with taxon date assigned_by extension props".split()
    ),
}
_FIRST: Final = re.compile(rb"^!\s*(gaf|gpad?)-version:\s*(\d)", re.MULTILINE | re.IGNORECASE)
_DATE: Final = re.compile(rb"^!\s*(?:date-generated|generated):?\s*(\d{4}-\d\d-\d\d)", re.MULTILINE | re.IGNORECASE)
_ASPECTS: Final = {"F": "enables", "P": "involved_in", "C": "located_in"}  # what GAF 2.1 leaves open, by aspect
_RELATIONS: Final = {
    "RO:0002327": "enables",
    "RO:0002326": "contributes_to",
    "RO:0002331": "involved_in",
    "RO:0001025": "located_in",
    "RO:0002432": "is_active_in",
    "BFO:0000050": "part_of",
    "RO:0002325": "colocalizes_with",
}
_TYPES: Final = {
    "located_in": "LOCATED_IN",
    "is_active_in": "LOCATED_IN",
    "colocalizes_with": "LOCATED_IN",
    "part_of": "PART_OF",
}
"""Relations that are no participation."""

_UNREAD: Final = {"gaf": ("date", "form"), "gpad": ("taxon", "date", "props")}
_LABELS: Final = {"protein": "Protein", "protein_complex": "Protein"}
_SAID: Final = {"evidence_code": "evidence", "with": "with", "extension": "extension", "assigned_by": "assigned_by"}


def records(path: Path) -> Iterator[Item]:
    """Read annotations: genes, products and terms, then a relation for each two with all rows on them."""
    form = _form(path)
    return relations(str(path), _items(path, form), unread=_UNREAD["gaf" if form == "gaf" else "gpad"])


def describe(path: Path) -> SourceInfo:
    """Read from the file's first lines when it was made."""
    found = _DATE.search(head(path))
    return replace(INFO, version=found[1].decode()) if found else INFO


def recognise(path: Path) -> bool:
    """Tell whether a file says that it is GAF or GPAD."""
    return path.is_file() and _FIRST.search(head(path, 4096)) is not None


SOURCE: Final = Source(INFO, records, order=26, describe=describe, recognise=recognise)


def _form(path: Path) -> str:
    found = _FIRST.search(head(path))
    if not found:
        raise SourceFileError("has no line !gaf-version: or !gpad-version: at its beginning", path, 1)
    return "gaf" if found[1].lower() == b"gaf" else f"gpad{found[2].decode()}"


def _items(path: Path, form: str) -> Iterator[Item | Annotation]:
    columns = _FORMS.get(form)
    if columns is None:
        raise SourceFileError(f"is {form}, which is not read; known are {', '.join(_FORMS)}", path, 1)
    known: set[str] = set()
    rows = tables.read(path, header=columns, comment="!", delimiter="\t", quoted=False, ragged=True)
    for item in rows:
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        if next(iter(row.values())).startswith("!"):
            continue
        try:
            thing, annotation = _thing(row), _annotation(line, row)
            new = [entity for entity in (thing, Entity(annotation.key[2])) if entity.id not in known]
        except RecordError as error:
            yield Reject(str(path), line, str(error))
            continue
        yield from (Row(entity, str(path), line) for entity in new)
        known.update(entity.id for entity in new)
        yield annotation


def _id(row: dict[str, str]) -> str:
    given = row.get("object") or f"{row['db']}:{row['object_id']}"
    return prefixes.standard(given) or given


def _thing(row: dict[str, str]) -> Entity:
    """Make the gene or product; GPAD does not name it."""
    if not (symbol := row.get("symbol", "")):
        return Entity(_id(row))
    others = [row["name"], *row["synonyms"].split("|")]
    synonyms = tuple(dict.fromkeys(other for other in others if other and other != symbol))
    return Entity(_id(row), _LABELS.get(row["type"], "Gene"), symbol, synonyms, properties=_taxon(row))


def _taxon(row: dict[str, str]) -> Properties:
    taxon = row["taxon"].split("|")[0].replace("taxon:", "NCBITaxon:")
    return (("taxon", taxon),) if taxon else ()


def _annotation(line: int, row: dict[str, str]) -> Annotation:
    negated, *others = _qualifiers(row)
    word = (others or [_ASPECTS.get(row.get("aspect", ""), "involved_in")])[-1]
    word = _RELATIONS.get(word, word)
    term = prefixes.standard(row["term"]) or row["term"]
    references = tuple(prefixes.standard(one) or one for one in row["reference"].split("|") if one)
    said = {name: row[column] for name, column in _SAID.items()}
    return Annotation((_id(row), _TYPES.get(word, "PARTICIPATES_IN"), term, word), line, references, said, negated)


def _qualifiers(row: dict[str, str]) -> list[str]:
    """Give NOT or nothing, then what else qualifies."""
    words = [word for word in row["qualifier"].split("|") if word]
    negated = "NOT" if row.get("negation") == "NOT" or "NOT" in words else ""
    return [negated, *(word for word in words if word != "NOT")]
