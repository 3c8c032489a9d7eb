"""Annotations: rows that say of one thing and a term what a reference shows, with its evidence; brought to relations.

Rows on the same two things become one relation. Its `evidence` are the references, its properties list what rows say,
and `statements` keeps what each row says together, such as `PMID:1; evidence_code PCS; frequency 1/2`. Rows that say
NOT are left out and counted. Two formats of them are read here:

- HPO's, of diseases and phenotypes (`phenotype.hpoa`, https://hpo.jax.org/data/annotations): a row a disease, term and
  reference, with frequency, onset, sex, modifiers and the kind of evidence. The terms are named by the ontology itself;
  load that as well.
- Those of genes and their products with GO terms: GAF 2.1 and 2.2, GPAD 1 and 2 (geneontology.org/docs), and GPI 1.2
  and 2, which names what GPAD annotates; a folder of them is one source. The ontology names the terms.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...files import word_table
from ...schema import prefixes
from ...schema.records import Entity, Relation, SourceInfo
from .. import polarity
from ..base import INFOS, Item, Reject, Remark, Row, Source, each, made
from ..files import tables, texts
from ..files.on_disk import Keyed, Part, grouped
from ..files.texts import all_files, head, tells_of_others
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_HPOA: Final = INFOS["hpoa"]

_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
# The columns of each format, and how many cells a row has at least.
_FORMS: Final = {form: (columns, int(least)) for form, (least, *columns) in _TABLE["columns"].items()}
_HPOA_COLUMNS: Final = _FORMS.pop("hpoa")[0]
_HPOA_HEADER: Final = re.compile(rb"^#?database_?id\tdisease_?name\tqualifier\thpo_?id\t", re.IGNORECASE | re.MULTILINE)
_HPO: Final = re.compile(r"HP:\d+")
_FREQUENCY: Final = re.compile(r"HP:\d+|\d+/\d+|\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)?%")
_HPOA_VERSION: Final = re.compile(rb"^#(?:version|date): *(\d{4}-\d\d-\d\d)", re.MULTILINE)
# What an aspect of the ontology is to a disease, with the predicate.
_HPO_ASPECTS: Final = {aspect: (kind, "".join(word)) for aspect, (kind, *word) in _TABLE["aspect"].items()}
_GO: Final = INFOS["gaf"]

_FIRST: Final = re.compile(rb"^!\s*(gaf|gpad?|gpi)-version:\s*(\d)(?:\.(\d))?", re.MULTILINE | re.IGNORECASE)
_CURIE: Final = re.compile(r"[^\s:|,]+:[^\s|,]*[^\s:|,]")
_DATE: Final = re.compile(rb"^!\s*(?:date-generated|generated):?\s*(\d{4}-\d\d-\d\d)", re.MULTILINE | re.IGNORECASE)
_GO_ASPECTS: Final = {"F": "enables", "P": "involved_in", "C": "located_in"}  # what GAF 2.1 leaves open, by aspect
_GO_RELATIONS: Final = {curie: word for curie, (word,) in _TABLE["relation"].items()}
# Relations that are no participation.
_GO_TYPES: Final = {word: kind for kind, words in _TABLE["type"].items() for word in words}
_UNREAD: Final = {"gaf": ("date", "form"), "gpad": ("taxon", "date", "props"), "gpi": ("props",)}
_PROTEINS: Final = ("PR:", "GO:0032991")  # types of what is a protein, or several; any other id is of a gene
_LABELS: Final = {word: label for label, words in _TABLE["thing"].items() for word in words}
_PARENTS: Final = {
    "encoded_by": ("RELATED_TO", "encoded_by"),
    "parent": ("PART_OF", "parent"),
    "members": ("HAS_PART", "complex_member"),
}
_ATTRIBUTES: Final = {"evidence_code": "evidence"} | {name: name for name in ("with", "extension", "assigned_by")}


@dataclass(frozen=True, slots=True)
class Annotation:
    """A row: key (subject, type, object, predicate), line, references, what else it says by property, and NOT."""

    key: tuple[str, str, str, str]
    line: int
    references: tuple[str, ...] = ()
    said: dict[str, str] = field(default_factory=dict)
    qualifier: str = ""


def relations(file: str, items: Iterable[Item | Annotation]) -> Iterator[Item]:
    """Make relations of annotations in the order in which they are first stated; other items go through before."""
    left_out = LeftOut()

    def parts() -> Iterator[Keyed | Row | Reject | Remark]:
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
    said = {"evidence": tuple(evidence), "properties": every}
    return made(file, parts[0][0], Relation, subject, kind, target, predicate, **said)


def _describe_hpoa(path: Path) -> SourceInfo:
    found = _HPOA_VERSION.search(head(path, 4096))
    return replace(_HPOA, version=found[1].decode()) if found else _HPOA


def _hpoa_items(path: Path) -> Iterator[Item | Annotation]:
    known, odd, file = set[str](), LeftOut(), str(path)

    def parse(line: int, row: dict[str, str]) -> Iterator[Item | Annotation]:
        disease, term = (prefixes.standard(row[name]) or row[name] for name in ("database_id", "hpo_id"))
        if disease.lower() == _HPOA_COLUMNS[0]:
            if other := [cell for name, cell in row.items() if cell.lower() != name]:
                wanted = ", ".join(_HPOA_COLUMNS)
                raise SourceFileError(f"its columns are not {wanted}: {other[0][:60]!r} stands among them", path, line)
            return
        new = [Entity(disease, "Disease", row["disease_name"] or disease)]
        if not _HPO.fullmatch(term):
            raise RecordError(f"{term[:60]!r} is no HPO term, such as HP:0000001")
        if row["qualifier"].upper() not in {"", "NOT"}:
            raise RecordError(f"the qualifier {row['qualifier'][:60]!r} is neither NOT nor empty")
        new.append(Entity(term))
        annotation = _hpoa_annotation(line, row, disease, term)
        if (often := row["frequency"]) and not _FREQUENCY.fullmatch(often):
            odd.add("frequencies are neither terms, n/m nor percentages", often, file, line)
        yield from (Row(entity, file, line) for entity in new if entity.id not in known)
        known.update((disease, term))
        yield annotation

    yield from each(file, tables.read(path, header=_HPOA_COLUMNS, comment="#", delimiter="\t", quoted=False), parse)
    yield from odd.remarks()
    yield from LeftOut.columns(("biocuration",), file)


def _hpoa_annotation(line: int, row: dict[str, str], disease: str, term: str) -> Annotation:
    if (aspect := row["aspect"] or "P") not in _HPO_ASPECTS:
        raise RecordError(f"the aspect {aspect!r} is not one of {', '.join(_HPO_ASPECTS)}")
    kind, predicate = _HPO_ASPECTS[aspect]
    said = {name: row[name] for name in ("frequency", "onset", "sex", "modifier")} | {"evidence_code": row["evidence"]}
    references = tuple(prefixes.standard(one) or one for one in row["reference"].split(";") if one)
    if wrong := [text for text in (disease, *references) if not _CURIE.fullmatch(text)]:
        raise RecordError(f"{wrong[0][:60]!r} stands where an id does, such as OMIM:154700; is the row cut off?")
    return Annotation((disease, kind, term, predicate), line, references, said, row["qualifier"])


def _go_records(path: Path) -> Iterator[Item]:
    return relations(str(path), _go_items([(file, _form(file)) for file in _go_files(path)]))


def _go_files(path: Path) -> list[Path]:
    files = sorted(file for file in path.iterdir() if not tells_of_others(file)) if path.is_dir() else [path]
    return sorted(files, key=lambda file: not _form(file).startswith("gpi"))


def _describe_go(path: Path) -> SourceInfo:
    dates = [found[1].decode() for file in _go_files(path) if (found := _DATE.search(head(file)))]
    return replace(_GO, version=max(dates)) if dates else _GO


def _is_go(path: Path) -> bool:
    if path.is_dir():  # genes with what annotates them
        return all_files(path, _is_go) and len({_form(file).startswith("gpi") for file in _go_files(path)}) > 1
    return path.is_file() and _FIRST.search(head(path, 4096)) is not None


def _form(path: Path) -> str:
    found = _FIRST.search(head(path))
    if not found:
        raise SourceFileError("has no line !gaf-version:, !gpad-version: or !gpi-version: at its beginning", path, 1)
    if (form := _form_of(found)) not in _FORMS:
        raise SourceFileError(f"is {form}, which is not read; known are {', '.join(_FORMS)}", path, 1)
    return form


def _form_of(found: re.Match[bytes]) -> str:
    kind, version = found[1].decode().lower().replace("gpa", "gpad").replace("gpadd", "gpad"), found[2].decode()
    older = kind == "gpi" and version == "1" and (found[3] or b"2") < b"2"  # whose rows lack the database
    return "gaf" if kind == "gaf" else f"{kind} {version}{'.1' * older}"


def _go_items(files: list[tuple[Path, str]]) -> Iterator[Item | Annotation]:
    """Read genes and products with their annotations, then the ids that no row names."""
    named: set[str] = set()
    bare: dict[str, Row] = {}
    unread: dict[str, str] = {}
    left_out = LeftOut()

    def parse(file: str, line: int, kind: str, row: dict[str, str]) -> Iterator[Item | Annotation]:
        thing, annotations = _thing(row), list(_go_statements(line, row))
        bares = [Entity(thing.id), *(Entity(one.key[2]) for one in annotations)]
        if thing.name and thing.id not in named:
            named.add(thing.id)
            yield Row(thing, file, line)
        for one in bares:
            bare.setdefault(one.id, Row(one, file, line))
        unread.setdefault(kind, file)
        if (said := _type(row)) not in {"", *_LABELS} and ":" not in said:
            left_out.add("types of genes and products are unknown, and taken as Gene", said, file, line)
        yield from annotations

    for path, form in files:
        yield from each(str(path), _go_rows(path, form), partial(parse, str(path)))
    yield from (row for curie, row in bare.items() if curie not in named)
    for kind, file in unread.items():
        yield from LeftOut.columns(_UNREAD[kind], file)
    yield from left_out.remarks()


def _go_rows(path: Path, form: str) -> Iterator[tuple[int, str, dict[str, str]] | Reject]:
    """Read rows in the format that the last line above names which names one: several files may stand in one."""

    def parse(line: int, text: str) -> Iterator[tuple[int, str, dict[str, str]]]:
        nonlocal form
        if text.startswith("!") or not text.strip():
            found = _FIRST.match(text.encode())
            form = _form_of(found) if found else form
        else:
            yield line, form.partition(" ")[0], _go_row(form, text.split("\t"))

    return each(str(path), texts.lines(path), parse)


def _go_row(form: str, cells: list[str]) -> dict[str, str]:
    """Make sure that a row is of its format, for one of another, or cut off, says what nobody states."""
    columns, least = _FORMS.get(form, ([], 0))
    if not columns:
        raise RecordError(f"is of the format {form}, which is not read; known are {', '.join(_FORMS)}")
    if len(cells) < least or any(map(str.strip, cells[len(columns) :])):
        said = f"has {len(cells)} cells where {form} has {least} to {len(columns)}"
        raise RecordError(f"{said}; is it cut off, or of another format?")
    row = {name: cell.strip() for name, cell in zip(columns, cells + [""] * len(columns), strict=False)}
    wanted = [_id(row) if row.get("object_id", "-") else ""]
    if "term" in row:
        wanted += [row["term"], *row["reference"].split("|")]
        if form == "gaf" and row["aspect"] not in _GO_ASPECTS:
            said = f"the aspect {row['aspect']!r} is not one of {', '.join(_GO_ASPECTS)}"
            raise RecordError(f"{said}; is the row of another format?")
    elif not row["symbol"]:
        raise RecordError("has no symbol")
    if wrong := [text for text in wanted if not _CURIE.fullmatch(text)]:
        said = f"{wrong[0][:60]!r} stands where {form} has an id, such as GO:0005515"
        raise RecordError(f"{said}; is the row of another format?")
    return row


def _id(row: dict[str, str]) -> str:
    given = row.get("object") or f"{row['db']}:{row['object_id']}"
    return prefixes.standard(given) or given


def _ids(text: str) -> list[str]:
    return [prefixes.standard(one) or one for one in text.split("|") if one]


def _thing(row: dict[str, str]) -> Entity:
    """Make the gene or product; GPAD does not name it."""
    if not (symbol := row.get("symbol", "")):
        return Entity(_id(row))
    others = [row["name"], *row["synonyms"].split("|")]
    synonyms = tuple(dict.fromkeys(other for other in others if other and other != symbol))
    taxon = row["taxon"].split("|")[0].replace("taxon:", "NCBITaxon:")
    return Entity(
        _id(row),
        "Protein" if row["type"].startswith(_PROTEINS) else _LABELS.get(_type(row), "Gene"),
        symbol,
        synonyms,
        xrefs=tuple(dict.fromkeys(_ids(row.get("xrefs", "")))),
        properties=((("taxon", taxon),) if taxon else ()),
    )


def _type(row: dict[str, str]) -> str:
    return row.get("type", "").lower().replace("-", "_").replace(" ", "_")


def _go_statements(line: int, row: dict[str, str]) -> Iterator[Annotation]:
    """Make the annotation of a row, or what a row of GPI says of other genes and products."""
    if "term" in row:
        yield _go_annotation(line, row)
    for column, (kind, predicate) in _PARENTS.items():
        for other in _ids(row.get(column, "")):
            yield Annotation((_id(row), kind, other, predicate), line)


def _go_annotation(line: int, row: dict[str, str]) -> Annotation:
    negated, *others = _qualifiers(row)
    word = (others or [_GO_ASPECTS.get(row.get("aspect", ""), "involved_in")])[-1]
    word = _GO_RELATIONS.get(prefixes.standard(word) or word, word)
    if word not in _GO_RELATIONS.values():
        raise RecordError(f"the qualifier {word[:60]!r} is none of GO's relations, such as involved_in")
    said = {name: row[column] for name, column in _ATTRIBUTES.items()}
    key = _id(row), _GO_TYPES.get(word, "PARTICIPATES_IN"), _ids(row["term"])[0], word
    return Annotation(key, line, tuple(_ids(row["reference"])), said, negated)


def _qualifiers(row: dict[str, str]) -> list[str]:
    words = [word for word in row["qualifier"].split("|") if word]
    negated = "NOT" if row.get("negation") == "NOT" or "NOT" in words else ""
    return [negated, *(word for word in words if word != "NOT")]


SOURCES: Final = (
    Source(
        _HPOA,
        lambda path: relations(str(path), _hpoa_items(path)),
        order=24,
        describe=_describe_hpoa,
        recognise=lambda path: _HPOA_HEADER.search(head(path, 4096)) is not None,
    ),
    Source(_GO, _go_records, order=26, describe=_describe_go, recognise=_is_go),
)
