"""Writes the marked text of a label's section as lines: paragraphs, items of lists, rows of tables, names of images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...files import grids, marks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from xml.etree.ElementTree import Element

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
        rows: list[list[grids.Cell]] = []
        heads, feet = 0, []
        for part in node:
            if local(part) in {"thead", "tbody"}:
                found = [[self._cell(cell) for cell in row] for row in part if local(row) == "tr"]
                heads += len(found) if local(part) == "thead" else 0
                rows += found
            elif local(part) == "tfoot":
                feet += [line for cell in part.iter() if local(cell) in {"td", "th"} for line in self._inner(cell)]
        return [*captions, *grids.lines_of(rows, heads), *feet]

    def _cell(self, node: Element) -> grids.Cell:
        lines, (across, down) = self._inner(node), map(grids.span, (node.get("colspan"), node.get("rowspan")))
        return grids.Cell(lines, across, down, local(node) == "th" or (bool(lines) and _is_bold(node)))


def _is_bold(cell: Element) -> bool:
    bold = [one for one in cell.iter(f"{NAMESPACE}content") if "bold" in one.get("styleCode", "").lower()]
    return "".join("".join(bold[0].itertext()).split()) == "".join("".join(cell.itertext()).split()) if bold else False
