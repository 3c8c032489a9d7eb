"""Pictures as SVG: as a file of its own, or as part of a page with a strict Content-Security-Policy.

Inside a page there is no colour in it: classes take them from the page's style sheet (`palette.stylesheet`).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from .. import files
from ..errors import InputError
from . import captions, palette
from .graph import (
    CAPTION_HEIGHT,
    CAPTION_SIZE,
    LINE_HEIGHT,
    MORE,
    MOST_TEXT,
    NAME_SIZE,
    NAMELESS,
    NOTE_SIZE,
    PART_GAP,
    PART_HEIGHT,
    RING,
    part_columns,
)
from .layout import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from .graph import Box, Edge, Node, Part, Picture, Point, Route


FONT: Final = "Open Sans"
FAMILIES: Final = f"{FONT}, Segoe UI, Helvetica Neue, Helvetica, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is set."""

    kind: str
    size: float
    anchor: str = "start"
    weight: int = 400
    halo: bool = False


_HEADING: Final = _Style("heading", 17.0, weight=600)
_NAME: Final = _Style("name", NAME_SIZE, "middle", 600)
_NOTE: Final = _Style("note", NOTE_SIZE, "middle")
_PART: Final = _Style("note", NOTE_SIZE, weight=600)
_COUNT: Final = _Style("note", NOTE_SIZE, "end")
_CAPTION: Final = _Style("caption", CAPTION_SIZE, "middle", halo=True)
_REMARK: Final = _Style("remark", NOTE_SIZE)

_MARGIN: Final = 24.0
_CORNER: Final = 8.0
# How much higher the upper line of a caption stands: the marks that join its words would touch the way.
_LIFT: Final = 1.5
_LEAST_WIDTH: Final = 360.0
_REMARK_WIDTH: Final = 540.0
_MOST_NAME: Final = 120
_MOST_REMARK: Final = 1200
_EMPTY: Final = "There is nothing to show yet."
_DASHED: Final = ' stroke-dasharray="4 3"'
_LINES: Final = {
    "solid": 'stroke-width="1.4"',
    "dashed": 'stroke-width="1.4" stroke-dasharray="7 4"',
    "bold": 'stroke-width="3"',
    "dotted": 'stroke-width="1.4" stroke-dasharray="1.5 4"',
}
_SAMPLE: Final = 44.0  # how long a line of the legend is
_LINK: Final = re.compile(r"https?://[^\s]+|/(?!/)[^\s\\]*", re.IGNORECASE)


def draw(picture: Picture, *, standalone: bool = True) -> str:
    """Draw a picture as SVG, with no style attribute, no style element and no script.

    Args:
        standalone: As a file with colours, a background and its title; otherwise to stand inside a page, styled by it.
    """
    return _Drawing(picture, standalone).text()


class _Drawing:
    """One drawing on its way to text."""

    def __init__(self, picture: Picture, standalone: bool) -> None:
        self._picture = picture
        self._standalone = standalone
        self._layout = place(picture)
        self._nodes = {node.id: node for node in picture.nodes}
        self._names = {node.id: captions.clean(node.title or node.caption) or NAMELESS for node in picture.nodes}
        self._title = captions.clean(picture.title)
        remarks = picture.remarks if picture.nodes else (_EMPTY,)
        self._wide = self._width(remarks)
        room = self._wide - 2 * _MARGIN
        self._remarks = [line for text in remarks for line in captions.paragraph(text, room, _REMARK.size)]

    def text(self) -> str:
        """Write the drawing."""
        layout = self._layout
        head = _HEADING.size + 20 if self._standalone else 0.0
        rows = len(self._picture.legend) + len(self._remarks)
        foot = LINE_HEIGHT * rows + 10 if rows else 0.0
        wide, high = self._wide, layout.size[1] + 2 * _MARGIN + head + foot
        dx, dy = (wide - layout.size[0]) / 2 - layout.corner[0], _MARGIN + head - layout.corner[1]
        remarks = [
            self._text(_REMARK, _MARGIN, high - _MARGIN - LINE_HEIGHT * below, line, palette.QUIET)
            for below, line in zip(range(len(self._remarks) - 1, -1, -1), self._remarks, strict=True)
        ]
        body = [
            f'<g transform="translate({_n(dx)} {_n(dy)})">',
            *(self._edge(route) for route in layout.routes),
            *(self._node(box) for box in layout.boxes),
            *(self._caption(route) for route in layout.routes if route.lines),
            "</g>",
        ]
        legend = self._legend(high - _MARGIN - LINE_HEIGHT * (rows - 1))
        return "\n".join([*self._begin(wide, high), *body, *legend, *remarks, "</svg>", ""])

    def _legend(self, first: float) -> Iterator[str]:
        paint = f' stroke="{palette.LINE}"' if self._standalone else ""
        for number, (line, text) in enumerate(self._picture.legend):
            y = first + LINE_HEIGHT * number
            way = f"M{_n(_MARGIN)} {_n(y - 4)}L{_n(_MARGIN + _SAMPLE)} {_n(y - 4)}"
            words = captions.shorten(text, self._wide - 2 * _MARGIN - _SAMPLE - 10, _REMARK.size)
            yield (
                f'<g class="edge"><path d="{way}" fill="none" {_LINES[line]}{paint}/></g>'
                + self._text(_REMARK, _MARGIN + _SAMPLE + 10, y, words, palette.QUIET)
            )

    def _width(self, remarks: Iterable[str]) -> float:
        least = max(self._layout.size[0], _LEAST_WIDTH)
        widths = [
            min(captions.width(captions.clean(text), _REMARK.size), max(least, _REMARK_WIDTH)) for text in remarks
        ]
        widths += [
            _SAMPLE + 10 + min(captions.width(captions.clean(text), _REMARK.size), _REMARK_WIDTH)
            for _, text in self._picture.legend
        ]
        if self._standalone:
            widths.append(min(captions.width(self._title, _HEADING.size), least * 1.5))
        return max([least, *widths]) + 2 * _MARGIN

    def _begin(self, wide: float, high: float) -> list[str]:
        description = self._described()
        mark = hashlib.blake2b(f"{self._title}\n{description}".encode(), digest_size=6).hexdigest()
        # Screen readers pass over whatever is in an image, links too.
        role = "group" if any(_href(node) or any(map(_href, node.parts)) for node in self._picture.nodes) else "img"
        lines = ['<?xml version="1.0" encoding="UTF-8"?>'] if self._standalone else []
        lines += [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide)}" height="{_n(high)}" '
            f'viewBox="0 0 {_n(wide)} {_n(high)}" class="picture" role="{role}" '
            f'aria-labelledby="t{mark}" aria-describedby="d{mark}" font-family="{FAMILIES}">',
            f'<title id="t{mark}">{escape(self._title)}</title>',
            f'<desc id="d{mark}">{escape(description)}</desc>',
        ]
        if self._standalone:
            lines.append(f'<rect width="{_n(wide)}" height="{_n(high)}" fill="{palette.PAGE}"/>')
            title = captions.shorten(self._title, wide - 2 * _MARGIN, _HEADING.size)
            lines.append(self._text(_HEADING, _MARGIN, _MARGIN + _HEADING.size * 0.8, title, palette.DARK))
        return lines

    def _described(self) -> str:
        nodes = [_in_words(node) for node in self._picture.nodes]
        edges = [f"{self._relation(edge)} {_brief(edge.note)}".rstrip() for edge in self._picture.edges if edge.caption]
        parts = [f"{len(nodes)} nodes: {'; '.join(nodes)}." if nodes else _EMPTY]
        if edges:
            parts.append(f"{len(edges)} relations: {'; '.join(edges)}.")
        legend = (f"{line}: {_brief(text, _MOST_REMARK)}." for line, text in self._picture.legend)
        return " ".join([*parts, *legend, *(_brief(text, _MOST_REMARK) for text in self._picture.remarks)])

    def _relation(self, edge: Edge) -> str:
        words = (_brief(self._names[edge.source]), _brief(edge.caption), _brief(self._names[edge.target]))
        return " ".join(filter(None, words))

    def _node(self, box: Box) -> str:
        node = box.node
        more = node.label == MORE
        fill = palette.PAGE if more else palette.colour(node.label)
        ink = palette.QUIET if more else palette.text_on(fill)
        line = palette.LINE if more else palette.PAGE
        dashed = _DASHED if more else ""
        paint = f' fill="{fill}" stroke="{line}"' if self._standalone else ""
        rows = [(_NAME, line) for line in box.lines] + [(_NOTE, box.note)] * bool(box.note)
        bars = PART_HEIGHT * part_columns(node)[1] + 6 if node.parts else 0.0
        y = box.y - bars / 2 - LINE_HEIGHT * (len(rows) / 2 - 0.76)
        texts = [self._text(style, box.x, y + LINE_HEIGHT * n, row, ink) for n, (style, row) in enumerate(rows)]
        shape = f'<rect {_rectangle(box)} stroke-width="1.5"{dashed}{paint}/>'
        name = self._names[node.id]
        inner = f"<title>{escape(name)}</title>{self._ring(box)}{shape}{''.join(texts)}{self._parts(box)}"
        kind = f"node {'more' if more else palette.css_class(node.label)}"
        return _linked(_href(node), kind, name, inner)

    def _ring(self, box: Box) -> str:
        if box.node.id != self._picture.centre:
            return ""
        paint = f' stroke="{palette.colour(box.node.label)}"' if self._standalone else ""
        return f'<rect class="ring" {_rectangle(box, RING)} fill="none" stroke-width="2"{paint}/>'

    def _parts(self, box: Box) -> str:
        columns, rows = part_columns(box.node)
        high, wide = PART_HEIGHT * rows + 6, (box.width - 12 - PART_GAP * (columns - 1)) / columns
        drawn = []
        for number, part in enumerate(box.node.parts):
            column, row = divmod(number, rows)
            left, top = box.left + 6 + column * (wide + PART_GAP), box.bottom - high + PART_HEIGHT * row
            fill = palette.colour(part.label)
            ink = palette.text_on(fill)
            paint = f' fill="{fill}"' if self._standalone else ""
            y = top + PART_HEIGHT / 2 + NOTE_SIZE * 0.26
            inner = (
                f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(PART_HEIGHT - 3)}" rx="4"{paint}/>'
                + self._text(_PART, left + 8, y, captions.shorten(part.caption, MOST_TEXT, NOTE_SIZE), ink)
                + self._text(_COUNT, left + wide - 8, y, captions.shorten(part.note, MOST_TEXT, NOTE_SIZE), ink)
            )
            kind, href = f"node {palette.css_class(part.label)}", "" if _href(box.node) else _href(part)
            drawn.append(_linked(href, kind, captions.clean(part.caption) or NAMELESS, inner))
        return "".join(drawn)

    def _edge(self, route: Route) -> str:
        edge = route.edge
        way = _curved(route.points) if route.curved else _cornered(route.points)
        stroke, fill = (f' stroke="{palette.LINE}"', f' fill="{palette.LINE}"') if self._standalone else ("", "")
        if MORE in {self._nodes[edge.source].label, self._nodes[edge.target].label}:
            return f'<g class="edge"><path d="{way}" fill="none" stroke-width="1.4"{_DASHED}{stroke}/></g>'
        heads = _head(route.points) + (_head(route.along) if route.along else "")
        head = "" if edge.line == "dotted" else f'<path class="head" d="{heads}"{fill}/>'
        return (
            f'<g class="edge"><title>{escape(self._relation(edge))}</title>'
            f'<path d="{way}" fill="none" {_LINES[edge.line]}{stroke}/>{head}</g>'
        )

    def _caption(self, route: Route) -> str:
        x, y = route.anchor
        y += CAPTION_SIZE * 0.36 - CAPTION_HEIGHT * (len(route.lines) - 1) / 2
        lifts = (_LIFT,) * (len(route.lines) > 1) + (0.0, 0.0)
        rows = enumerate(zip(route.lines, lifts, strict=False))
        return "".join(
            self._text(_CAPTION, x, y + CAPTION_HEIGHT * n - lift, line, palette.QUIET) for n, (line, lift) in rows
        )

    def _text(self, style: _Style, x: float, y: float, text: str, ink: str) -> str:
        anchor = f' text-anchor="{style.anchor}"' if style.anchor != "start" else ""
        weight = f' font-weight="{style.weight}"' if style.weight != 400 else ""
        halo = ' paint-order="stroke" stroke-width="4" stroke-linejoin="round"' if style.halo else ""
        if self._standalone:
            paint = f' fill="{ink}"' + (f' stroke="{palette.PAGE}"' if style.halo else "")
        else:  # a page's font may be wider than the one that was measured
            paint = f' textLength="{_n(captions.width(text, style.size))}" lengthAdjust="spacingAndGlyphs"'
        return (
            f'<text class="{style.kind}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(style.size)}"'
            f"{weight}{anchor}{halo}{paint}>{escape(text)}</text>"
        )


def _n(number: float) -> str:
    return f"{round(number, 1) + 0.0:g}" if abs(number) < 100_000 else f"{number:.0f}"


def _in_words(node: Node) -> str:
    parts = [f"{_brief(part.caption)} {_brief(part.note)}".strip() for part in node.parts]
    details = ", ".join(filter(None, (_brief(node.note), *parts)))
    name = _brief(node.title or node.caption) or NAMELESS
    return f"{name} ({details})" if details else name


def _brief(text: str, most: int = _MOST_NAME) -> str:
    plain = captions.clean(text)
    return plain if len(plain) <= most else plain[:most] + captions.ELLIPSIS


def _linked(href: str, kind: str, name: str, inner: str) -> str:
    if href:
        return f'<a href={quoteattr(href)} class="{kind}" aria-label={quoteattr(name)}>{inner}</a>'
    return f'<g class="{kind}">{inner}</g>'


def _href(node: Node | Part) -> str:
    """Give where a node leads, if that is on the web or this site: what a source says may be anything."""
    href = captions.clean(node.href)
    return href if _LINK.fullmatch(href) else ""


def _rectangle(box: Box, around: float = 0) -> str:
    return (
        f'x="{_n(box.left - around)}" y="{_n(box.top - around)}" width="{_n(box.width + 2 * around)}" '
        f'height="{_n(box.height + 2 * around)}" rx="{_n(_CORNER + around)}"'
    )


def _curved(points: tuple[Point, ...]) -> str:
    start, *rest = (f"{_n(x)} {_n(y)}" for x, y in points)
    return f"M{start}" + "".join("C" + " ".join(rest[i : i + 3]) for i in range(0, len(rest), 3))


def _cornered(points: tuple[Point, ...]) -> str:
    parts = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(_CORNER, _distance(before, here) / 2, _distance(here, after) / 2)
        first, last = _towards(here, before, radius), _towards(here, after, radius)
        parts.append(f"L{_n(first[0])} {_n(first[1])}Q{_n(here[0])} {_n(here[1])} {_n(last[0])} {_n(last[1])}")
    parts.append(f"L{_n(points[-1][0])} {_n(points[-1][1])}")
    return "".join(parts)


def _head(points: tuple[Point, ...]) -> str:
    end = points[-1]
    before = next((point for point in reversed(points) if _distance(point, end) > 0.5), (end[0] - 1, end[1]))
    back = _towards(end, before, 9)
    dx, dy = (back[1] - end[1]) * 0.45, (end[0] - back[0]) * 0.45
    corners = ((back[0] + dx, back[1] + dy), end, (back[0] - dx, back[1] - dy))
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in corners) + "z"


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _towards(start: Point, end: Point, length: float) -> Point:
    far = _distance(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * length / far, start[1] + (end[1] - start[1]) * length / far


MAX_PIXELS = 40_000_000


def check(paths: Sequence[Path]) -> None:
    """Make sure that pictures can be written to some files, before anything is drawn.

    Raises:
        InputError: A name ends in neither .svg nor .png, a folder is missing, or something else is in the way.
    """
    for path in paths:
        if path.suffix.lower() not in {".svg", ".png"}:
            raise InputError(f"{path} ends in neither .svg nor .png; name the picture so that its kind is clear")
        files.check_writable(path)


def save(picture: Picture, paths: Sequence[Path]) -> None:
    """Draw a picture into files that end in .svg or .png, each whole or not at all; InputError where that fails."""
    check(paths)
    drawing = draw(picture)
    for path in paths:
        data = rasterise(drawing) if path.suffix.lower() == ".png" else drawing.encode()
        files.write_whole(path, data)


def rasterise(drawing: str, *, scale: float = 2.0, system_fonts: bool = True) -> bytes:
    """Turn a drawing into pixels.

    Args:
        drawing: One with its colours, as `draw` gives it for a file.
        scale: Pixels for each unit of the drawing; fewer where the picture would not fit into memory.
        system_fonts: Whether the machine's own fonts may help with scripts that Open Sans lacks, such as Chinese.
    """
    import fontpkg
    import resvg_py

    wide, high = _size(drawing)
    return resvg_py.svg_to_bytes(
        svg_string=drawing,
        zoom=min(scale, (MAX_PIXELS / (wide * high)) ** 0.5),
        font_files=[str(fontpkg.path(FONT))],
        font_family=FONT,
        sans_serif_family=FONT,
        skip_system_fonts=not system_fonts,
    )


def _size(drawing: str) -> tuple[float, float]:
    from defusedxml.ElementTree import fromstring

    root = fromstring(drawing)
    return float(root.get("width", "1")), float(root.get("height", "1"))
