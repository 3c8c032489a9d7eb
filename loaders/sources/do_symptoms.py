"""Symptoms of diseases as the Disease Ontology states them: its report `disease-symptom.tsv` (disease-ontology.org).

Columns `disease_id`, `disease_label`, `symptom_id` and `symptom_label`; symptoms are terms of the Symptom Ontology.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import Entity, Relation
from ..base import Reject, Row, Source
from ..files import tables
from ..files.cell_values import first_row
from ..files.on_disk import Shelf
from . import do_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = replace(do_names.INFO, id="do-symptoms", title="Human Disease Ontology: symptoms of diseases", rank=5)

_KINDS: Final = (("disease", "DOID:", "Disease"), ("symptom", "SYMP:", "Symptom"))
_COLUMNS: Final = ("disease_id", "disease_label", "symptom_id", "symptom_label")


def records(path: Path) -> Iterator[Item]:
    """Read the report: diseases and symptoms, then a `HAS_SYMPTOM` relation a line."""
    with Shelf() as seen:
        for line, pair in _pairs(path):
            if isinstance(pair, Reject):
                yield pair
            else:
                yield from (Row(entity, str(path), line) for entity in pair if seen.add(f"{entity.id}\t{entity.name}"))
    for line, pair in _pairs(path):
        if not isinstance(pair, Reject):
            yield Row(Relation(pair[0].id, "HAS_SYMPTOM", pair[1].id), str(path), line)


def _recognise(path: Path) -> bool:
    return set(first_row(path)) == set(_COLUMNS)


SOURCE: Final = Source(INFO, records, order=22, recognise=_recognise)


def _pairs(path: Path) -> Iterator[tuple[int, tuple[Entity, ...] | Reject]]:
    for item in tables.read(path, _COLUMNS):
        if isinstance(item, Reject):
            yield item.line, item
            continue
        line, row = item
        try:
            yield line, tuple(_entity(row, *kind) for kind in _KINDS)
        except RecordError as error:
            yield line, Reject(str(path), line, str(error))


def _entity(row: dict[str, str], column: str, prefix: str, label: str) -> Entity:
    written = row[f"{column}_id"]
    curie = prefixes.standard(written) or ""
    if not curie.startswith(prefix):
        raise RecordError(f"{written[:80]!r} is no id of a {column}, which begins with {prefix}")
    return Entity(curie, label, row[f"{column}_label"].strip())
