"""Records as flat things with named values, as KGX and N-Quads carry them, and back without loss.

`flats` takes a record apart: a document becomes itself, its sections and its questions, each with a place of its own.
`restore` puts a record together. What a source says in `properties` stays apart, under its own names.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...files import word_table
from ...text import did_you_mean
from ..records import Document, Entity, Question, Relation, Section, SourceInfo
from ..rows import attributes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..records import Properties, Record, Value

    Part = Section | Question

TABLE: Final = word_table(Path(__file__).parent.with_name("exchange.tsv"))
_RECORDS: Final[dict[str, type]] = {
    "source": SourceInfo,
    "entity": Entity,
    "relation": Relation,
    "document": Document,
    "section": Section,
    "question": Question,
}
# Kind → its record, and the names of attributes that are called otherwise outside; the others keep theirs
FORMS: Final[dict[str, tuple[type, dict[str, str]]]] = {
    kind: (record, {name: other for name, (other,) in TABLE.get(kind, {}).items()}) for kind, record in _RECORDS.items()
}
Plain = str | bool | int | float | list[str]


@dataclass(frozen=True, slots=True)
class Flat:
    """A thing of a kind in `FORMS`: named values (lists are of texts), and what else its source says."""

    kind: str
    values: dict[str, Plain]
    properties: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Column:
    """An attribute of a record under its name outside, with its type as `Attribute` has it."""

    attribute: str
    name: str
    type: str


@cache
def columns(kind: str) -> tuple[Column, ...]:
    """List the values that a kind of thing, a key of `FORMS`, may have, in the order of the record's attributes."""
    record, names = FORMS[kind]
    return tuple(
        Column(attribute.name, names.get(attribute.name, attribute.name), attribute.type)
        for attribute in attributes(record)
    )


def flats(record: Record) -> Iterator[Flat]:
    """Take a record apart; a document is followed by its sections and questions, which name it as `document`."""
    kind = next(kind for kind, (form, _) in FORMS.items() if isinstance(record, form))
    yield Flat(kind, _values(kind, record), dict(getattr(record, "properties", ())))
    if isinstance(record, Document):
        for section in record.sections:
            yield Flat("section", {"document": record.id, **_values("section", section)}, {})
        for question in record.questions:
            yield Flat("question", {"document": record.id, **_values("question", question)}, {})


def restore(flat: Flat, sections: Sequence[Section] = (), questions: Sequence[Question] = ()) -> Any:
    """Put a record together from what `flats` gave, perhaps edited by somebody."""
    record, _ = FORMS[flat.kind]
    known = {column.name: column for column in columns(flat.kind)}
    known_names = known.keys() | ({"document"} if flat.kind in {"section", "question"} else set())
    if unknown := flat.values.keys() - known_names:
        raise RecordError(
            f"the {flat.kind} has the unknown {min(unknown)!r}{did_you_mean(min(unknown), sorted(known))}"
        )
    values = {
        known[name].attribute: _checked(known[name], value) for name, value in flat.values.items() if name in known
    }
    required = [field.name for field in fields(record) if field.default is MISSING]
    if missing := [name for name in required if name not in values]:
        raise RecordError(f"the {flat.kind} has no {FORMS[flat.kind][1].get(missing[0], missing[0])!r}")
    if flat.kind == "document":
        values |= {"sections": tuple(sections), "questions": tuple(questions)}
    if "properties" in {field.name for field in fields(record)}:
        values["properties"] = sorted_properties(flat.properties)
    return record(**values)


def sorted_properties(properties: dict[str, Value]) -> Properties:
    """Bring properties into the order of the names, as records have them."""
    return tuple(sorted(properties.items(), key=lambda pair: pair[0]))


def _values(kind: str, record: Any) -> dict[str, Plain]:
    defaults = {attribute.name: attribute.default for attribute in attributes(FORMS[kind][0])}
    return {
        column.name: list(value) if isinstance(value, tuple) else value
        for column in columns(kind)
        if (value := getattr(record, column.attribute)) != defaults[column.attribute]
    }


def _checked(column: Column, value: Plain) -> Any:
    if column.type == "list" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if column.type == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if column.type in {"str", "bool", "int"} and type(value).__name__ == column.type:
        return value
    wanted = {"list": "a list of texts", "str": "a text", "bool": "true or false", "int": "a whole number"}
    raise RecordError(f"{column.name!r} is {str(value)[:60]!r}, not {wanted.get(column.type, 'a number')}")
