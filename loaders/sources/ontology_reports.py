"""Reports of ontologies as tables: three of the Disease Ontology (disease-ontology.org), one of the HPO.

- `HumanDO.tsv`, names and parents: columns `id`, `label` and `subClassOf`; a line a parent, which is given by its
  label. The root of the ontology has no line of its own.
- `allXREFinDO.tsv`: columns `id`, `label` and `xref`, a cross-reference a line. Those to the UMLS
  (`UMLS_CUI:C0002395`) become concepts.
- `disease-symptom.tsv`: columns `disease_id`, `disease_label`, `symptom_id` and `symptom_label`; symptoms are terms of
  the Symptom Ontology.
- `layperson-synonyms.tsv` (github.com/obophenotype/human-phenotype-ontology), the TSV of a SPARQL query: columns
  `?term`, `?term_label` and `?layperson`, a synonym a line, the lines of a term apart from each other, texts as in
  Turtle (`"Open comedo"@en`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import UMLS, Entity, Relation
from ..base import INFOS, Item, Reject, Row, Source, each, made
from ..files import tables
from ..files.cell_values import first_row, unread
from ..files.on_disk import Keyed, Part, Shelf, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    _Read = Callable[[Path], Iterator[Item]]


_NAMES: Final = ("id", "label", "subClassOf")
_ROOT: Final = Entity("DOID:4", "Disease", "disease")
_XREFS: Final = ("id", "label", "xref")
_SYMPTOMS: Final = ("disease_id", "disease_label", "symptom_id", "symptom_label")
_LAY: Final = ("?term", "?term_label", "?layperson")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*+)"(?:@[A-Za-z0-9-]+|\^\^\S+)?')
_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "\\r": "\r", '\\"': '"', "\\\\": "\\"}


def _names(path: Path) -> Iterator[Item]:
    """Read diseases, then `IS_A` relations; a parent whose label no line has, or several have, is rejected."""
    with Shelf() as ids, Shelf() as seen:
        rooted = 0  # the first line that names the root as a parent
        for item in _rows(path, _NAMES, _named):
            if isinstance(item, Reject):
                yield item
                continue
            line, curie, label, parent = item
            if seen.add(f"{curie}\t{label}"):
                yield made(str(path), line, Entity, curie, "Disease", label)
                if not ids.add(label, curie) and ids.get(label) != curie:
                    seen.add(label)  # marks a label of several diseases
            if parent == _ROOT.name:
                rooted = rooted or line
        if rooted and ids.add(_ROOT.name, _ROOT.id):
            yield Row(_ROOT, str(path), rooted)
        for item in _rows(path, _NAMES, _named):
            if not isinstance(item, Reject) and item[3]:
                yield _parent(str(path), item, ids, seen)


def _parent(file: str, named: tuple[int, str, str, str], ids: Shelf, several: Shelf) -> Row | Reject:
    line, curie, _, parent = named
    target = ids.get(parent)
    if target is None:
        return Reject(file, line, f"no line has the label of the parent {parent[:80]!r}; is the file cut off?")
    if several.get(parent) is not None:
        said = f"several diseases have the label of the parent {parent[:80]!r}; load the ontology's OBO file"
        return Reject(file, line, said)
    return Row(Relation(curie, "IS_A", target), file, line)


def _named(line: int, row: dict[str, str]) -> Iterator[tuple[int, str, str, str]]:
    curie, label = prefixes.standard(row["id"]) or "", row["label"].strip()
    if not curie.startswith("DOID:") or not label:
        raise RecordError(f"needs an id such as DOID:2841 and a label, not {row['id'][:80]!r}, {label[:80]!r}")
    yield line, curie, label, row["subClassOf"].strip()


def _xrefs(path: Path) -> Iterator[Item]:
    """Read an entity a disease, with concepts and cross-references; a remark for each prefix that is not known."""
    for item in grouped(_rows(path, _XREFS, _xref)):
        if not isinstance(item, tuple):
            yield item
            continue
        disease, parts = item
        first, (name, _) = parts[0]
        xrefs = tuple(dict.fromkeys(xref for _, (_, xref) in parts))
        concepts = tuple(xref.removeprefix("UMLS:") for xref in xrefs if xref.startswith("UMLS:"))
        more: dict[str, Any] = {"concepts": concepts, "xrefs": xrefs}
        yield made(str(path), first, Entity, disease, "Disease", name, before=f"{disease}: ", **more)


def _xref(line: int, row: dict[str, str]) -> Iterator[Keyed]:
    disease, name = prefixes.standard(row["id"]) or "", row["label"].strip()
    xref = prefixes.curie(row["xref"])
    if not disease.startswith("DOID:"):
        raise RecordError(f"{row['id'][:80]!r} is no id of the Disease Ontology, such as DOID:2841")
    if ":" not in xref or (xref.startswith("UMLS:") and not UMLS.fullmatch(xref)):
        raise RecordError(f"{row['xref'][:80]!r} is no cross-reference, such as UMLS_CUI:C0004096")
    _check(disease, "Disease", name, xrefs=(xref,))
    yield disease, line, (name, xref)


def _check(curie: str, *said: Any, **more: Any) -> None:
    """Make sure that what a line says of a term could be an entity by itself."""
    try:
        Entity(curie, *said, **more)
    except RecordError as error:
        raise RecordError(f"{curie}: {error}") from error


def _symptoms(path: Path) -> Iterator[Item]:
    """Read diseases and symptoms, then a `HAS_SYMPTOM` relation a line."""
    with Shelf() as seen:
        for item in _rows(path, _SYMPTOMS, _pair):
            if isinstance(item, Reject):
                yield item
            else:
                new = (end for end in item[1:] if seen.add(f"{end.id}\t{end.name}"))
                yield from (Row(entity, str(path), item[0]) for entity in new)
    for item in _rows(path, _SYMPTOMS, _pair):
        if not isinstance(item, Reject):
            yield Row(Relation(item[1].id, "HAS_SYMPTOM", item[2].id), str(path), item[0])


def _pair(line: int, row: dict[str, str]) -> Iterator[tuple[int, Entity, Entity]]:
    yield line, _end(row, "disease", "DOID:", "Disease"), _end(row, "symptom", "SYMP:", "Symptom")


def _end(row: dict[str, str], column: str, prefix: str, label: str) -> Entity:
    written = row[f"{column}_id"]
    curie = prefixes.standard(written) or ""
    if not curie.startswith(prefix):
        raise RecordError(f"{written[:80]!r} is no id of a {column}, which begins with {prefix}")
    return Entity(curie, label, row[f"{column}_label"].strip())


def _lay_synonyms(path: Path) -> Iterator[Item]:
    """Read an entity a term, in the order of the file, with all its lay synonyms."""
    for item in grouped(_rows(path, _LAY, _lay_synonym, quoted=False)):
        if isinstance(item, tuple):
            yield from _term(str(path), *item)
        else:
            yield item


def _lay_synonym(line: int, row: dict[str, str]) -> Iterator[Keyed]:
    term = row["?term"].strip().removeprefix("<").removesuffix(">")
    curie = prefixes.standard(term) or ""
    label, synonym = _text(row["?term_label"]), _text(row["?layperson"])
    if not curie.startswith("HP:"):
        raise RecordError(f"{term[:80]!r} is no HPO term, such as <http://purl.obolibrary.org/obo/HP_0000001>")
    if not synonym or label is None:
        raise RecordError(f"{curie} has no label or synonym here, or one with a quote at one end; mend the line")
    _check(curie, "Phenotype", label, (synonym,))
    yield curie, line, (label, synonym)


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
            said = f"{curie} is called {label[:80]!r} here and {name[:80]!r} in line {first}; take one out"
            yield Reject(file, line, said)
    lay = (synonym for _, (label, synonym) in parts if label == name and synonym.lower() != name.lower())
    yield made(file, first, Entity, curie, "Phenotype", name, tuple(dict.fromkeys(lay)), before=f"{curie}: ")


def _rows(path: Path, columns: tuple[str, ...], make: Callable[..., Iterator[Any]], **written: Any) -> Iterator[Any]:
    return each(str(path), tables.read(path, columns, **written), make)


def _source(name: str, read: _Read, order: int, columns: tuple[str, ...], begin: str = "") -> Source:
    """Make a source of tables with exactly these columns, the first of which begins so."""

    def records(path: Path) -> Iterator[Item]:
        yield from read(path)
        yield from unread(path, columns)

    def recognise(path: Path) -> bool:
        row = first_row(path)
        return set(row) == set(columns) and row[columns[0]].startswith(begin)

    return Source(INFOS[name], records, order=order, recognise=recognise)


SOURCES: Final = (
    _source("do-names", _names, 20, _NAMES, "DOID:"),
    _source("do-xrefs", _xrefs, 21, _XREFS, "DOID:"),
    _source("do-symptoms", _symptoms, 22, _SYMPTOMS),
    _source("hpo-lay", _lay_synonyms, 23, _LAY),
)
