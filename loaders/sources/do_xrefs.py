"""Cross-references of the Disease Ontology: its report `allXREFinDO.tsv` (disease-ontology.org).

Columns `id`, `label` and `xref`, a cross-reference a line. Those to the UMLS (`UMLS_CUI:C0002395`) become concepts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import UMLS, Entity
from ..base import Reject, Remark, Row, Source
from ..files import tables
from ..files.cell_values import first_row
from ..files.on_disk import grouped
from ..remarks import Remarks
from . import do_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item
    from ..files.on_disk import Part

INFO: Final = replace(do_names.INFO, id="do-xrefs", title="Human Disease Ontology: cross-references")

_COLUMNS: Final = ("id", "label", "xref")


def records(path: Path) -> Iterator[Item]:
    """Read the report: an entity a disease, with concepts and cross-references."""
    for item in grouped(_parts(path)):
        yield _entity(str(path), *item) if isinstance(item, tuple) else item


def _recognise(path: Path) -> bool:
    row = first_row(path)
    return set(row) == set(_COLUMNS) and row["id"].startswith("DOID:")


SOURCE: Final = Source(INFO, records, order=21, recognise=_recognise)


def _parts(path: Path) -> Iterator[tuple[str, int, tuple[str, ...]] | Reject | Remark]:
    remarks = Remarks()
    for item in tables.read(path, _COLUMNS):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        disease = prefixes.standard(row["id"]) or ""
        xref = remarks.curie(row["xref"].strip().removeprefix("<").removesuffix(">"), str(path), line)
        yield from remarks.take()
        if not disease.startswith("DOID:"):
            yield Reject(str(path), line, f"{row['id'][:80]!r} is no id of the Disease Ontology, such as DOID:2841")
        elif ":" not in xref or (xref.startswith("UMLS:") and not UMLS.fullmatch(xref)):
            yield Reject(str(path), line, f"{row['xref'][:80]!r} is no cross-reference, such as UMLS_CUI:C0004096")
        else:
            yield _checked(str(path), line, disease, row["label"].strip(), xref)


def _checked(file: str, line: int, disease: str, name: str, xref: str) -> tuple[str, int, tuple[str, ...]] | Reject:
    """Reject a line that would spoil its disease."""
    try:
        Entity(disease, "Disease", name, xrefs=(xref,))
    except RecordError as error:
        return Reject(file, line, f"{disease}: {error}")
    return disease, line, (name, xref)


def _entity(file: str, disease: str, parts: list[Part]) -> Item:
    first, (name, _) = parts[0]
    xrefs = tuple(dict.fromkeys(xref for _, (_, xref) in parts))
    concepts = tuple(xref.removeprefix("UMLS:") for xref in xrefs if xref.startswith("UMLS:"))
    try:
        return Row(Entity(disease, "Disease", name, concepts=concepts, xrefs=xrefs), file, first)
    except RecordError as error:
        return Reject(file, first, f"{disease}: {error}")
