r"""Tables of diseases with their symptoms, tests and medications, a disease a row (CSV, TSV, JSONL or Parquet).

Columns: `disease`, and any of `symptoms`, `tests` (or `tests and procedures`), `medications`, `contraindications`, each
a list (see `cells`), and `description` (or `reason`), which becomes a document. ChatDoctor's `format_dataset.csv`
(github.com/Kent0n-Li/ChatDoctor) is such a table; `disease_database_mini.csv` beside it is a hundred of its rows.

What that table is like, and what is done about it: lists of tests hold treatments too, and those that say so
(`Psychotherapy`, `Suturing of wound`) become treatments; a fifth of the descriptions are no sentence, or are about
something else (`PVCs`: "Polyvinyl chloride is a plastic"), and are remarked on, not quoted; bytes that were printed
instead of characters (`\xc5\x93dema`) are read back. Its lists say what goes with a disease in records of patients,
not what helps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...patterns import read_patterns
from ...schema.records import Document, Entity, Relation, Section, SourceInfo
from .. import mending
from ..base import INFOS, Item, Reject, Remark, Row, Source, made
from ..files import cell_values, marks
from ..files.on_disk import Part, grouped

if TYPE_CHECKING:
    from collections.abc import Iterator


INFO: Final = INFOS["disease-tables"]
_CHATDOCTOR: Final = INFOS["chatdoctor"]
_CHATDOCTOR_COLUMNS: Final = {"idx", "disease", "Symptom", "reason", "TestsAndProcedures", "commonMedications"}

_STATED: Final = {
    "symptoms": ("HAS_SYMPTOM", "Symptom"),
    "tests": ("DIAGNOSED_BY", "Test"),
    "drugs": ("TREATED_BY", "Drug"),
    "avoided": ("CONTRAINDICATED_WITH", "Drug"),
}
_WHAT: Final = cell_values.columns("lists")
_CONTENT_COLUMNS: Final = "'symptoms', 'tests', 'medications', 'contraindications', 'description'"
_NUMBERS: Final = cell_values.columns("numbers")

_PATTERNS: Final = read_patterns(Path(__file__).with_suffix(".tsv"))
_BEGIN = re.compile(r"[^a-z\s]")
_END = re.compile(r"[\w)\]\"'\u2019\u201d%][.!?][\"'\u2019\u201d)\]]*+(?:\s|$)")
_SHORTEST: Final = 20  # characters of a sentence
_REFERS = re.compile(r"\b(?:may|can) (?:also )?refer to:")
_BRACKET = re.compile(r"(.+?) \(([^()]{3,})\)")
_ABBREVIATION = re.compile(r"[A-Z][A-Za-z0-9]*[A-Z]s?")
_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON: Final = frozenset(
    "the and due for disorder disease syndrome chronic acute other unknown cause problem with from".split()
)


@dataclass(frozen=True, slots=True)
class _Term:
    relation: str
    label: str
    id: str
    name: str
    column: str


@dataclass(frozen=True, slots=True)
class _Disease:
    id: str
    name: str
    terms: tuple[_Term, ...]
    text: str
    printed: bool
    notes: tuple[str, ...] = ()


def records(path: Path, prefix: str = "") -> Iterator[Item]:
    """Read a table of diseases: diseases and terms, their relations, then documents of what can be quoted."""
    prefix = cell_values.own_prefix(prefix, describe(path).id)
    for item in grouped(_parts(path, prefix)):
        yield _entity(str(path), *item) if isinstance(item, tuple) else item
    for line, disease in _diseases(path, prefix):
        if not isinstance(disease, Reject):
            for term in disease.terms:
                yield Row(Relation(disease.id, term.relation, term.id, term.column), str(path), line)
    for line, disease in _diseases(path, prefix):
        if not isinstance(disease, Reject) and disease.text and not _unquotable(disease):
            yield _document(str(path), line, disease)


def describe(path: Path) -> SourceInfo:
    """Tell ChatDoctor's table from a curator's own, which is named after its file."""
    if set(cell_values.first_row(path)) == _CHATDOCTOR_COLUMNS:
        return _CHATDOCTOR
    return replace(INFO, id=cell_values.stem(path))


SOURCE: Final = Source(
    INFO,
    records,
    order=25,
    describe=describe,
    recognise=lambda path: set(cell_values.first_row(path)) == _CHATDOCTOR_COLUMNS,
    options={"prefix": "what comes before the ids of diseases and terms; by default the name of the file"},
)


def _parts(path: Path, prefix: str) -> Iterator[tuple[str, int, tuple[str, ...]] | Reject | Remark]:
    """Yield each mention of a disease or term by its id, and what there is to say of rows and columns."""
    yield from cell_values.unread(path, (*_WHAT, *_NUMBERS))
    printed = 0
    for line, disease in _diseases(path, prefix):
        if isinstance(disease, Reject):
            yield disease
            continue
        yield from mending.remarks(disease.notes, disease.name[:80], str(path), line)
        if disease.printed and not printed:
            printed = line
            said = "holds bytes or escaped quotes as a program prints them; all such were read back"
            yield Remark(str(path), line, said)
        yield disease.id, line, ("Disease", disease.name)
        for term in disease.terms:
            yield term.id, line, (term.label, term.name)
        if disease.text and (why := _unquotable(disease)):
            said = f"the description of {disease.name[:80]!r} {why}, and is not quoted: {disease.text[:80]!r}"
            yield Remark(str(path), line, said)


def _diseases(path: Path, prefix: str) -> Iterator[tuple[int, _Disease | Reject]]:
    needs = f"a column 'disease' and one of {_CONTENT_COLUMNS}"
    return cell_values.rows(path, _WHAT, {"disease"}, needs, partial(_disease, prefix))


def _disease(prefix: str, row: dict[str, str], columns: dict[str, str]) -> _Disease:
    name = " ".join(cell_values.restored(row[columns["disease"]]).split())
    if cell_values.is_nothing(name):
        raise RecordError("the row names no disease")
    disease_id = f"{prefix}:disease-{cell_values.slug(name)}"
    Entity(disease_id, "Disease", name)
    terms: list[_Term] = []
    notes: list[str] = []
    for what, (relation, label) in _STATED.items():
        column = columns.get(what, "")
        try:
            found = cell_values.names(row[column]) if column else ()
        except RecordError as error:
            notes.append(f"{column} is left out: {error}")
            continue
        if column and cell_values.looks_listed(row[column]):
            notes.append(f"{column} {row[column][:80]!r} looks like a list with commas; put ; between names")
        terms.extend(_term(relation, label, cell_values.restored(term), column, prefix) for term in found)
    written = row[columns["text"]].strip() if "text" in columns else ""
    text = "" if cell_values.is_nothing(written) else cell_values.restored(written)
    known = tuple({(t.relation, t.id): t for t in terms}.values())
    return _Disease(disease_id, name, known, marks.written(text), bool(text) and text != written, tuple(notes))


@lru_cache(maxsize=10_000)
def _term(relation: str, label: str, name: str, column: str, prefix: str) -> _Term:
    if label == "Test" and _PATTERNS["treatments"].search(name) and not _PATTERNS["tests"].search(name):
        relation, label = "TREATED_BY", "Treatment"
    term_id = f"{prefix}:{label.lower()}-{cell_values.slug(name)}"
    Entity(term_id, label, name)  # made again once all spellings are known; a row with a bad one is rejected here
    return _Term(relation, label, term_id, name, column)


def _entity(file: str, curie: str, parts: list[Part]) -> Item:
    """Make an entity of all spellings of a name, with the names before and in brackets (`Alprazolam (Xanax)`)."""
    line, (label, name) = parts[0]
    synonyms = {other: None for _, (_, other) in parts if other.lower() != name.lower()}
    related: dict[str, None] = {}
    if bracket := _BRACKET.fullmatch(name):
        if label in {"Drug", "Test", "Treatment"} and bracket[2] != "Obsolete":
            synonyms[bracket[1]] = None
            related[bracket[2]] = None
        elif _ABBREVIATION.fullmatch(bracket[2]):
            synonyms.update({bracket[1]: None, bracket[2]: None})
    return made(file, line, Entity, curie, label, name, tuple(synonyms), related_synonyms=tuple(related))


def _unquotable(disease: _Disease) -> str:
    begin = _BEGIN.search(disease.text)
    if _REFERS.search(disease.text) or not begin or not _END.search(disease.text, begin.start() + _SHORTEST):
        return "is no whole sentence"
    said = {word[:5] for word in _WORD.findall(disease.text.lower())}
    named = {word[:5] for word in _WORD.findall(disease.name.lower()) if word not in _COMMON}
    return "" if not named or named & said else "does not name it"


def _document(file: str, line: int, disease: _Disease) -> Item:
    section = Section(f"{disease.id}#1", disease.text, "information", "Information")
    return made(file, line, Document, disease.id, disease.name, sections=(section,), about=(disease.id,))
