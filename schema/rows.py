"""Records as the rows that statements take, and back, and their attributes by name and type.

Attributes are read from the records: who stores or exchanges them lists none again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from .folding import folded_names, folded_words
from .records import RELATION_KEY, Document, Entity, Question, Relation, Section, Withdrawal, content_hash
from .vocabulary import STUB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeVar

    from .records import Properties, Record

    T = TypeVar("T", Entity, Relation, Document)

_SHOWN: Final = 60  # characters of a value that differs
_LISTED: Final = 6  # items of a list that differ
APART: Final = frozenset({"properties", "sections", "questions"})  # Attributes that are no values of the record itself
# What tells records from others, where it is not their `id`
_IDENTITY: Final[dict[type, tuple[str, ...]]] = {Relation: RELATION_KEY, Withdrawal: ("document",)}
# What the graph keeps as key, label, type, or relation, where it is more than the `id`
_ELSEWHERE: Final[dict[type, frozenset[str]]] = {
    Entity: frozenset({"id", "label", "concepts"}),
    Relation: frozenset(RELATION_KEY),
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a record: a `list` (of texts), `bool`, `int`, `float` or `str`.

    Its default is `dataclasses.MISSING` where the record has to say it.
    """

    name: str
    type: str
    default: Any


@cache
def attributes(record: type) -> tuple[Attribute, ...]:
    """List the values that a kind of record may have, in their order, without those in `APART`."""
    return tuple(
        Attribute(field.name, _type(str(field.type)), field.default)
        for field in fields(record)
        if field.name not in APART
    )


@cache
def stated(record: type) -> tuple[Attribute, ...]:
    """List what the graph stores as properties: all but key, label, type, and what becomes relations."""
    elsewhere = _ELSEWHERE.get(record, {"id"})
    return tuple(attribute for attribute in attributes(record) if attribute.name not in elsewhere)


def identity(record: Record) -> tuple[str, ...]:
    """Give what tells a record from others of its kind and source: its id, or the key of a relation."""
    return tuple(getattr(record, name) for name in _IDENTITY.get(type(record), ("id",)))


def title(record: Record) -> str:
    """Name a record for people: its id, or what a relation says."""
    return " ".join(filter(None, identity(record)))


def names(listed: Iterable[Attribute]) -> tuple[str, ...]:
    """Give the names of attributes."""
    return tuple(attribute.name for attribute in listed)


def _type(annotation: str) -> str:
    return "list" if annotation.startswith("tuple") else annotation.partition(" ")[0]


_ENTITY: Final = names(stated(Entity))
_RELATION: Final = names(stated(Relation))
_DOCUMENT: Final = names(stated(Document))
_SECTION: Final = names(attributes(Section))
_QUESTION: Final = names(attributes(Question))
_ALWAYS: Final = frozenset(("title", "collection"))
_entity_values = attrgetter(*_ENTITY)
_relation_values = attrgetter(*_RELATION)
_document_values = attrgetter(*_DOCUMENT)


def entity_row(entity: Entity, source: str) -> dict[str, Any]:
    """Give an entity as a row; `label` is `Stub` without a name, and `statement` holds what is not empty."""
    return {
        "id": entity.id,
        "source": source,
        "label": entity.label or STUB,
        "hash": content_hash(entity),
        "statement": _statement(_ENTITY, _entity_values(entity), entity.properties),
    }


def concept_row(entity: Entity, source: str) -> dict[str, Any]:
    """Give the concepts that an entity stands for as a row."""
    return {
        "id": entity.id,
        "source": source,
        "concepts": list(entity.concepts),
        "semantic_types": list(entity.semantic_types) or None,
    }


def relation_key(relation: Relation, source: str) -> dict[str, Any]:
    """Give what tells a relation from others."""
    return {"source": source} | {name: getattr(relation, name) for name in RELATION_KEY}


def relation_row(relation: Relation, source: str) -> dict[str, Any]:
    """Give a relation as a row: its key with `hash` and `statement`, which holds what is not empty."""
    row = relation_key(relation, source)
    row["hash"] = content_hash(relation)
    row["statement"] = _statement(_RELATION, _relation_values(relation), relation.properties)
    return row


def document_row(document: Document, source: str) -> dict[str, Any]:
    """Give a document as a row of `hash` and `properties`, without its parts."""
    properties = _statement(_DOCUMENT, _document_values(document), document.properties)
    for name in _ALWAYS:
        properties.setdefault(name, "")
    own = {"id": document.id, "source": source, "folded": folded_of(document) or None}
    return {"hash": content_hash(document), "properties": properties | own}


def folded_of(document: Document) -> list[str]:
    """Give those names of a document's origin that fold to others, folded."""
    headings = dict(document.properties).get("mesh_headings", ())
    return folded_names(*document.authors, document.journal, *(headings if isinstance(headings, tuple) else ()))


def folded_in(document: Document, section: Section) -> str:
    """Give the words of a section, with its document's names, that fold to others, folded."""
    return folded_words(document.title, *document.aliases, section.heading, section.question, section.text)


def section_rows(document: Document, source: str) -> Iterator[dict[str, Any]]:
    """Give the sections of a document as rows of `document` and `properties`."""
    for position, section in enumerate(document.sections, 1):
        properties = asdict(section) | {
            "heading": section.heading or None,
            "question": section.question or None,
            "title": document.title,
            "aliases": list(document.aliases) or None,
            "folded": folded_in(document, section) or None,
            "position": position,
            **_origin(document, source),
        }
        yield {"document": document.id, "properties": properties}


def question_rows(document: Document, source: str) -> Iterator[dict[str, Any]]:
    """Give the questions that sections of a document answer as rows of `section` and `properties`."""
    for section in document.sections:
        if section.question.strip():
            question = Question(section.id, section.question, section.type)
            yield {"section": section.id, "properties": _question(document, source, question)}


def open_question_rows(document: Document, source: str) -> Iterator[dict[str, Any]]:
    """Give the questions that only a document's page answers as rows of `document` and `properties`."""
    for position, question in enumerate(document.questions, 1):
        yield {"document": document.id, "properties": _question(document, source, question) | {"position": position}}


def about_rows(document: Document, source: str) -> Iterator[dict[str, Any]]:
    """Give the links of a document to what it is about as rows."""
    for position, entity in enumerate(document.about, 1):
        yield {"document": document.id, "entity": entity, "source": source, "position": position}


def entity_from(stored: Mapping[str, Any]) -> Entity:
    """Make an entity again of a row of the query `stored_entities`; its concepts are in the order of their CUIs."""
    arguments = _restored(stored["statement"], _ENTITY)
    label = "" if stored["label"] == STUB else stored["label"]
    return Entity(stored["id"], label, concepts=tuple(stored["concepts"]), **arguments)


def relation_from(stored: Mapping[str, Any]) -> Relation:
    """Make a relation again of a row of the query `stored_relations`."""
    arguments = {"method": ""} | _restored(stored["statement"], _RELATION)
    return Relation(stored["subject"], stored["type"], stored["object"], predicate=stored["predicate"], **arguments)


def document_from(stored: Mapping[str, Any]) -> Document:
    """Make a document again of a row of the query `stored_documents`."""
    sections = tuple(Section(**{name: part.get(name) or "" for name in _SECTION}) for part in stored["sections"])
    questions = tuple(Question(**{name: part[name] for name in _QUESTION}) for part in stored["questions"])
    arguments = _restored(stored["statement"], _DOCUMENT)
    return Document(stored["id"], sections=sections, questions=questions, **arguments)


def to_json(record: Record) -> str:
    """Write a record as JSON that `from_json` reads."""
    return json.dumps(asdict(record), ensure_ascii=False)


def from_json(kind: type[T], text: str) -> T:
    """Read a record that `to_json` wrote."""
    data = {name: _tuples(value) for name, value in json.loads(text).items()}
    if kind is Document:
        data["sections"] = tuple(Section(**part) for part in data["sections"])
        data["questions"] = tuple(Question(**part) for part in data["questions"])
    return kind(**data)


def differences(before: Record, after: Record) -> list[str]:
    """Say which attributes and properties differ between two states of a record, with what went and what came."""
    old, new = _flat(before), _flat(after)
    return [_change(name, old.get(name), new.get(name)) for name in {**new, **old} if old.get(name) != new.get(name)]


def _flat(record: Record) -> dict[str, Any]:
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return values | dict(values.pop("properties", ()))


def _change(name: str, old: Any, new: Any) -> str:
    if not isinstance(old, tuple) and not isinstance(new, tuple):
        return f"{name}: {_replaced(old, new)}"
    before, after = (value if isinstance(value, tuple) else () if value is None else (value,) for value in (old, new))
    gone, come = [item for item in before if item not in after], [item for item in after if item not in before]
    if len(gone) == len(come) == 1:
        return f"{name}: {_replaced(gone[0], come[0])}"
    listed = [*(f"+ {_shown(item)[:_SHOWN]}" for item in come), *(f"- {_shown(item)[:_SHOWN]}" for item in gone)]
    more = f" and {len(listed) - _LISTED:,} more" if len(listed) > _LISTED else ""
    return f"{name}: {', '.join(listed[:_LISTED]) or 'in another order'}{more}"


def _replaced(old: Any, new: Any) -> str:
    """Write two values so that a line holds them, from a little before they differ."""
    texts = _shown(old), _shown(new)
    same = next((place for place, (one, other) in enumerate(zip(*texts, strict=False)) if one != other), 0)
    start = max(0, same - _SHOWN // 2)
    return " → ".join(("…" if start else "") + text[start : start + _SHOWN] for text in texts)


def _shown(value: Any) -> str:
    said = f"{value.id} {value.text}" if isinstance(value, Section | Question) else value
    return " ".join(str("nothing" if said in (None, "") else said).split())


def parts(document: Document) -> Iterable[str]:
    """List the ids that a document takes for its sections and open questions."""
    return (*(section.id for section in document.sections), *(question.id for question in document.questions))


def _statement(keys: tuple[str, ...], values: tuple[Any, ...], properties: Properties) -> dict[str, Any]:
    statement = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in zip(keys, values, strict=True)
        if value or (value == 0 and value is not False)
    }
    for name, value in properties:
        statement[name] = list(value) if isinstance(value, tuple) else value
    return statement


def _restored(statement: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    values = {name: _tuples(value) for name, value in statement.items() if value is not None and name != "folded"}
    known = {name: values.pop(name) for name in keys if name in values}
    return known | {"properties": tuple(sorted(values.items()))}


def _question(document: Document, source: str, question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "text": question.text,
        "type": question.type,
        "generated": False,
        "folded": folded_words(question.text) or None,
        **_origin(document, source),
    }


def _origin(document: Document, source: str) -> dict[str, str]:
    return {"source": source, "collection": document.collection, "published": document.published}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
