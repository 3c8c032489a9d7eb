"""HPO annotations: which diseases have which phenotypes (phenotype.hpoa, https://hpo.jax.org/data/annotations).

One row a disease, term and reference, with frequency, onset, sex, modifiers and the kind of evidence. Rows that say NOT
are left out and counted. The terms are named by the ontology itself; load that as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import Entity, SourceInfo
from ..base import Reject, Row, Source
from ..files import tables
from ..files.opening import head
from .annotations import Annotation, relations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="hpoa",
    title="Human Phenotype Ontology annotations",
    version="unversioned",
    licence="LicenseRef-HPO",
    url="https://hpo.jax.org/data/annotations",
    citation=(
        "Gargano MA, Matentzoglu N, Coleman B, et al. The Human Phenotype Ontology in 2024: phenotypes around the "
        "world. Nucleic Acids Research 52(D1), D1333-D1346 (2024). doi:10.1093/nar/gkad1005"
    ),
)

_COLUMNS: Final = tuple(
    "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect "
    "biocuration".split()
)
_HEADER: Final = re.compile(rb"^#?database_?id\tdisease_?name\tqualifier\thpo_?id\t", re.IGNORECASE | re.MULTILINE)
_VERSION: Final = re.compile(rb"^#(?:version|date): *(\d{4}-\d\d-\d\d)", re.MULTILINE)
_ASPECTS: Final = {
    "P": ("HAS_SYMPTOM", ""),
    "I": ("RELATED_TO", "has_mode_of_inheritance"),
    "C": ("RELATED_TO", "has_clinical_course"),
    "M": ("RELATED_TO", "has_clinical_modifier"),
    "H": ("HAS_RISK_FACTOR", "past_medical_history"),
}
"""What an aspect of the ontology is to a disease, with the predicate."""


def records(path: Path) -> Iterator[Item]:
    """Read the annotations: entities, then a relation for each disease and term; rejects and remarks."""
    return relations(str(path), _items(path), unread=("biocuration",))


def describe(path: Path) -> SourceInfo:
    """Read the release from the file's first lines."""
    found = _VERSION.search(head(path, 4096))
    return replace(INFO, version=found[1].decode()) if found else INFO


def recognise(path: Path) -> bool:
    """Tell whether a file has the columns of HPO's annotations."""
    return _HEADER.search(head(path, 4096)) is not None


SOURCE: Final = Source(INFO, records, order=24, describe=describe, recognise=recognise)


def _items(path: Path) -> Iterator[Item | Annotation]:
    known: set[str] = set()
    for item in tables.read(path, header=_COLUMNS, comment="#", delimiter="\t", quoted=False):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        disease, term = (prefixes.standard(row[name]) or row[name] for name in ("database_id", "hpo_id"))
        if term == "hpo_id":  # the header
            continue
        try:
            new = [Entity(disease, "Disease", row["disease_name"] or disease), Entity(_term(term))]
            annotation = _annotation(line, row, disease, term)
        except RecordError as error:
            yield Reject(str(path), line, str(error))
            continue
        yield from (Row(entity, str(path), line) for entity in new if entity.id not in known)
        known.update((disease, term))
        yield annotation


def _term(curie: str) -> str:
    if not curie.startswith("HP:"):
        raise RecordError(f"{curie[:60]!r} is no HPO term, such as HP:0000001")
    return curie


def _annotation(line: int, row: dict[str, str], disease: str, term: str) -> Annotation:
    aspect = row["aspect"] or "P"
    if aspect not in _ASPECTS:
        raise RecordError(f"the aspect {aspect!r} is not one of {', '.join(_ASPECTS)}")
    kind, predicate = _ASPECTS[aspect]
    said = {name: row[name] for name in ("frequency", "onset", "sex", "modifier")} | {"evidence_code": row["evidence"]}
    references = tuple(prefixes.standard(one) or one for one in row["reference"].split(";") if one)
    return Annotation((disease, kind, term, predicate), line, references, said, row["qualifier"])
