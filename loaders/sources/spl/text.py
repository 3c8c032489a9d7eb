"""Writes the marked text of a label's section as lines: paragraphs, items of lists, rows of tables, names of images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...files import marks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from xml.etree.ElementTree import Element

    Cells = list[tuple[str, bool]]

NAMESPACE: Final = "{urn:hl7-org:v3}"

_LINK, _LINK_END = "\ue000", "\ue001"  # mark what is a link in the file, until cross-references are left out
_INSIDE: Final = r"[^\[\]()]{0,400}(?:\([^()]{0,200}\)[^\[\]()]{0,400}){0,12}"
_REFERENCE: Final = re.compile(rf"\s*[\[(]\s*(?:also )?(?:see|refer to)\b{_INSIDE}[\])]", re.IGNORECASE)
_UNCLOSED: Final = re.compile(
    r"\s*\[\s*see(?=[A-Z\s])[^\[\]().\n]{0,200}(?:\([^()\n]{0,60}\)[^\[\]().\n]{0,200}){0,6}\]?"
)
_LINKS: Final = re.compile(rf"\s*[\[(](?:{_LINK}[^{_LINK_END}]*{_LINK_END}|[\s,;]|\band\b)+[\])]")
_EMPTY: Final = re.compile(r"\s*\[(?:and|[,;\s])*\]")
_BEFORE_STOP: Final = re.compile(r" +([.,;:])(?=\s|$)")
_BULLET: Final = re.compile(r"^(?:[•●○◦▪■·*\u2013-]|o(?=\s))\s*")
_STUCK: Final = re.compile(r"(?<=[a-z]):(?=[A-Z])")
_IMAGES: Final = re.compile(r"(?:\[Image[^\]]*\]\s*)+")
_PROSE: Final = 240  # characters of a cell that is prose, where its table has no header


def without_references(text: str) -> str:
    """Leave out what only points to another section: `[see Warnings (5.1)]`, `(see PRECAUTIONS)`."""
    plain = text
    if "see" in text or "See" in text or "efer to" in text or "SEE" in text:
        plain = _REFERENCE.sub("", plain)
    if _LINK in plain:
        plain = _LINKS.sub("", plain).replace(_LINK, "").replace(_LINK_END, "")
    if "[" in plain:
        plain = _EMPTY.sub("", _UNCLOSED.sub("", plain))
    return text if plain == text else _BEFORE_STOP.sub(r"\1", plain)


def text_of(node: Element | None, images: Mapping[str, str]) -> str:
    """Write a marked text as lines, with an empty one between paragraphs, lists and tables.

    `images` says by its id what each image shows, or the name of its file.
    """
    if node is None:
        return ""
    writer = _Writer(images)
    writer.walk(node)
    return without_references("\n".join(writer.ended())).strip()


def is_images(text: str) -> bool:
    """Tell whether a text names images and says nothing else."""
    return _IMAGES.fullmatch(text) is not None


def plain(node: Element | None) -> str:
    """Give the text of an element in one line."""
    return " ".join(text_of(node, {}).split())


def local(node: Element) -> str:
    """Give the name of an element without its namespace."""
    return node.tag.rpartition("}")[2]


class _Writer:
    def __init__(self, images: Mapping[str, str]) -> None:
        self._images = images
        self._lines: list[str] = []
        self._line: list[str] = []
        self._notes: list[str] = []

    def ended(self) -> list[str]:
        """Give the lines, with the footnotes behind them."""
        self._end_block()
        notes, self._notes = self._notes, []
        return [*self._lines, *notes]

    def walk(self, node: Element) -> None:
        """Write what stands in an element."""
        self._add(node.text)
        for child in node:
            self._child(child)
            self._add(child.tail)

    def _child(self, child: Element) -> None:
        name = local(child)
        if name == "br":
            self._end_line()
        elif name == "paragraph":
            self._end_block()
            self.walk(child)
            self._end_block()
        elif name == "list":
            self._block(self._items(child))
        elif name == "table":
            self._block(self._table(child))
        elif name in {"sup", "sub"}:
            said, before = "".join(child.itertext()), self._line.pop().rstrip() if self._line else ""
            self._add(before)
            self._add(marks.raised(said) if name == "sup" else marks.lowered(said, before, child.tail or ""))
        elif name == "renderMultiMedia":
            shown = self._images.get(child.get("referencedObject", ""), "")
            self._block([f"[Image: {shown}]" if shown else "[Image]"])
        elif name == "footnote":
            self._notes += [f"Note: {line}" for line in self._inner(child)]
        elif name == "linkHtml":
            self._add(_LINK)
            self.walk(child)
            self._add(_LINK_END)
        elif name != "footnoteRef":
            self.walk(child)

    def _add(self, text: str | None) -> None:
        if text:
            self._line.append(text)

    def _end_line(self) -> None:
        if line := " ".join("".join(self._line).split()):
            self._lines.append(_STUCK.sub(": ", line))
        self._line.clear()

    def _end_block(self) -> None:
        self._end_line()
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def _block(self, lines: Sequence[str]) -> None:
        # An introduction and its list stay together.
        self._end_line()
        if (
            lines
            and lines[0].startswith("- ")
            and self._lines
            and not self._lines[-1]
            and self._lines[-2].endswith(":")
        ):
            self._lines.pop()
        self._lines += lines
        self._end_block()

    def _inner(self, node: Element) -> list[str]:
        inner = _Writer(self._images)
        inner.walk(node)
        return [line for line in inner.ended() if line]

    def _items(self, node: Element) -> list[str]:
        lines = []
        ordered = node.get("listType") == "ordered"
        for number, item in enumerate((one for one in node if local(one) == "item"), 1):
            first, *rest = self._inner(item) or [""]
            if first := _BULLET.sub("", first, count=1).strip() if not first.startswith("- ") else first[2:]:
                lines.append(f"{number}. {first}" if ordered else f"- {first}")
                lines += [f"  {line}" for line in rest]
        captions = [one for one in node if local(one) == "caption"]
        return [line for one in captions for line in self._inner(one)] + lines

    def _table(self, node: Element) -> list[str]:
        captions = [line for one in node if local(one) == "caption" for line in self._inner(one)]
        rows, heads, feet = [], 0, []
        for part in node:
            if local(part) in {"thead", "tbody"}:
                found = [row for row in part if local(row) == "tr"]
                heads += len(found) if local(part) == "thead" else 0
                rows += found
            elif local(part) == "tfoot":
                feet += [line for cell in part.iter() if local(cell) in {"td", "th"} for line in self._inner(cell)]
        grid = self._grid(rows)
        heads = heads or _heads(rows, grid)
        width = max(map(len, grid), default=0)
        cells = [cell for row in rows for cell in row]
        if not heads and (width < 2 or len(rows) < 2 or any(len("".join(one.itertext())) > _PROSE for one in cells)):
            body = [line for cell in cells for line in (*self._inner(cell), "")]
        else:
            header = [_joined([row[place][0] for row in grid[:heads] if place < len(row)]) for place in range(width)]
            body = [line for row in grid[heads:] if (line := _row(row, header))]
        return [*captions, *body, *feet]

    def _grid(self, rows: Sequence[Element]) -> list[Cells]:
        """Lay cells out, each with whether it stands there itself, not as part of one that spans columns."""
        grid: list[Cells] = []
        below: dict[int, tuple[int, str]] = {}
        for row in rows:
            line: Cells = []
            cells = iter(row)
            while True:
                if (waiting := below.get(len(line))) and waiting[0]:
                    below[len(line)] = (waiting[0] - 1, waiting[1])
                    line.append((waiting[1], True))
                    continue
                if (cell := next(cells, None)) is None:
                    break
                lines = self._inner(cell)
                items = [line.strip().removeprefix("- ") for line in lines]
                said = (", " if any(line.startswith("- ") for line in lines) else " ").join(items)
                for place in range(_span(cell, "colspan")):
                    below[len(line)] = (_span(cell, "rowspan") - 1, said)
                    line.append((said, not place))
            grid.append(line)
        return grid


def _span(cell: Element, name: str) -> int:
    said = cell.get(name, "1")
    return min(max(int(said), 1), 100) if said.isdecimal() else 1


def _heads(rows: Sequence[Element], grid: Sequence[Cells]) -> int:
    if len(rows) < 2 or len(grid[0]) < 2:
        return 0
    if all(local(cell) == "th" for cell in rows[0]) or (not grid[0][0][0] and all(said for said, _ in grid[0][1:])):
        return 1
    return int(all(said for said, _ in grid[0]) and all(_is_bold(cell) for cell in rows[0]))


def _is_bold(cell: Element) -> bool:
    bold = [one for one in cell.iter(f"{NAMESPACE}content") if "bold" in one.get("styleCode", "").lower()]
    return "".join("".join(bold[0].itertext()).split()) == "".join("".join(cell.itertext()).split()) if bold else False


def _joined(parts: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(filter(None, parts))).rstrip(":")


def _row(cells: Cells, header: Sequence[str]) -> str:
    said = []
    for place, (cell, own) in enumerate(cells):
        if cell and own:
            head = header[place] if place < len(header) else ""
            said.append(f"{head}: {cell}" if head and head != cell and any(one != cell for one, _ in cells) else cell)
    return "; ".join(said)
