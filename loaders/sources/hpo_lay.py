"""Layperson synonyms of the Human Phenotype Ontology (github.com/obophenotype/human-phenotype-ontology).

The ontology's report `layperson-synonyms.tsv`, the TSV of a SPARQL query: columns `?term`, `?term_label` and
`?layperson`, a synonym a line, the lines of a term apart from each other, texts as in Turtle (`"Open comedo"@en`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import Entity, SourceInfo
from ..base import Reject, Remark, Row, Source
from ..files import tables
from ..files.cell_values import first_row
from ..files.on_disk import grouped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item
    from ..files.on_disk import Part

INFO: Final = SourceInfo(
    id="hpo-lay",
    title="Human Phenotype Ontology: layperson synonyms",
    version="unversioned",
    licence="LicenseRef-HPO",
    url="https://hpo.jax.org/license",
    citation=(
        "Gargano MA, Matentzoglu N, Coleman B, et al. The Human Phenotype Ontology in 2024: phenotypes around the "
        "world. Nucleic Acids Research 52(D1), D1333-D1346 (2024). doi:10.1093/nar/gkad1005"
    ),
)

_COLUMNS: Final = ("?term", "?term_label", "?layperson")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*+)"(?:@[A-Za-z0-9-]+|\^\^\S+)?')
_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "\\r": "\r", '\\"': '"', "\\\\": "\\"}


def records(path: Path) -> Iterator[Item]:
    """Read the report: an entity a term, in the order of the file, with all its lay synonyms; rejects."""
    for item in grouped(_parts(path)):
        if isinstance(item, Reject | Remark):
            yield item
        else:
            yield from _term(str(path), *item)


def _recognise(path: Path) -> bool:
    return set(first_row(path)) == set(_COLUMNS)


SOURCE: Final = Source(INFO, records, order=23, recognise=_recognise)


def _parts(path: Path) -> Iterator[tuple[str, int, tuple[str, ...]] | Reject]:
    for item in tables.read(path, _COLUMNS, quoted=False):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        term = row["?term"].strip().removeprefix("<").removesuffix(">")
        curie = prefixes.standard(term) or ""
        label, synonym = _text(row["?term_label"]), _text(row["?layperson"])
        if not curie.startswith("HP:"):
            yield Reject(
                str(path), line, f"{term[:80]!r} is no HPO term, such as <http://purl.obolibrary.org/obo/HP_0000001>"
            )
        elif not synonym or label is None:
            yield Reject(
                str(path), line, f"{curie} has no label or synonym here, or one with a quote at one end; mend the line"
            )
        else:
            yield _checked(str(path), line, curie, label, synonym)


def _checked(file: str, line: int, curie: str, label: str, synonym: str) -> tuple[str, int, tuple[str, ...]] | Reject:
    """Reject a line that would spoil its term."""
    try:
        Entity(curie, "Phenotype", label, (synonym,))
    except RecordError as error:
        return Reject(file, line, f"{curie}: {error}")
    return curie, line, (label, synonym)


def _text(cell: str) -> str | None:
    """Read a text as Turtle writes it, or a plain one; None where it begins with a quote and is not closed."""
    plain = cell.strip()
    if not plain.startswith('"'):
        return plain
    literal = _LITERAL.fullmatch(plain)
    return re.sub(r"\\.", lambda found: _ESCAPES.get(found[0], found[0]), literal[1]).strip() if literal else None


def _term(file: str, curie: str, parts: list[Part]) -> Iterator[Item]:
    first, (name, _) = parts[0]
    for line, (label, _) in parts:
        if label != name:
            yield Reject(
                file, line, f"{curie} is called {label[:80]!r} here and {name[:80]!r} in line {first}; take one out"
            )
    lay = (synonym for _, (label, synonym) in parts if label == name and synonym.lower() != name.lower())
    try:
        yield Row(Entity(curie, "Phenotype", name, tuple(dict.fromkeys(lay))), file, first)
    except RecordError as error:
        yield Reject(file, first, f"{curie}: {error}")
