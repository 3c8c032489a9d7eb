"""From the rows of a table to records, as the rules of a mapping say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.records import MAX_DOCUMENT, Document, Entity, Question, Relation, Section
from ...schema.vocabulary import section_type
from .. import mending
from ..files import lines
from ..files.nested import Cell, Several
from . import keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .forms import Rule
    from .values import Cells, Template

    Draft = dict[str, Any]

NEGATED: Final = "negated"  # key of a draft of a relation that says whether the row denies it
ASTRAY: Final = "\0"  # in place of a column, why a row's key leads to no row; only what uses the row is rejected
NOTES: Final = "notes"  # key of a draft that says what was left out of it, and why
_LISTS: Final = {"texts", "ids"}
_MOST: Final = 2**63
_TRUE: Final = {"true", "t", "yes", "y", "1"}
_FALSE: Final = {"", "false", "f", "no", "n", "0"}
# By kind of rule, the kind of each value
_KINDS: Final = {
    rule: {name: key.kind for name, key in known.items()}
    for rule, known in {**keys.RULES, "sections": keys.FORMS["section"], "questions": keys.FORMS["question"]}.items()
}
# By kind of rule, what is not empty where it is asked for
_NEEDED: Final = {rule: {name for name, key in known.items() if key.required} for rule, known in keys.RULES.items()}
_NEEDED.update({"sections": set(), "questions": set()})
_NEEDED["entities"] |= {"label", "name"}
_PROPERTIES: Final = "properties."
_CALLED: Final = {"boolean": "true or false", "integer": "whole number"}
_MENDED: Final = {"published": mending.date, "title": mending.title, "doi": mending.doi}
_SYNONYMS: Final = ("synonyms", "narrow_synonyms", "broad_synonyms", "related_synonyms")


def drafts(rule: Rule, row: Cells) -> Iterator[Draft]:
    """Make what a rule gives for a row before it becomes records: with `each` one an item; none without `when`."""
    kinds, needed = _KINDS[rule.kind], _NEEDED[rule.kind]
    for bound in _bound(rule, row) if rule.each else (row,):
        if rule.when and not all(condition.holds(bound) for condition in rule.when):
            continue
        notes: list[str] = []
        draft: Draft = {NOTES: notes}
        for name, templates in rule.values.items():
            draft[name] = value = _value(kinds[name], name, templates, bound, notes)
            if not value and name in needed:
                raise RecordError(_nothing(name, templates, bound))
        for name, parts in rule.parts.items():
            drawn = (part for inner in parts for one in drafts(inner, bound) for part in _parted(one))
            draft[name] = tuple(part for part in drawn if part["text"])
        draft["properties"] = properties = {}
        for name, (kind, template) in rule.properties.items():
            if (value := _property(name, kind, template, bound, notes)) not in ("", (), None):
                properties[name] = value
        yield draft


def _parted(section: Draft) -> Iterator[Draft]:
    """Part a section that is given as HTML at the headings in it."""
    html = section.pop("html", "")
    if not html:
        yield {"text": "", **section}
        return
    for heading, text in lines.parts(lines.html(html)):
        yield {**section, "text": text, "heading": heading or section.get("heading", "")}


def _bound(rule: Rule, row: Cells) -> Iterator[Cells]:
    lists = [(cell,) if isinstance(cell := row.get(name, ""), str) else cell for name in rule.each]
    if len(lists) > 1 and any(isinstance(cell, Several) for cell in lists):
        raise RecordError(f"the columns {', '.join(rule.each)} hold lists of lists, whose items do not go together")
    if len({len(cell) for cell in lists}) > 1:
        counts = ", ".join(f"{name} {len(cell)}" for name, cell in zip(rule.each, lists, strict=True))
        raise RecordError(f"the columns of each: have different numbers of items ({counts}); they must go together")
    for items in zip(*lists, strict=True):
        if any(items):
            yield {**row, **dict(zip(rule.each, items, strict=True))}


def _value(kind: str, name: str, templates: tuple[Template, ...], row: Cells, notes: list[str]) -> Any:
    if kind in _LISTS:
        found = [text for template in templates for text in template.many(row)]
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)
    text = templates[0].one(row, whole=kind == "id")
    if kind == "truth":
        return _truth(name, text)
    if name in _MENDED and not (kind in {"text", "date"} and not templates[0].columns):
        return _MENDED[name](text, notes)
    return _number(name, text, notes) if kind == "number" else text


def _truth(name: str, text: str) -> bool:
    word = text.lower()
    if name == NEGATED and word == "not":
        return True
    if word not in _TRUE | _FALSE:
        raise RecordError(f"{name} is {text[:80]!r}, which is neither true nor false; translate it with map:")
    return word in _TRUE


def _number(name: str, text: str, notes: list[str]) -> float | None:
    try:
        number = float(text) if text else None
    except ValueError:
        number = math.nan
    if number is not None and not math.isfinite(number):
        notes.append(f"{name} is {text[:80]!r}, which is no finite number, and is left out")
        return None
    return number


def _property(name: str, kind: str, template: Template, row: Cells, notes: list[str]) -> Any:
    if kind == "texts":
        return tuple(dict.fromkeys(template.many(row)))
    text = template.one(row, whole=False)
    if not text or kind == "text":
        return text
    return _number(name, text, notes) if kind == "number" else _whole(name, kind, text, notes)


def _whole(name: str, kind: str, text: str, notes: list[str]) -> bool | int | str | None:
    """Read a truth or a whole number, which tables with gaps write as 1.0."""
    try:
        found = _truth(name, text) if kind == "boolean" else int(text.removesuffix(".0"))
    except (RecordError, ValueError):
        notes.append(f"{name} is {text[:80]!r}, which is no {_CALLED[kind]}, and is left out")
        return None
    if -_MOST <= found < _MOST:
        return found
    notes.append(f"{name} is a number of more than 64 bits, and is kept as a text")
    return text


def _nothing(name: str, templates: tuple[Template, ...], row: Cells) -> str:
    empty = [column for column in templates[0].columns if not row.get(column, "")]
    if not empty:
        return f"has no {name}"
    remedy = f"pass such rows over with when: {{{empty[0]}: {{empty: false}}}}"
    return f"has no {name}: the column {empty[0]!r} is empty; {remedy}"


class Gathered:
    """What the rows of a group say together."""

    def __init__(self) -> None:
        self._values: Draft = {}
        self._lists: dict[str, dict[str, Any]] = {}  # by what an item says, so that each stands once
        self._size = 0

    def add(self, draft: Draft) -> None:
        """Bring in what a further row says; where it disagrees, nothing of it, and an error."""
        flat = {name: value for name, value in draft.items() if name != "properties"}
        flat |= {_PROPERTIES + name: value for name, value in draft["properties"].items()}
        single = {n: v for n, v in flat.items() if not isinstance(v, tuple) and v not in (None, "") and v is not False}
        for name, value in single.items():
            if (before := self._values.get(name, value)) != value:
                said = f"says {name} is {str(value)[:80]!r}, and a row before it of the same group"
                raise RecordError(f"{said} {str(before)[:80]!r}; mend one")
        self._values |= single
        for name, value in flat.items():
            if isinstance(value, tuple):
                items = self._lists.setdefault(name, {})
                for item in value:
                    key = str(item)
                    if key not in items:
                        items[key] = item
                        self._size += len(key)
        if self._size > MAX_DOCUMENT:
            raise RecordError(f"its rows together have more than {MAX_DOCUMENT:,} characters; do not group them")

    def draft(self) -> Draft:
        """Give all of it as a draft for `build`."""
        flat = self._values | {name: tuple(items.values()) for name, items in self._lists.items()}
        properties = {name.removeprefix(_PROPERTIES): v for name, v in flat.items() if name.startswith(_PROPERTIES)}
        return {name: v for name, v in flat.items() if not name.startswith(_PROPERTIES)} | {"properties": properties}


def build(rule: Rule, draft: Draft) -> Entity | Relation | Document:
    """Make a record; raises `RecordError` where it breaks a rule of the graph."""
    said = {name: value for name, value in draft.items() if value not in ("", (), {}, None)}
    if "properties" in said:
        said["properties"] = tuple(sorted(said["properties"].items()))
    if rule.kind == "relations":
        return Relation(**said)
    if rule.kind == "entities":
        for name in _SYNONYMS:
            if name in said:
                said[name] = tuple(text for text in said[name] if text.lower() != said.get("name", "").lower())
        return Entity(**said)
    if "sections" in said:
        said["sections"] = tuple(_section(said["id"], n, part) for n, part in enumerate(said["sections"], 1))
    if "questions" in said:
        said["questions"] = tuple(_question(said["id"], n, part) for n, part in enumerate(said["questions"], 1))
    return Document(**said)


def _section(document: str, number: int, part: Draft) -> Section:
    own, kind = part.get("id") or f"{document}#{number}", section_type(part.get("type", ""))
    return Section(own, part["text"], kind, part.get("heading", ""), part.get("question", ""))


def _question(document: str, number: int, part: Draft) -> Question:
    return Question(part.get("id") or f"{document}#q{number}", part["text"], section_type(part.get("type", "")))


def alone(kind: str, draft: dict[str, Any]) -> dict[str, Any]:
    """Make a draft whole that needs others for its name, or its text."""
    if kind == "documents":
        return {"title": mending.UNTITLED, "url": "of another row"} | draft
    if draft.get("label") and draft.get("name"):
        return draft
    return {key: value for key, value in draft.items() if key not in {"label", "name"}}


_DONE: Final = 1 << 15  # So many rows' cells are known to have been read by a rule


class Unique:
    """A rule, and the cells of which it made records without a word to say: the same again make the same."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._columns = sorted(rule.columns() | {ASTRAY})
        self._done: set[tuple[Cell, ...]] = set()

    def is_new(self, row: Cells) -> bool:
        """Tell whether a row has other cells."""
        return tuple([row.get(column, "") for column in self._columns]) not in self._done

    def done(self, row: Cells) -> None:
        """Note that records were made of a row."""
        if len(self._done) >= _DONE:
            self._done.clear()
        self._done.add(tuple([row.get(column, "") for column in self._columns]))
