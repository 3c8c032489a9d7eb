"""Writes marked text as lines, whatever marks it: HTML, JATS, labels of HL7.

Paragraphs, items of lists and rows of tables (`Column: value; …`) get a line each, blocks an empty one between them.
Elements may be lxml's or the standard library's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from . import grids, marks
from .xml_stream import local

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARAGRAPHS: Final = frozenset("paragraph p div title section blockquote disp-quote dt dd".split())
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_HIDDEN: Final = frozenset({"script", "style", "head", "template"})
_HEADING, _HEADED = "\ue002", "\ue003"  # stand around a heading until the page is parted
_LISTS: Final = frozenset({"list", "ul", "ol"})
_ITEMS: Final = frozenset({"item", "li", "list-item"})
_CAPTIONS: Final = frozenset({"caption", "title"})  # of a list or a table
_UNORDERED: Final = frozenset({"", "unordered", "bullet", "simple"})
_BULLET: Final = re.compile(r"^(?:[•●○◦▪■·*\u2013-]|o(?=\s))\s*")
_STUCK: Final = re.compile(r"(?<=[a-z]):(?=[A-Z])")


class Lines:
    """Lines of what was walked; a format says in `special` what else its elements mean."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._notes: list[str] = []
        self.depth = 0  # of the text in texts: 1 outside lists and tables

    def special(self, element: Any, name: str) -> bool:  # noqa: ARG002
        """Write an element that only this format has; `False` where it has none of this name."""
        return False

    def text(self, node: Any) -> str:
        """Write an element by itself; empty for none, and a `RecordError` for one that is nested too deep."""
        if node is None:
            return ""
        try:
            return "\n".join(self._within(node)).strip()
        except RecursionError as error:
            raise RecordError("its elements are nested too deep") from error

    def ended(self) -> list[str]:
        """Give the lines, with the footnotes behind them."""
        self.end_block()
        notes, self._notes = self._notes, []
        return [*self._lines, *notes]

    def walk(self, node: Any) -> None:
        """Write what stands in an element."""
        self.add(node.text)
        for child in node:
            if not isinstance(child.tag, str):
                self.add(marks.reference(child))
            else:
                self.write(child)
            self.add(child.tail)

    def write(self, child: Any) -> None:
        """Write an element as what it is."""
        name = local(child)
        if self.special(child, name):
            return
        if name in {"br", "break"}:
            self._end_line()
        elif name in _PARAGRAPHS:
            self.paragraph(child)
        elif name in _LISTS:
            self.block(self._items(child, name))
        elif name == "table":
            self.block(self._table(child))
        elif name in {"sup", "sub"}:
            self._script(child, name)
        elif name == "math":
            self.add(marks.text_of(child))
        else:
            self.walk(child)

    def _script(self, child: Any, name: str) -> None:
        said, before = marks.text_of(child), self._line.pop().rstrip() if self._line else ""
        self.add(before)
        self.add(marks.raised(said) if name == "sup" else marks.lowered(said, before, child.tail or ""))

    def add(self, text: str | None) -> None:
        """Write into the line."""
        if text:
            self._line.append(text)

    def note(self, node: Any) -> None:
        """Keep an element as a footnote, which stands behind the lines."""
        self._notes += [f"Note: {line}" for line in self.inner(node)]

    def paragraph(self, node: Any) -> None:
        """Write an element as a block of its own."""
        self.end_block()
        self.walk(node)
        self.end_block()

    def _end_line(self) -> None:
        if line := " ".join("".join(self._line).split()):
            self._lines.append(_STUCK.sub(": ", line))
        self._line.clear()

    def end_block(self) -> None:
        """End the line, and put an empty one behind it."""
        self._end_line()
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def block(self, lines: Sequence[str]) -> None:
        """Write lines as a block; an introduction and its list stay together."""
        self._end_line()
        if lines and lines[0].startswith("- ") and self._lines[-1:] == [""] and self._lines[-2].endswith(":"):
            self._lines.pop()
        self._lines += lines
        self.end_block()

    def inner(self, node: Any) -> list[str]:
        """Give the lines of an element by itself, without empty ones."""
        return [line for line in self._within(node) if line]

    def _within(self, node: Any) -> list[str]:
        kept = self._lines, self._line, self._notes
        self._lines, self._line, self._notes = [], [], []
        self.depth += 1
        self.walk(node)
        self.depth -= 1
        lines = self.ended()
        self._lines, self._line, self._notes = kept
        return lines

    def _items(self, node: Any, name: str) -> list[str]:
        lines: list[str] = []
        ordered = name == "ol" or (node.get("listType") or node.get("list-type") or "") not in _UNORDERED
        number = 0
        for part in elements_of(node):
            kind = local(part)
            if kind in _LISTS:  # a list below no item belongs to the one before it
                lines += [f"  {line}" for line in self._items(part, kind)]
            elif kind in _ITEMS:
                number += 1
                first, *rest = self.inner(part) or [""]
                if first := _BULLET.sub("", first, count=1).strip() if not first.startswith("- ") else first[2:]:
                    lines.append(f"{number}. {first}" if ordered else f"- {first}")
                    lines += [f"  {line}" for line in rest]
        return [line for one in elements_of(node) if local(one) in _CAPTIONS for line in self.inner(one)] + lines

    def _table(self, node: Any) -> list[str]:
        captions = [line for one in elements_of(node) if local(one) in _CAPTIONS for line in self.inner(one)]
        rows: list[list[grids.Cell]] = []
        heads, feet = 0, []
        for part in elements_of(node):
            name = local(part)
            if name == "tr":
                rows.append(self._cells(part))
            elif name in {"thead", "tbody"}:
                found = [self._cells(row) for row in elements_of(part) if local(row) == "tr"]
                heads += len(found) if name == "thead" else 0
                rows += found
            elif name == "tfoot":
                feet += [line for cell in part.iter() if local(cell) in {"td", "th"} for line in self.inner(cell)]
        return [*captions, *grids.lines_of(rows, heads), *feet]

    def _cells(self, row: Any) -> list[grids.Cell]:
        return [
            grids.Cell(
                lines := self.inner(cell),
                grids.span(cell.get("colspan")),
                grids.span(cell.get("rowspan")),
                heads=local(cell) == "th" or (bool(lines) and _is_bold(cell)),
            )
            for cell in elements_of(row)
        ]


def html(said: str) -> Any:
    """Read HTML, whole or a part, as an element of lxml; nothing is fetched. Too deep a nesting is an error."""
    from lxml import etree

    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    root = etree.HTML(f"<div>{said}</div>", parser)
    if any(fault.level == etree.ErrorLevels.FATAL for fault in parser.error_log):
        raise RecordError("its HTML is nested too deep to be read")
    return root


def parts(root: Any) -> list[tuple[str, str]]:
    """Give the parts of a page, each with its heading, or an empty one before the first; empty parts are left out."""
    said = _Page().text(root)
    found = [part.partition(_HEADED) for part in f"{_HEADED}{said}".split(_HEADING)]
    return [(heading.strip(), text.strip()) for heading, _, text in found if text.strip()]


def plain(root: Any) -> str:
    """Give the text of an element, a line for each paragraph, heading, item and row, without marks of lists."""
    said = (part for heading, text in parts(root) for part in (heading, *text.splitlines()))
    return "\n".join(filter(None, (line.strip().removeprefix("- ") for line in said)))


class _Page(Lines):
    def special(self, element: Any, name: str) -> bool:
        if name not in _HEADINGS:
            return name in _HIDDEN
        if self.depth > 1:
            self.paragraph(element)
        elif heading := " ".join(self.inner(element)):
            self.block([f"{_HEADING}{heading}{_HEADED}"])
        return True


def elements_of(node: Iterable[Any]) -> list[Any]:
    """Give the children of an element that are elements, not comments."""
    return [child for child in node if isinstance(child.tag, str)]


def _is_bold(cell: Any) -> bool:
    def marked(one: Any) -> bool:
        style = (one.get("styleCode") or "").lower() if local(one) == "content" else ""
        return local(one) in {"b", "bold", "strong"} or "bold" in style

    bold = next(filter(marked, cell.iter()), None)
    return bold is not None and "".join("".join(bold.itertext()).split()) == "".join("".join(cell.itertext()).split())
