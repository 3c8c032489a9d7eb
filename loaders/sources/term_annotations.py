"""Annotations: rows that say of one thing and a term what a reference shows, with its evidence; brought to relations.

Rows on the same two things become one relation. Its `evidence` are the references, its properties list what rows say,
and `statements` keeps what each row says together, such as `PMID:1; evidence_code PCS; frequency 1/2`. Rows that say
NOT are left out and counted. Two formats of them are read here:

- HPO's, of diseases and phenotypes (`phenotype.hpoa`, https://hpo.jax.org/data/annotations): a row a disease, term and
  reference, with frequency, onset, sex, modifiers and the kind of evidence. The terms are named by the ontology itself;
  load that as well.
- Those of genes and their products with GO terms: GAF 2.1 and 2.2, GPAD 1 and 2 (geneontology.org/docs). GPAD names
  nothing: load the genes, or a GAF, and the ontology as well.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import Entity, Relation, SourceInfo
from .. import polarity
from ..base import Reject, Remark, Row, Source
from ..files import tables
from ..files.on_disk import grouped
from ..files.texts import head
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ..base import Item
    from ..files.on_disk import Part

_HPOA: Final = SourceInfo(
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

_HPOA_COLUMNS: Final = tuple(
    "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect "
    "biocuration".split()
)
_HPOA_HEADER: Final = re.compile(rb"^#?database_?id\tdisease_?name\tqualifier\thpo_?id\t", re.IGNORECASE | re.MULTILINE)
_HPOA_VERSION: Final = re.compile(rb"^#(?:version|date): *(\d{4}-\d\d-\d\d)", re.MULTILINE)
# What an aspect of the ontology is to a disease, with the predicate.
_HPO_ASPECTS: Final = {
    "P": ("HAS_SYMPTOM", ""),
    "I": ("RELATED_TO", "has_mode_of_inheritance"),
    "C": ("RELATED_TO", "has_clinical_course"),
    "M": ("RELATED_TO", "has_clinical_modifier"),
    "H": ("HAS_RISK_FACTOR", "past_medical_history"),
}
_GO: Final = SourceInfo(
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

_GAF_COLUMNS: Final = (
    "db object_id symbol qualifier term reference evidence with aspect name synonyms type taxon date assigned_by "
    "extension form"
).split()
_FORMS: Final = {
    "gaf": tuple(_GAF_COLUMNS),
    "gpad1": tuple(
        "db object_id qualifier term reference evidence with taxon date assigned_by extension props".split()
    ),
    "gpad2": tuple(
        "object negation qualifier term reference evidence with taxon date assigned_by extension props".split()
    ),
}
_FIRST: Final = re.compile(rb"^!\s*(gaf|gpad?)-version:\s*(\d)", re.MULTILINE | re.IGNORECASE)
_DATE: Final = re.compile(rb"^!\s*(?:date-generated|generated):?\s*(\d{4}-\d\d-\d\d)", re.MULTILINE | re.IGNORECASE)
_GO_ASPECTS: Final = {"F": "enables", "P": "involved_in", "C": "located_in"}  # what GAF 2.1 leaves open, by aspect
_GO_RELATIONS: Final = {
    "RO:0002327": "enables",
    "RO:0002326": "contributes_to",
    "RO:0002331": "involved_in",
    "RO:0001025": "located_in",
    "RO:0002432": "is_active_in",
    "BFO:0000050": "part_of",
    "RO:0002325": "colocalizes_with",
}
# Relations that are no participation.
_GO_TYPES: Final = {
    "located_in": "LOCATED_IN",
    "is_active_in": "LOCATED_IN",
    "colocalizes_with": "LOCATED_IN",
    "part_of": "PART_OF",
}
_UNREAD: Final = {"gaf": ("date", "form"), "gpad": ("taxon", "date", "props")}
_LABELS: Final = {"protein": "Protein", "protein_complex": "Protein"}
_ATTRIBUTES: Final = {
    "evidence_code": "evidence",
    "with": "with",
    "extension": "extension",
    "assigned_by": "assigned_by",
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """A row: key (subject, type, object, predicate), line, references, what else it says by property, and NOT."""

    key: tuple[str, str, str, str]
    line: int
    references: tuple[str, ...] = ()
    said: dict[str, str] = field(default_factory=dict)
    qualifier: str = ""


def relations(file: str, items: Iterable[Item | Annotation], unread: Sequence[str] = ()) -> Iterator[Item]:
    """Make relations of annotations in the order in which they are first stated; other items go through before."""
    left_out = LeftOut()
    left_out.add(f"columns are not read ({', '.join(unread)})", "", file, 0, len(unread))

    def parts() -> Iterator[tuple[str, int, tuple[str, ...]] | Row | Reject | Remark]:
        for item in items:
            if not isinstance(item, Annotation):
                yield item
            elif why := polarity.denial(item.key[3], {**item.said, "qualifier": item.qualifier}):
                left_out.add(why, " ".join(filter(None, item.key)), file, item.line)
            else:
                said = {name: value for name, value in item.said.items() if value}
                yield json.dumps(item.key), item.line, (json.dumps(item.references), json.dumps(said))

    for item in grouped(parts()):
        yield _relation(file, *item) if isinstance(item, tuple) else item
    yield from left_out.remarks()


def _relation(file: str, key: str, parts: list[Part]) -> Item:
    evidence: dict[str, None] = {}
    properties: dict[str, dict[str, None]] = {}
    for _, (listed, written) in parts:
        references, said = json.loads(listed), json.loads(written)
        evidence.update(dict.fromkeys(references))
        for name, value in said.items():
            properties.setdefault(name, {})[value] = None
        if together := "; ".join([", ".join(references), *(f"{name} {value}" for name, value in said.items())]):
            properties.setdefault("statements", {})[together.removeprefix("; ")] = None
    every = tuple((name, tuple(values)) for name, values in sorted(properties.items()))
    subject, kind, target, predicate = json.loads(key)
    try:
        record = Relation(subject, kind, target, predicate, evidence=tuple(evidence), properties=every)
        return Row(record, file, parts[0][0])
    except RecordError as error:
        return Reject(file, parts[0][0], str(error))


def _hpoa_records(path: Path) -> Iterator[Item]:
    """Read the annotations: entities, then a relation for each disease and term; rejects and remarks."""
    return relations(str(path), _hpoa_items(path), unread=("biocuration",))


def _describe_hpoa(path: Path) -> SourceInfo:
    found = _HPOA_VERSION.search(head(path, 4096))
    return replace(_HPOA, version=found[1].decode()) if found else _HPOA


def _hpoa_items(path: Path) -> Iterator[Item | Annotation]:
    known: set[str] = set()
    for item in tables.read(path, header=_HPOA_COLUMNS, comment="#", delimiter="\t", quoted=False):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        disease, term = (prefixes.standard(row[name]) or row[name] for name in ("database_id", "hpo_id"))
        if term == "hpo_id":  # the header
            continue
        try:
            new = [Entity(disease, "Disease", row["disease_name"] or disease)]
            if not term.startswith("HP:"):
                raise RecordError(f"{term[:60]!r} is no HPO term, such as HP:0000001")
            new.append(Entity(term))
            aspect = row["aspect"] or "P"
            if aspect not in _HPO_ASPECTS:
                raise RecordError(f"the aspect {aspect!r} is not one of {', '.join(_HPO_ASPECTS)}")
            kind, predicate = _HPO_ASPECTS[aspect]
            said = {name: row[name] for name in ("frequency", "onset", "sex", "modifier")} | {
                "evidence_code": row["evidence"]
            }
            references = tuple(prefixes.standard(one) or one for one in row["reference"].split(";") if one)
            annotation = Annotation((disease, kind, term, predicate), line, references, said, row["qualifier"])
        except RecordError as error:
            yield Reject(str(path), line, str(error))
            continue
        yield from (Row(entity, str(path), line) for entity in new if entity.id not in known)
        known.update((disease, term))
        yield annotation


def _go_records(path: Path) -> Iterator[Item]:
    """Read annotations: genes, products and terms, then a relation for each two with all rows on them."""
    found = _FIRST.search(head(path))
    if not found:
        raise SourceFileError("has no line !gaf-version: or !gpad-version: at its beginning", path, 1)
    form = "gaf" if found[1].lower() == b"gaf" else f"gpad{found[2].decode()}"
    return relations(str(path), _go_items(path, form), unread=_UNREAD["gaf" if form == "gaf" else "gpad"])


def _describe_go(path: Path) -> SourceInfo:
    found = _DATE.search(head(path))
    return replace(_GO, version=found[1].decode()) if found else _GO


def _is_go(path: Path) -> bool:
    return path.is_file() and _FIRST.search(head(path, 4096)) is not None


def _go_items(path: Path, form: str) -> Iterator[Item | Annotation]:
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
            thing, annotation = _thing(row), _go_annotation(line, row)
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
    taxon = row["taxon"].split("|")[0].replace("taxon:", "NCBITaxon:")
    return Entity(
        _id(row), _LABELS.get(row["type"], "Gene"), symbol, synonyms, properties=((("taxon", taxon),) if taxon else ())
    )


def _go_annotation(line: int, row: dict[str, str]) -> Annotation:
    negated, *others = _qualifiers(row)
    word = (others or [_GO_ASPECTS.get(row.get("aspect", ""), "involved_in")])[-1]
    word = _GO_RELATIONS.get(word, word)
    term = prefixes.standard(row["term"]) or row["term"]
    references = tuple(prefixes.standard(one) or one for one in row["reference"].split("|") if one)
    said = {name: row[column] for name, column in _ATTRIBUTES.items()}
    return Annotation((_id(row), _GO_TYPES.get(word, "PARTICIPATES_IN"), term, word), line, references, said, negated)


def _qualifiers(row: dict[str, str]) -> list[str]:
    words = [word for word in row["qualifier"].split("|") if word]
    negated = "NOT" if row.get("negation") == "NOT" or "NOT" in words else ""
    return [negated, *(word for word in words if word != "NOT")]


SOURCES: Final = (
    Source(
        _HPOA,
        _hpoa_records,
        order=24,
        describe=_describe_hpoa,
        recognise=lambda path: _HPOA_HEADER.search(head(path, 4096)) is not None,
    ),
    Source(_GO, _go_records, order=26, describe=_describe_go, recognise=_is_go),
)
