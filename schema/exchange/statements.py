"""Merges one source's repeated statements of a relation into one relation, and splits it without loss.

A source states a relation once, and files of mappings and of edges say the same triple more than once: by another
method, with other evidence, another confidence. The relation holds all evidence, the methods with `|` between them, the
highest score, and of texts that differ the list; `statements` holds, as an object of JSON a place, what it says there
and not in all places.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ..checks import MAX_ID
from ..records import RELATION_KEY, Relation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..records import Value

STATEMENTS: Final = "statements"  # The property of a relation that holds what single places say
_ATTRIBUTES: Final = ("method", "evidence", "score")
_DEFAULTS: Final[dict[str, Any]] = {"method": "stated", "evidence": (), "score": None}


def together(relations: Sequence[Relation]) -> Relation:
    """Put relations of one key, in a file's order, together; what stands twice word for word is there once."""
    said = list({repr(found): found for found in map(_attributes, relations)}.values())
    if len(said) == 1:
        return relations[0]
    names = sorted({name for each in said for name in each})
    common = {n: said[0][n] for n in names if all(n in each and each[n] == said[0][n] for each in said)}
    whole = common | {
        name: found
        for name in names
        if name not in common and (found := _union(name, [each[name] for each in said if name in each])) is not None
    }
    whole[STATEMENTS] = tuple(
        json.dumps({n: v for n, v in each.items() if n not in common}, ensure_ascii=False) for each in said
    )
    return _made(relations[0], whole)


def apart(relation: Relation) -> list[Relation]:
    """Take apart what `together` made; the relation itself, where it is one, or `statements` is something else."""
    whole = _attributes(relation)
    parts = [_object(text) for text in _texts(whole.pop(STATEMENTS, ()))]
    if not parts or any(part is None for part in parts):
        return [relation]
    differing = {name for part in parts if part for name in part}
    common = {name: value for name, value in whole.items() if name not in differing}
    try:
        return [_made(relation, common | (part or {})) for part in parts]
    except RecordError:
        return [relation]


def _attributes(relation: Relation) -> dict[str, Any]:
    own = {name: getattr(relation, name) for name in _ATTRIBUTES}
    return {name: value for name, value in own.items() if value != _DEFAULTS[name]} | dict(relation.properties)


def _made(relation: Relation, said: dict[str, Any]) -> Relation:
    own = {name: said.get(name, _DEFAULTS[name]) for name in _ATTRIBUTES}
    properties = tuple(sorted((name, value) for name, value in said.items() if name not in _ATTRIBUTES))
    key = {name: getattr(relation, name) for name in RELATION_KEY}
    return Relation(**key, **own, properties=properties)


def _union(name: str, values: list[Any]) -> Any:
    """Give a value for all places: every text, the highest score; None where nothing stands for all."""
    if name == "score":
        return max(values)
    items = tuple(dict.fromkeys(item for value in values for item in _texts(value)))
    if name == "method":
        return "|".join(items) if len("|".join(items)) <= MAX_ID else items[0]
    return items if items and all(isinstance(value, str | tuple) for value in values) else None


def _texts(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()


def _object(text: str) -> dict[str, Any] | None:
    """Read what `together` wrote; None for what is something else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return values if all(_fits(value) for value in values.values()) else None


def _fits(value: Any) -> bool:
    return isinstance(value, str | int | float) or (
        isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    )
