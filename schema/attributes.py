"""The attributes of records by name and type, read from the records: who stores or exchanges them lists none again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .records import RELATION_KEY, Document, Entity, Relation, Withdrawal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .records import Record

APART: Final = frozenset({"properties", "sections", "questions"})
"""Attributes that are no values of the record itself."""

_IDENTITY: Final[dict[type, tuple[str, ...]]] = {Relation: RELATION_KEY, Withdrawal: ("document",)}
"""What tells records from others, where it is not their `id`."""

_ELSEWHERE: Final[dict[type, frozenset[str]]] = {
    Entity: frozenset({"id", "label", "concepts"}),
    Relation: frozenset(RELATION_KEY),
}
"""What the graph keeps as key, label, type, or relation, where it is more than the `id`."""

_CURIES: Final[dict[type, tuple[str, ...]]] = {
    Entity: ("id", "xrefs", "alternative_ids", "replaced_by"),
    Relation: ("subject", "object"),
    Document: ("about",),
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a kind of record.

    Attributes:
        name: Its name.
        type: `list` (of texts), `bool`, `int`, `float` or `str`.
        default: Its value where the record says nothing; `dataclasses.MISSING` where it has to.
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


def curies(record: Record) -> Iterator[str]:
    """List the ids in a record whose prefixes tell who coined them; those of documents are their source's own."""
    for name in _CURIES.get(type(record), ()):
        value = getattr(record, name)
        yield from (value,) if isinstance(value, str) else value


def title(record: Record) -> str:
    """Name a record for people: its id, or what a relation says."""
    return " ".join(filter(None, identity(record)))


def names(listed: Iterable[Attribute]) -> tuple[str, ...]:
    """Give the names of attributes."""
    return tuple(attribute.name for attribute in listed)


def _type(annotation: str) -> str:
    return "list" if annotation.startswith("tuple") else annotation.partition(" ")[0]
