"""Records of which one value cannot be held: the rest stays, and a remark names the value."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..errors import RecordError
from ..schema.records import Entity, Relation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..schema.records import Value

    Kind = TypeVar("Kind", Entity, Relation)

_NEEDED: Final = {Entity: ("id", "label", "name"), Relation: ("subject", "type", "object", "predicate")}
_WIDEST: Final = 1 << 63


def storable(value: Value) -> Value:
    """Give a number as a text that the graph cannot hold as a number: one of more than 64 bits, infinity, nan."""
    fits = (
        -_WIDEST <= value < _WIDEST if isinstance(value, int) else not isinstance(value, float) or math.isfinite(value)
    )
    return value if fits else str(value)


def salvaged(kind: type[Kind], values: Mapping[str, Any]) -> tuple[Kind, list[str]]:
    """Make a record of all that can be held.

    Args:
        values: What it should say, by attribute.

    Returns:
        The record, and what was left out of it and why, a line each.

    Raises:
        RecordError: What it cannot do without cannot be held.
    """
    try:
        return kind(**values), []
    except RecordError:
        kept = {name: values[name] for name in _NEEDED[kind] if name in values}
        kind(**kept)
    lost: list[str] = []
    for field in fields(kind):
        if field.name in values and field.name not in kept:
            value = values[field.name]
            items = value if isinstance(value, tuple) else (value,)
            good = [item for item in items if _fits(kind, kept, field.name, item, lost, several=value is items)]
            if good:
                kept[field.name] = tuple(good) if value is items else good[0]
    return kind(**kept), lost


def _fits(kind: type[Kind], kept: Mapping[str, Any], name: str, item: Any, lost: list[str], *, several: bool) -> bool:
    try:
        kind(**{**kept, name: (item,) if several else item})
    except RecordError as error:
        lost.append(str(error))
        return False
    return True
