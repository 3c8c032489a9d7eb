"""Records as lines of CSV files, which an import makes into what the writer's statements store.

They come packed from another process: as tuples of values, which travel at a third of their price.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final

from ...schema import rows as as_rows
from ...schema.folding import folded_words
from ...schema.records import Document, Entity, Relation, content_hash
from ...schema.rows import names as names_of
from ...schema.rows import stated
from ..base import Reject, Row
from .import_files import COMMA, LONGEST, QUOTE, Book, OddError, text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from ...schema.records import Record
    from ...schema.rows import Attribute
    from ..base import Item, Remark

    Listed = list[tuple[int, Reject | Remark]]
    Columns = tuple[tuple[str, str], ...]
    Values = tuple[Any, ...]
    """What the attributes of an entity or relation hold, in their order."""

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
