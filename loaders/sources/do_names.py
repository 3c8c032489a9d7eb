"""Names and parents of the whole Disease Ontology: its report `HumanDO.tsv` (disease-ontology.org).

Columns `id`, `label` and `subClassOf`; a line a parent, which is given by its label. The root of the ontology has no
line of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import Entity, Relation, SourceInfo
from ..base import Reject, Row, Source
from ..files import tables
from ..files.cell_values import first_row
from ..files.on_disk import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="do-names",
    title="Human Disease Ontology: names and parents",
    version="2026-07-31",
    licence="CC0-1.0",
    url="https://disease-ontology.org",
    citation=(
        "Baron JA, Johnson CSB, Schor MA, et al. The DO-KB Knowledgebase: a 20-year journey developing the disease "
        "open science ecosystem. Nucleic Acids Research 52(D1), D1305-D1314 (2024). doi:10.1093/nar/gkad1051"
    ),
    rank=2,
)

_COLUMNS: Final = ("id", "label", "subClassOf")
_ROOT: Final = Entity("DOID:4", "Disease", "disease")


def records(path: Path) -> Iterator[Item]:
    """Read the report.

    Args:
        path: `HumanDO.tsv`.

    Yields:
        An entity a disease, then `IS_A` relations; rejects for lines without an id of the ontology, and for parents
        whose label no line has, or several have.
    """
    with Shelf() as ids, Shelf() as seen:
        rooted = 0  # the first line that names the root as a parent
        for line, row in _rows(path):
            if isinstance(row, Reject):
                yield row
                continue
            curie, label = _disease(row)
            if seen.add(f"{curie}\t{label}"):
                yield _entity(str(path), line, curie, label)
                if not ids.add(label, curie) and ids.get(label) != curie:
                    seen.add(label)  # marks a label of several diseases
            if row["subClassOf"].strip() == _ROOT.name:
                rooted = rooted or line
        if rooted and ids.add(_ROOT.name, _ROOT.id):
            yield Row(_ROOT, str(path), rooted)
        for line, row in _rows(path):
            if not isinstance(row, Reject) and row["subClassOf"].strip():
                yield _relation(str(path), line, row, ids, seen)


def _recognise(path: Path) -> bool:
    row = first_row(path)
    return set(row) == set(_COLUMNS) and row["id"].startswith("DOID:")


SOURCE: Final = Source(INFO, records, order=20, recognise=_recognise)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str] | Reject]]:
    for item in tables.read(path, _COLUMNS):
        if isinstance(item, Reject):
            yield item.line, item
            continue
        line, row = item
        curie, label = _disease(row)
        if curie.startswith("DOID:") and label:
            yield line, row
        else:
            yield (
                line,
                Reject(
                    str(path),
                    line,
                    f"needs an id such as DOID:2841 and a label, not {row['id'][:80]!r}, {label[:80]!r}",
                ),
            )


def _disease(row: dict[str, str]) -> tuple[str, str]:
    return prefixes.standard(row["id"]) or "", row["label"].strip()


def _entity(file: str, line: int, curie: str, label: str) -> Item:
    try:
        return Row(Entity(curie, "Disease", label), file, line)
    except RecordError as error:
        return Reject(file, line, str(error))


def _relation(file: str, line: int, row: dict[str, str], ids: Shelf, seen: Shelf) -> Item:
    parent = row["subClassOf"].strip()
    target = ids.get(parent)
    if target is None:
        return Reject(file, line, f"no line has the label of the parent {parent[:80]!r}; is the file cut off?")
    if seen.get(parent) is not None:
        return Reject(
            file, line, f"several diseases have the label of the parent {parent[:80]!r}; load the ontology's OBO file"
        )
    return Row(Relation(_disease(row)[0], "IS_A", target), file, line)
