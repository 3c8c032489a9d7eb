"""Plots as SVG files, of shares or on other grids: lines, levels to compare them with, and points that are marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from . import captions, palette
from .svg import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Point = tuple[float, float]

_WIDE: Final = 560.0
_HIGH: Final = 360.0
_LEFT: Final = 64.0
_TOP: Final = 56.0
_RIGHT: Final = 24.0
_ROW: Final = 18.0
_SIZE: Final = 12.0
_STROKES: Final = (
    'stroke-width="2.2"',
    'stroke-width="2.2" stroke-dasharray="7 4"',
    'stroke-width="1.2"',
    'stroke-width="1.6" stroke-dasharray="2 4"',
)
_COLOURS: Final = tuple(palette.colour(label) for label in ("Document", "Disease", "Drug", "Gene"))
_FIFTHS: Final = tuple((step / 5, f"{step / 5:.0%}") for step in range(6))
_SAMPLE: Final = 34.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a plot.

    Attributes:
        name: What it shows.
        points: Where it goes, from 0 to 1 across and up.
        marked: The points of it that are marked, each with what it is.
        said: Its points in words, where they are no shares.
    """

    name: str
    points: Sequence[Point]
    marked: Sequence[tuple[Point, str]] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        title: Its title.
        across: What is counted from left to right.
        up: What is counted from bottom to top.
        lines: At most four lines.
        levels: Heights that lines are compared with, each with what it means.
        remarks: What else must be known, a line each.
        across_at: Where the grid's lines stand from left to right, from 0 to 1, and what is written there.
        up_at: The same from bottom to top.
    """

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    levels: Sequence[tuple[float, str]] = ()
    remarks: Sequence[str] = ()
    across_at: Sequence[tuple[float, str]] = _FIFTHS
    up_at: Sequence[tuple[float, str]] = _FIFTHS


def draw(plot: Plot) -> str:
    """Draw a plot.

    Returns:
        SVG as a file of its own, with a description in words for those who cannot see it.
    """
    texts = [text for line in plot.lines for _, text in line.marked]
    rows = len(plot.lines) + len(texts) + len(plot.levels)
    room = _WIDE + _LEFT - _SAMPLE
    remarks = [row for text in plot.remarks for row in captions.paragraph(captions.clean(text), room, _SIZE)]
    wide, high = _LEFT + _WIDE + _RIGHT, _TOP + _HIGH + 62 + _ROW * (rows + len(remarks)) + 8
    below = _TOP + _HIGH + 62
    drawn = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide)}" height="{_n(high)}" '
        f'viewBox="0 0 {_n(wide)} {_n(high)}" role="img" aria-labelledby="t" aria-describedby="d" '
        f'font-family="{FAMILIES}" font-size="{_n(_SIZE)}">',
        f'<title id="t">{escape(captions.clean(plot.title))}</title>',
        f'<desc id="d">{escape(_in_words(plot))}</desc>',
        f'<rect width="{_n(wide)}" height="{_n(high)}" fill="{palette.PAGE}"/>',
        _text(_LEFT, 28, plot.title, palette.DARK, size=17, weight=600),
        *_axes(plot),
        *_levels(plot),
        *(part for place, line in enumerate(plot.lines) for part in _line(place, line)),
        *_legend(plot, below),
    ]
    drawn += [_text(24, below + _ROW * (rows + place) + 8, row, palette.QUIET) for place, row in enumerate(remarks)]
    return "\n".join([*drawn, "</svg>", ""])


def _at(point: Point) -> Point:
    return _LEFT + _WIDE * point[0], _TOP + _HIGH * (1 - point[1])


def _axes(plot: Plot) -> Iterator[str]:
    """Draw a grid, and say what is counted."""
    for share, told in plot.across_at:
        x, y = _at((share, 0))
        yield _ruled((x, _TOP), (x, y))
        yield _text(x, y + 18, told, palette.QUIET, anchor="middle")
    for share, told in plot.up_at:
        x, y = _at((0, share))
        yield _ruled((x, y), (_LEFT + _WIDE, y))
        yield _text(x - 8, y + 4, told, palette.QUIET, anchor="end")
    yield _text(_LEFT + _WIDE / 2, _TOP + _HIGH + 38, plot.across, palette.DARK, anchor="middle")
    yield f'<g transform="translate(18 {_n(_TOP + _HIGH / 2)}) rotate(-90)">{_middle(plot.up)}</g>'


def _middle(text: str) -> str:
    return _text(0, 0, text, palette.DARK, anchor="middle")


def _levels(plot: Plot) -> Iterator[str]:
    for share, _ in plot.levels:
        yield _dotted(_at((0, share)), _at((1, share)))


def _ruled(start: Point, end: Point) -> str:
    return f'<path d="{_way((start, end))}" fill="none" stroke="#DFE4E8" stroke-width="1"/>'


def _dotted(start: Point, end: Point) -> str:
    return (
        f'<path d="{_way((start, end))}" fill="none" stroke="{palette.LINE}" stroke-width="1.6" '
        'stroke-dasharray="2 3"/>'
    )


def _line(place: int, line: Line) -> Iterator[str]:
    if line.points:
        way = _way([_at(point) for point in line.points])
        yield f'<path d="{way}" fill="none" stroke="{_COLOURS[place]}" stroke-linejoin="round" {_STROKES[place]}/>'
    for order, (point, _) in enumerate(line.marked):
        yield _mark(_at(point), place, order)


def _mark(at: Point, place: int, order: int) -> str:
    """Draw a filled dot for the first point that is marked, a hollow one for another."""
    fill = palette.PAGE if order else _COLOURS[place]
    return (
        f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="6" fill="{fill}" stroke="{_COLOURS[place]}" stroke-width="2"/>'
    )


def _legend(plot: Plot, first: float) -> Iterator[str]:
    y = first
    for place, line in enumerate(plot.lines):
        way = _way(((24, y - 4), (24 + _SAMPLE, y - 4)))
        yield f'<path d="{way}" fill="none" stroke="{_COLOURS[place]}" {_STROKES[place]}/>'
        yield _text(34 + _SAMPLE, y, line.name, palette.DARK)
        y += _ROW
        for order, (_, text) in enumerate(line.marked):
            yield _mark((24 + _SAMPLE / 2, y - 4), place, order)
            yield _text(34 + _SAMPLE, y, text, palette.QUIET)
            y += _ROW
    for _, text in plot.levels:
        yield _dotted((24, y - 4), (24 + _SAMPLE, y - 4))
        yield _text(34 + _SAMPLE, y, text, palette.DARK)
        y += _ROW


def _way(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _text(
    x: float,
    y: float,
    text: str,
    ink: str,
    *,
    anchor: str = "start",
    size: float = _SIZE,
    weight: int = 400,
) -> str:
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" font-size="{_n(size)}" '
        f'font-weight="{weight}" fill="{ink}">{escape(captions.clean(text))}</text>'
    )


def _in_words(plot: Plot) -> str:
    said = [f"{plot.up} against {plot.across}."]
    for line in plot.lines:
        ends = f", from {_pair(line.points[0])} to {_pair(line.points[-1])}" if line.points else ", which has no point"
        ends = f": {line.said}" if line.said else ends
        said += [f"{line.name}{ends}.", *(f"{text}: {_pair(point)}." for point, text in line.marked)]
    said += [f"{share:.0%}: {text}." for share, text in plot.levels]
    return captions.clean(" ".join([*said, *plot.remarks]))


def _pair(point: Point) -> str:
    return f"{point[1]:.0%} at {point[0]:.0%}"


def _n(value: float) -> str:
    """Write a length with one decimal at most."""
    return f"{round(value, 1):g}"
