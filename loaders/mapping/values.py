"""Values of a mapping: templates such as `DOID:{id}`, steps that change what a cell says, and conditions on cells."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import TYPE_CHECKING, Final, TypeAlias

from ...errors import RecordError
from ...schema import prefixes
from ...text import did_you_mean
from ..files import lines, marks
from ..files.cell_values import items, slug
from ..files.nested import Cell, Nested, Several
from ..mending import partial_date

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Cells = Mapping[str, Cell]
    Step: TypeAlias = "Callable[[str], str] | ListStep"

_MARKUP: Final = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class ListStep:
    """A step that makes one text of a list."""

    of: Callable[[Sequence[str]], str]


def as_text(said: str) -> str:
    """Give the text of an element that has elements in it; any other text as it is."""
    return said.text if isinstance(said, Nested) else said


def html_text(said: str) -> str:
    """Give the text of HTML, with entities read; what has no markup stays as it is."""
    return lines.plain(lines.html(said)) if _MARKUP.search(said) else said


def dated(form: str) -> Callable[[str], str]:
    """Make a step that reads dates of a form such as `%m/%d/%Y`; what is none stays as it is."""

    def step(text: str) -> str:
        with suppress(ValueError):
            return datetime.strptime(text, form).date().isoformat()  # a date has no zone
        return text

    return step


def joined(between: str) -> ListStep:
    """Make a step that writes what a list holds one behind the other."""
    return ListStep(lambda items: between.join(filter(None, items)))


# Steps without a setting, each with what it gives; also inside a template, as in `mine:{name|slug}`.
STEPS: Final[dict[str, tuple[Step, str]]] = {
    "strip": (str.strip, "cuts off blanks around it"),
    "lower": (str.lower, "small letters"),
    "upper": (str.upper, "capital letters"),
    "slug": (slug, "small letters, digits and hyphens, to make an id of a name"),
    "curie": (
        prefixes.curie,
        "the standard CURIE of an id, a URI or a short form (HP_0002099); kept where its prefix is unknown",
    ),
    "marks": (marks.written, "10⁵ for 10<sup>5</sup>, H2O for H<sub>2</sub>O"),
    "text": (as_text, "all text of an element of XML in reading order, with line ends between paragraphs"),
    "html": (html_text, "the text of HTML, with line ends between paragraphs"),
    "first": (ListStep(lambda items: next(filter(None, items), "")), "the first item of a list"),
    "last": (ListStep(lambda items: next(filter(None, reversed(items)), "")), "the last item of a list"),
    "date": (partial_date, "the ISO date of 27 October 2025, or as much of it as there is"),
    "local": (lambda text: text.rpartition(":")[2], "what stands after the prefix of a CURIE"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A column in a template, with the steps that change its cell."""

    column: str
    steps: tuple[Step, ...]

    @property
    def takes_lists(self) -> bool:
        """Whether one of the steps makes one text of a list."""
        return any(isinstance(step, ListStep) for step in self.steps)

    def of(self, row: Cells) -> str:
        """Give what the column's cell becomes; a list is an error, for the template makes one text."""
        cell = row.get(self.column, "")
        cell = changed(self.steps, cell) if self.steps else cell
        if not isinstance(cell, str):
            said = f"the column {self.column!r} holds a list where one text is needed"
            remedy = f"say each: {self.column} beside it, or make one text of it with the step first, last or join"
            raise RecordError(f"{said}; {remedy}")
        if isinstance(cell, Nested):
            raise RecordError(_holds(cell, f"the column {self.column!r}"))
        return cell


def _holds(held: Nested, what: str) -> str:
    remedy = "; take its text with the step text" if held.text else ""
    return f"{what} holds {held[:80]} where a text is wanted{remedy}"


@dataclass(frozen=True, slots=True)
class Template:
    """A text with columns in it: texts and columns in order, and the columns' names."""

    parts: tuple[str | Part, ...]
    columns: tuple[str, ...]
    steps: tuple[Callable[[str], str], ...] = ()
    plain: str = ""  # the column, where it is nothing else

    def one(self, row: Cells, *, whole: bool) -> str:
        """Fill it with a row; one empty cell makes it empty if `whole`, as in an id, otherwise only if all are."""
        if self.plain and type(cell := row.get(self.plain, "")) is str:
            return cell
        texts, used, empty = [], 0, 0
        for part in self.parts:
            if isinstance(part, str):
                texts.append(part)
                continue
            text = part.of(row)
            texts.append(text)
            used += 1
            empty += not text
        text = "" if empty and (whole or empty == used) else "".join(texts)
        return reduce(lambda said, step: _stepped(step, said), self.steps, text) if self.steps else text

    def many(self, row: Cells) -> Iterator[str]:
        """Fill it once for each item of the lists in its columns; those of several columns go together."""
        if self.plain:
            cell = row.get(self.plain, "")
            for item in (cell,) if isinstance(cell, str) else cell:
                if text := item if type(item) is str else self.one({self.plain: item}, whole=True):
                    yield text
            return
        parts = (part for part in self.parts if isinstance(part, Part) and not part.takes_lists)
        lists = {part.column: cell for part in parts if not isinstance(cell := row.get(part.column, ""), str)}
        if len(lists) > 1 and any(isinstance(cell, Several) for cell in lists.values()):
            raise RecordError(f"the columns {', '.join(lists)} hold lists of lists, whose items do not go together")
        if len({len(cell) for cell in lists.values()}) > 1:
            said = " and ".join(f"{name!r} ({len(cell)} items)" for name, cell in lists.items())
            raise RecordError(f"the columns {said} hold lists of different lengths; their items must go together")
        for together in zip(*lists.values(), strict=True) if lists else [()]:
            if text := self.one({**row, **dict(zip(lists, together, strict=True))}, whole=True):
                yield text


def parse_template(text: str) -> Template:
    """Read a template such as `DOID:{id}` or `{name|slug}`; `{{` and `}}` stand for braces."""
    parts: list[str | Part] = []
    place = 0
    for found in _PART.finditer(text):
        parts.append(text[place : found.start()])
        place = found.end()
        if found[0] in {"{{", "}}"}:
            parts.append(found[0][0])
        elif found[1] is None:
            raise RecordError(f"has a {found[0]} without its other half; write {found[0] * 2} for the character itself")
        else:
            parts.append(_part(found[1]))
    parts.append(text[place:])
    columns = tuple(part.column for part in parts if isinstance(part, Part))
    kept = tuple(part for part in parts if part != "")
    plain = columns[0] if len(kept) == 1 and isinstance(kept[0], Part) and not kept[0].steps else ""
    return Template(kept, columns, plain=plain)


def _part(text: str) -> Part:
    column, *steps = (word.strip() for word in text.split("|"))
    if not column:
        raise RecordError("has {} without the name of a column")
    for step in steps:
        if step not in STEPS:
            raise RecordError(f"has the unknown step {step!r}{did_you_mean(step, STEPS)}")
    return Part(column, tuple(STEPS[step][0] for step in steps))


def changed(steps: tuple[Step, ...], cell: Cell) -> Cell:
    """Let steps change a text, or each item of a list, in order; what is empty stays so."""
    for step in steps:
        if isinstance(step, ListStep):
            cell = step.of((cell,) if isinstance(cell, str) else cell)
        elif isinstance(cell, str):
            cell = _stepped(step, cell)
        else:
            cell = type(cell)(_stepped(step, item) for item in cell)
    return cell


def _stepped(step: Callable[[str], str], text: str) -> str:
    if isinstance(text, Nested) and step is not as_text:
        raise RecordError(_holds(text, "it"))
    return step(text) if text else text


def extract(pattern: re.Pattern[str]) -> Step:
    """Make a step that takes out a pattern's first group, or all that it finds."""

    def step(text: str) -> str:
        found = pattern.search(text)
        return (found[1 if pattern.groups else 0] or "") if found else ""

    return step


def replaced(words: Mapping[str, str]) -> Step:
    """Make a step that puts texts in the place of others."""

    def step(text: str) -> str:
        for old, new in words.items():
            text = text.replace(old, new)
        return text

    return step


def translate(words: Mapping[str, str], otherwise: str | None) -> Step:
    """Make a step that translates whole cells; others become `otherwise`, and are rejected without it."""

    def step(text: str) -> str:
        found = words.get(text, otherwise)
        if found is None:
            known = ", ".join(words)[:300]
            raise RecordError(f"{text[:80]!r} is not in the map, which has {known}; add it, or an else:")
        return found

    return step


@dataclass(frozen=True, slots=True)
class Column:
    """What a mapping says of a column: its name there, its heading in the table, and steps for each item.

    `split` stands between items; it is `list` for one as JSON or Python prints it, and empty for one text. With `join`
    between them items become one text.
    """

    name: str
    heading: str
    split: str = ""
    steps: tuple[Step, ...] = ()
    optional: bool = False
    join: str = ""

    def cell(self, cell: Cell, *, strip: bool, nothing: frozenset[str]) -> Cell:
        """Give the text of a cell, or its items, empty and repeated ones too, as those side by side may go together."""
        if self.split and isinstance(cell, str) and not isinstance(cell, Nested):
            cell = self._parts(cell)
        found = changed(self.steps, cleaned(cell, strip=strip, nothing=nothing))
        return found if isinstance(found, str) or not self.join else self.join.join(filter(None, found))

    def _parts(self, cell: str) -> tuple[str, ...]:
        if not cell.strip():
            return ()
        return items(cell) if self.split == "list" else tuple(cell.split(self.split))


def cleaned(cell: Cell, *, strip: bool, nothing: frozenset[str]) -> Cell:
    """Cut off blanks, and empty what stands for nothing."""
    if type(cell) is str:
        plain = cell.strip() if strip else cell
        return "" if plain in nothing else plain
    if not isinstance(cell, str):
        return type(cell)([cleaned(item, strip=strip, nothing=nothing) for item in cell])  # type: ignore[misc]
    return cell


@dataclass(frozen=True, slots=True)
class Condition:
    """What a column has to say for a row to count; of a list, one item that does is enough; None for anything."""

    column: str
    among: frozenset[str] | None = None
    besides: frozenset[str] = frozenset()
    empty: bool | None = None
    matches: re.Pattern[str] | None = None

    def holds(self, row: Cells) -> bool:
        """Look whether a row fulfils it."""
        cell = row.get(self.column, "")
        items = (cell,) if isinstance(cell, str) else cell or ("",)
        if self.empty is not None and self.empty == any(items):
            return False
        if (self.among is not None and self.among.isdisjoint(items)) or not self.besides.isdisjoint(items):
            return False
        return self.matches is None or any(self.matches.search(item) for item in items)
