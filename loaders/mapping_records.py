"""From the rows of a table to records, as the rules of a mapping say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from ..errors import RecordError
from ..schema.records import MAX_DOCUMENT, Document, Entity, Question, Relation, Section
from ..schema.vocabulary import section_type
from . import mapping_keys as keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .mapping_form import Rule
    from .mapping_values import Cells, Template

    Draft = dict[str, Any]

_TRUE: Final = {"true", "t", "yes", "y", "1"}
_FALSE: Final = {"", "false", "f", "no", "n", "0"}
_KEYS: Final = {**keys.RULES, "sections": keys.SECTION, "questions": keys.QUESTION}
_SYNONYMS: Final = ("synonyms", "narrow_synonyms", "broad_synonyms", "related_synonyms")


def drafts(rule: Rule, row: Cells) -> Iterator[Draft]:
    """Make what a rule gives for a row, before it becomes records.

    Args:
        rule: The rule.
        row: The cells.

    Yields:
        One draft; with `each` one an item; none where a condition does not hold.

    Raises:
        RecordError: A value that is needed is empty, or one is not of its type.
    """
    for bound in _bound(rule, row):
        if all(condition.holds(bound) for condition in rule.when):
            yield _draft(rule, bound)


def _bound(rule: Rule, row: Cells) -> Iterator[Cells]:
    if not rule.each:
        yield row
        return
    lists = [(cell,) if isinstance(cell := row.get(name, ""), str) else cell for name in rule.each]
    if len({len(cell) for cell in lists}) > 1:
        counts = ", ".join(f"{name} {len(cell)}" for name, cell in zip(rule.each, lists, strict=True))
        raise RecordError(f"the columns of each: have different numbers of items ({counts}); they must go together")
    for items in zip(*lists, strict=True):
        if any(items):
            yield {**row, **dict(zip(rule.each, items, strict=True))}


def _draft(rule: Rule, row: Cells) -> Draft:
    draft: Draft = {}
    for name, key in _KEYS[rule.kind].items():
        if name in rule.values:
            value = _value(key.kind, name, rule.values[name], row)
            if key.required and not value and rule.kind not in {"sections", "questions"}:
                raise RecordError(_nothing(name, rule.values[name], row))
            draft[name] = value
    for name, parts in rule.parts.items():
        draft[name] = tuple(part for inner in parts for part in drafts(inner, row) if part["text"])
    properties = {name: _property(name, kind, value, row) for name, (kind, value) in rule.properties.items()}
    draft["properties"] = {name: value for name, value in properties.items() if value not in ("", (), None)}
    return draft


def _value(kind: str, name: str, templates: tuple[Template, ...], row: Cells) -> Any:
    if kind in {"texts", "ids"}:
        return tuple(dict.fromkeys(text for template in templates for text in template.many(row)))
    text = templates[0].one(row, whole=kind == "id")
    if kind == "truth":
        return _truth(name, text)
    return _number(name, text) if kind == "number" else text


def _truth(name: str, text: str) -> bool:
    word = text.lower()
    if word not in _TRUE | _FALSE:
        raise RecordError(f"{name} is {text[:80]!r}, which is neither true nor false; translate it with map:")
    return word in _TRUE


def _number(name: str, text: str) -> float | None:
    try:
        number = float(text) if text else None
    except ValueError as error:
        raise RecordError(f"{name} is {text[:80]!r}, which is no number") from error
    if number is not None and not math.isfinite(number):
        raise RecordError(f"{name} is {text[:80]!r}, which is no finite number")
    return number


def _property(name: str, kind: str, template: Template, row: Cells) -> Any:
    if kind == "texts":
        return tuple(dict.fromkeys(template.many(row)))
    text = template.one(row, whole=False)
    if not text or kind == "text":
        return text
    if kind == "boolean":
        return _truth(name, text)
    if kind == "number":
        return _number(name, text)
    try:
        return int(text)
    except ValueError as error:
        raise RecordError(f"{name} is {text[:80]!r}, which is no whole number") from error


def _nothing(name: str, templates: tuple[Template, ...], row: Cells) -> str:
    empty = [column for column in templates[0].columns if not row.get(column, "")]
    if not empty:
        return f"has no {name}"
    remedy = f"pass such rows over with when: {{{empty[0]}: {{empty: false}}}}"
    return f"has no {name}: the column {empty[0]!r} is empty; {remedy}"


def merge(first: Draft, later: Draft) -> None:
    """Bring what a later row says into the draft of the rows before it.

    Args:
        first: The draft; it is changed.
        later: What the later row says.

    Raises:
        RecordError: Both say something, and not the same, where one value is possible; nothing was changed then.
    """
    for name, value in later.items():
        before = first[name]
        if name == "properties":
            _compare(before, value)
        elif not isinstance(value, tuple) and value and before and value != before:
            raise RecordError(_conflict(name, before, value))
    for name, value in later.items():
        if name == "properties":
            for key, said in value.items():
                first[name][key] = _joined(first[name].get(key, ""), said)
        else:
            first[name] = _joined(first[name], value)
    if _size(first) > MAX_DOCUMENT:
        raise RecordError(f"its rows together have more than {MAX_DOCUMENT:,} characters; do not group them")


def _compare(before: dict[str, Any], later: dict[str, Any]) -> None:
    for key, said in later.items():
        if key in before and not isinstance(said, tuple) and before[key] != said:
            raise RecordError(_conflict(f"properties.{key}", before[key], said))


def _joined(before: Any, later: Any) -> Any:
    if not isinstance(later, tuple):
        return before or later
    return (*before, *(part for part in later if part not in before)) if before else later


def _conflict(name: str, before: Any, later: Any) -> str:
    return f"says {name} is {str(later)[:80]!r}, and a row before it of the same group {str(before)[:80]!r}; mend one"


def _size(draft: Draft) -> int:
    return sum(len(str(value)) for value in draft.values())


def build(rule: Rule, draft: Draft) -> Entity | Relation | Document:
    """Make a record.

    Args:
        rule: The rule it comes from.
        draft: What rows say.

    Returns:
        The record.

    Raises:
        RecordError: It breaks a rule of the graph.
    """
    said = {name: value for name, value in draft.items() if value not in ("", (), {}, None)}
    if "properties" in said:
        said["properties"] = tuple(sorted(said["properties"].items()))
    if rule.kind == "relations":
        return Relation(**said)
    if rule.kind == "entities":
        for name in _SYNONYMS:
            if name in said:
                said[name] = tuple(text for text in said[name] if text.lower() != said["name"].lower())
        return Entity(**said)
    if "sections" in said:
        said["sections"] = tuple(_section(said["id"], n, part) for n, part in enumerate(said["sections"], 1))
    if "questions" in said:
        said["questions"] = tuple(_question(said["id"], n, part) for n, part in enumerate(said["questions"], 1))
    return Document(**said)


def _section(document: str, number: int, part: Draft) -> Section:
    return Section(
        part.get("id") or f"{document}#{number}",
        part["text"],
        section_type(part.get("type", "")),
        part.get("heading", ""),
        part.get("question", ""),
    )


def _question(document: str, number: int, part: Draft) -> Question:
    return Question(part.get("id") or f"{document}#q{number}", part["text"], section_type(part.get("type", "")))
