"""Records as lines of CSV files, of which `neo4j-admin database import` makes what the writer's statements store.

Nothing has to be escaped, for records hold no control characters: U+001D quotes a field, U+001F comes between fields
and U+001E between members of a list. Unquoted and empty is a property that a node or relation lacks; quoted and empty
is an empty text. Records come packed from another process, as tuples of values, which travel at a third of their price.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final

from ...schema import rows as as_rows
from ...schema.folding import folded_words
from ...schema.records import Document, Entity, Properties, Record, Relation, Value, content_hash
from ...schema.rows import Attribute, stated
from ...schema.rows import names as names_of
from ..base import Item, Reject, Remark, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    Listed = list[tuple[int, Reject | Remark]]
    Columns = tuple[tuple[str, str], ...]
    Values = tuple[Any, ...]
    """What the attributes of an entity or relation hold, in their order."""

QUOTE: Final = "\x1d"
COMMA: Final = "\x1f"
BETWEEN: Final = "\x1e"
LONGEST: Final = 1_000_000  # The importer has a buffer that a line has to fit in
MOST_SHEETS: Final = 50

FORMAT: Final = ("--delimiter=U+001F", "--array-delimiter=U+001E", "--quote=U+001D")

_KINDS: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "long", float: "double", tuple: "string[]"}

Shape = tuple[tuple[str, type], ...]


class OddError(ValueError):
    """Something that the importer would not store as a statement does."""


def text(value: str) -> str:
    """Write a text."""
    return f"{QUOTE}{value}{QUOTE}"


def texts(values: Sequence[str]) -> str:
    """Write a list of texts; an empty one is not there, and one empty text alone, taken for no list, an `OddError`."""
    if not values:
        return ""
    if values == ("",):
        raise OddError
    return f"{QUOTE}{BETWEEN.join(values)}{QUOTE}"


class Sheet:
    """One file of a book, with room for some properties: `extras`, whose columns are the last."""

    def __init__(self, path: Path, columns: Sequence[tuple[str, str]], extras: dict[str, type]) -> None:
        self.path = path
        self.extras = extras
        self.lines: list[str] = []
        self.lines_break = False
        self._columns = columns
        self._file = path.open("w", encoding="utf-8", newline="")
        self._used = False

    def flush(self) -> None:
        """Write the lines, whose fields have `COMMA` between them."""
        if self.lines:
            whole = "\n".join(self.lines)
            self.lines_break = self.lines_break or whole.count("\n") >= len(self.lines) or "\r" in whole
            self._file.write(f"{whole}\n")
            self._used = True
            self.lines.clear()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def arguments(self, label: str, relation: str) -> Iterable[str]:
        """Close the file; yield what the importer has to be told of it."""
        self.close()
        if not self._used:
            return
        if any(node for node, _ in self._columns):
            yield f"--nodes={label}={self._header('nodes', 0)},{self.path}"
        if any(written for _, written in self._columns):
            kind = f"{relation}=" if relation else ""
            yield f"--relationships={kind}{self._header('relations', 1)},{self.path}"

    def _header(self, name: str, which: int) -> Path:
        path = self.path.with_suffix(f".{name}")
        path.write_text(COMMA.join(column[which] or ":IGNORE" for column in self._columns) + "\n", encoding="utf-8")
        return path


@dataclass(slots=True)
class Book:
    """The sheets for one kind of record, read for nodes of a label and a second time for relations of a type.

    Either is empty where there are none, or a column tells. Sheets differ in what properties they have room for.
    """

    folder: Path
    name: str
    columns: Sequence[tuple[str, str]]
    label: str = ""
    relation: str = ""
    sheets: list[Sheet] = field(default_factory=list)
    _of_shapes: dict[Shape, Sheet] = field(default_factory=dict)

    def add(self, line: str, properties: Properties = ()) -> None:
        """Take down a record by its line; an `OddError` where the importer would store another one."""
        shape = tuple([(key, type(value)) for key, value in properties]) if properties else ()
        sheet = self._of_shapes.get(shape)
        if sheet is None:
            sheet = self._of_shapes[shape] = self._sheet(dict(shape))
        if sheet.extras:
            values = dict(properties)
            line = COMMA.join((line, *(_field(values[key]) if key in values else "" for key in sheet.extras)))
        if len(line) > LONGEST:
            raise OddError
        sheet.lines.append(line)

    def _sheet(self, wanted: dict[str, type]) -> Sheet:
        """Choose a sheet that has room for properties, or begin one."""
        if all(kind in _KINDS for kind in wanted.values()):
            for sheet in self.sheets:
                if wanted.items() <= sheet.extras.items() and (wanted or not sheet.extras):
                    return sheet
            if len(self.sheets) < MOST_SHEETS:
                return self._begin(wanted)
        raise OddError

    def _begin(self, wanted: dict[str, type]) -> Sheet:
        before = self.sheets[-1].extras if self.sheets and wanted else {}
        extras = before | wanted if all(wanted.get(key, kind) is kind for key, kind in before.items()) else wanted
        added = [(f"{key}:{_KINDS[kind]}", "") for key, kind in extras.items()]
        if not self.label:
            added = [(relation, node) for node, relation in added]
        path = self.folder / f"{self.name}-{len(self.sheets)}.csv"
        self.sheets.append(Sheet(path, [*self.columns, *added], extras))
        return self.sheets[-1]


def _field(value: Value) -> str:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, tuple):
        if not value or not all(isinstance(member, str) for member in value):
            raise OddError
        return texts(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def arguments(books: Iterable[Book]) -> list[str]:
    """Close all files; give what the importer has to be told."""
    sheets = [(book, sheet) for book in books for sheet in book.sheets]
    listed = [argument for book, sheet in sheets for argument in sheet.arguments(book.label, book.relation)]
    broken = ",".join(str(sheet.path) for _, sheet in sheets if sheet.lines_break)
    if broken:
        listed += [f"--multiline-fields={broken}", "--multiline-fields-format=v2"]
    return [*FORMAT, *listed]


_VALUES: Final[dict[type[Any], Callable[[Any], tuple[Any, ...]]]] = {
    kind: attrgetter(*(field.name for field in fields(kind))) for kind in (Entity, Relation)
}


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch of one kind of records, by columns; `start` items came before it in the file.

    Rejects and remarks are `listed` with their numbers; entities and relations are tuples of values.
    """

    start: int
    size: int
    listed: Listed
    kind: type[Record] | None
    numbers: Sequence[int]
    records: Sequence[Any]
    files: Sequence[str]
    lines: Sequence[int]
    sources: Sequence[str]

    def row(self, place: int) -> Row:
        """Make a row again."""
        record = self.records[place]
        if self.kind in _VALUES:
            record = self.kind(*record)
        return Row(record, self.files[place], self.lines[place], self.sources[place])


def pack(batch: Sequence[Item], start: int) -> Packed:
    """Pack a batch whose records are of one kind."""
    rows: list[Row] = [item for item in batch if isinstance(item, Row)]
    numbers: Sequence[int] = range(start, start + len(batch))
    listed: Listed = []
    if len(rows) < len(batch):
        listed = [(n, item) for n, item in zip(numbers, batch, strict=True) if not isinstance(item, Row)]
        numbers = [n for n, item in zip(numbers, batch, strict=True) if isinstance(item, Row)]
    kind = type(rows[0].record) if rows else None
    records: list[Any] = [row.record for row in rows]
    if kind in _VALUES:
        records = list(map(_VALUES[kind], records))
    files, lines, sources = [row.file for row in rows], [row.line for row in rows], [row.source for row in rows]
    return Packed(start, len(batch), listed, kind, numbers, records, files, lines, sources)


_TYPES: Final = {"str": "string", "list": "string[]", "bool": "boolean", "float": "double"}
_ENTITY_MORE: Final = tuple(a for a in stated(Entity) if a.name not in {"name", "definition", "synonyms"})
_DOCUMENT_MORE: Final = tuple(a for a in stated(Document) if a.name not in {"title", "url", "collection", "published"})
_PLACES: Final = {field.name: place for place, field in enumerate(fields(Entity))}
_always_of_entity: Final = itemgetter(*map(_PLACES.__getitem__, ("id", "label", "name", "definition", "synonyms")))
_linked_of_entity: Final = itemgetter(*map(_PLACES.__getitem__, ("id", "concepts", "semantic_types")))
_more_of_entity: Final = itemgetter(*map(_PLACES.__getitem__, names_of(_ENTITY_MORE)))
_more_of_document: Final = attrgetter(*names_of(_DOCUMENT_MORE))
_NO_MORE: Final = tuple(attribute.default for attribute in _ENTITY_MORE)
_NO_MORE_LINE: Final = COMMA * (len(_ENTITY_MORE) - 1)

_QUOTED: Final = f"{QUOTE}%s{QUOTE}"
_ENTITY_LINE: Final = COMMA.join((_QUOTED, "%s", _QUOTED, "%s", "%s", "%s", _QUOTED, "%d", "%d", "%d"))
_RELATION_LINE: Final = COMMA.join((_QUOTED, _QUOTED, "%s", _QUOTED, _QUOTED, "%d", "%d", "%d", "%s", "%s", "%s"))


def _of_nodes(names: str) -> Columns:
    return tuple((name, "") for name in names.split())


def _of_relations(names: str) -> Columns:
    return tuple(("", name) for name in names.split())


def _of_attributes(attributes: Iterable[Attribute]) -> Columns:
    return tuple((f"{attribute.name}:{_TYPES[attribute.type]}", "") for attribute in attributes)


_MARKS: Final = _of_relations("hash:long load:long seen:long")
_WHERE: Final = _of_nodes("source:string collection:string published:string")
_ENTITY: Final = (
    ("id:ID(Entity)", ":START_ID(Entity)"),
    *_of_nodes(":LABEL name:string definition:string synonyms:string[]"),
    *_of_attributes(_ENTITY_MORE),
    ("sources:string[]", ":END_ID(Source)"),
    *_MARKS,
)
_RELATION: Final = _of_relations(
    ":START_ID(Entity) :END_ID(Entity) :TYPE source:string predicate:string hash:long load:long seen:long "
    "method:string evidence:string[] score:double"
)
_DOCUMENT: Final = (
    ("id:ID(Document)", ":START_ID(Document)"),
    *_of_nodes("title:string url:string collection:string published:string"),
    ("source:string", ":END_ID(Source)"),
    *_MARKS,
    *_of_nodes("folded:string[]"),
    *_of_attributes(_DOCUMENT_MORE),
)
_SECTION: Final = (
    *_of_relations(":START_ID(Document)"),
    ("id:ID(Section)", ":END_ID(Section)"),
    *_of_nodes("text:string type:string heading:string question:string title:string aliases:string[]"),
    *_of_nodes("folded:string position:long"),
    *_WHERE,
)
_QUESTION: Final = (
    ("id:ID(Question)", ":START_ID(Question)"),
    *_of_nodes("text:string type:string generated:boolean folded:string"),
    *_WHERE,
)


def books(folder: Path) -> dict[str, Book]:
    """Begin the files."""
    answered = (*_QUESTION, *_of_relations(":END_ID(Section)"))
    open_ = (*_QUESTION, *_of_nodes("position:long"), *_of_relations(":END_ID(Document)"))
    concepts = _of_relations(":START_ID(Entity) :END_ID(Concept) source:string semantic_types:string[]")
    about = _of_relations(":START_ID(Document) :END_ID(Entity) source:string position:long")
    return {
        "source": Book(folder, "source", _of_nodes("id:ID(Source)"), "Source"),
        "concept": Book(folder, "concept", _of_nodes("cui:ID(Concept)"), "Concept"),
        "entity": Book(folder, "entity", _ENTITY, "Entity", "FROM"),
        "cui": Book(folder, "cui", concepts, relation="HAS_CUI"),
        "relation": Book(folder, "relation", _RELATION),
        "document": Book(folder, "document", _DOCUMENT, "Document", "FROM"),
        "section": Book(folder, "section", _SECTION, "Section", "HAS_SECTION"),
        "answered": Book(folder, "answered", answered, "Question", "ANSWERED_BY"),
        "open": Book(folder, "open", open_, "Question", "ANSWERED_AT"),
        "about": Book(folder, "about", about, relation="ABOUT"),
    }


def entity(values: Values, source: str, hashed: int, load: int) -> str:
    """Write an entity, and that its source states it, as a line of the book `entity`, without properties."""
    id_, label, name, definition, synonyms = _always_of_entity(values)
    if not name:
        raise OddError
    rest = _more_of_entity(values)
    more = _NO_MORE_LINE if rest == _NO_MORE else COMMA.join(map(_value, rest))
    said = text(definition) if definition else ""
    return _ENTITY_LINE % (id_, label, name, said, texts(synonyms), more, source, hashed, load, load)


def _value(value: str | bool | tuple[str, ...]) -> str:
    """Write what an attribute says; one that says nothing is not stored."""
    if not value:
        return ""
    if isinstance(value, tuple):
        return texts(value)
    return "true" if value is True else text(str(value))


def concept_links(values: Values, source: str) -> list[tuple[str, str]]:
    """Give each concept that an entity stands for, with a line of the book `cui`."""
    id_, concepts, semantic_types = _linked_of_entity(values)
    if not concepts:
        return []
    ends = (text(source), texts(semantic_types))
    return [(cui, COMMA.join((text(id_), text(cui), *ends))) for cui in dict.fromkeys(concepts)]


def relation(values: Values, source: str, hashed: int, load: int) -> str:
    """Write a relation as a line of the book `relation`, without properties."""
    subject, type_, object_, predicate, method, evidence, score, _ = values
    if score is not None and type(score) is not float:
        raise OddError
    written = "" if score is None else repr(score)
    way, grounds = text(method) if method else "", texts(evidence)
    return _RELATION_LINE % (subject, object_, type_, source, predicate, hashed, load, load, way, grounds, written)


def names(record: Record) -> list[tuple[str, str]]:
    """Name a document, or one that is withdrawn, and its parts, as no other document of a file may be called."""
    if isinstance(record, Document):
        return [("document", record.id), *(("part", part) for part in as_rows.parts(record))]
    return [("document", getattr(record, "document", ""))]


def document(record: Document, source: str, about: Sequence[str], load: int) -> list[tuple[str, str]]:
    """Give lines, with their books, for a document with all in it; `about` are entities that the graph will hold."""
    positions = {entity: position for position, entity in enumerate(record.about, 1)}
    links = [COMMA.join((text(record.id), text(e), text(source), str(positions[e]))) for e in about]
    where = COMMA.join(map(text, (source, record.collection, record.published)))
    named = map(_value, (record.id, record.title, record.url))
    always = (*named, text(record.collection), _value(record.published), text(source))
    marks = (str(content_hash(record)), str(load), str(load))
    folded = texts(tuple(as_rows.folded_of(record)))
    pages = [
        ("document", COMMA.join((*always, *marks, folded, *map(_value, _more_of_document(record))))),
        *(("section", line) for line in _sections(record, where)),
        *(("answered", line) for line in _answered(record, where)),
        *(("open", line) for line in _open(record, where)),
        *(("about", line) for line in links),
    ]
    if any(len(line) > LONGEST for _, line in pages):
        raise OddError
    return pages


def _sections(record: Document, where: str) -> Iterator[str]:
    title, aliases = text(record.title), texts(record.aliases)
    for position, section in enumerate(record.sections, 1):
        cells = map(text, (record.id, section.id, section.text, section.type, section.heading, section.question))
        folded = _value(as_rows.folded_in(record, section))
        yield COMMA.join((*cells, title, aliases, folded, str(position), where))


def _answered(record: Document, where: str) -> Iterator[str]:
    for section in record.sections:
        if section.question.strip():
            cells = map(text, (section.id, section.question, section.type))
            folded = _value(folded_words(section.question))
            yield COMMA.join((*cells, "false", folded, where, text(section.id)))


def _open(record: Document, where: str) -> Iterator[str]:
    for position, question in enumerate(record.questions, 1):
        cells = map(text, (question.id, question.text, question.type))
        folded = _value(folded_words(question.text))
        yield COMMA.join((*cells, "false", folded, where, str(position), text(record.id)))
