"""Lines of pages as headings, paragraphs, lists and tables; what repeats on the edges of pages is left out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ....patterns import threshold
from ...files import grids
from .blocks import Block

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    Outline = Mapping[int, Sequence[tuple[int, str]]]

_APART: Final = 2.5  # how far, in sizes of the font, what stands in a line is from each other where it is a row
_SHORT: Final = threshold("loaders.sources.text_files.layout.short")
_EDGE: Final = threshold("loaders.sources.text_files.layout.edge")
_OFTEN: Final = 3  # pages on which something stands in the same place that is no text
_LARGER: Final = 1.12  # how much larger than the text a heading is
_NUMBERED: Final = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE: Final = re.compile(
    r"\W*(?:page|seite|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/|von)\s*\d{1,4})?\W*", re.IGNORECASE
)
_OUTER: Final = re.compile(r"^(\d{1,4})(?=\s|$)|(?<!\S)(\d{1,4})$")
_LEADS: Final = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|chapter \d+[:.]?|appendix \w[:.]?)\s+", re.IGNORECASE)
ITEM: Final = re.compile(r"(?:[•●○◦▪■·*‣\u2043\u2013\uf0b7-]|\(?(?:\d{1,2}|[a-z])[.)])(?:\s+|$)")
_BULLET: Final = re.compile(r"[•●○◦▪■·*‣\u2043\u2013\uf0b7-]\s*")
_ENDS: Final = (".", "?", "!", ":", ".”", ".)", "?”")
_DOTS: Final = re.compile(r"(?:\s?\.){4,}\s*\w*$|(?:\s?…){2,}\s*\w*$")
HYPHEN: Final = "\u2010"  # at the end of a line, where PDFium found one
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line: cells with their left and right edges, of which prose has one; size and weight of its font; its place."""

    cells: tuple[tuple[float, float, str], ...]
    size: float
    bold: bool
    page: int
    y: float  # of its base line, from the lower edge of the page
    height: float  # of the page

    @property
    def text(self) -> str:
        """The line as one text."""
        return " ".join(cell[2] for cell in self.cells)

    @property
    def is_row(self) -> bool:
        """Whether its cells stand further apart than words do."""
        return any(two[0] - one[1] > _APART * self.size for one, two in pairwise(self.cells))

    @property
    def at_edge(self) -> bool:
        """Whether it stands where headers and footers do."""
        return not _EDGE < self.y / self.height < 1 - _EDGE


def blocks_of(pages: Sequence[Sequence[Line]], outline: Outline) -> list[Block]:
    """Make blocks of the lines of each page."""
    repeated, numbered = _repeated(pages), _numbered(pages)
    lines = [line for page in pages for line in page if not _is_furniture(line, repeated, numbered)]
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    body = max(sizes, key=sizes.__getitem__, default=10.0)
    bold = Counter(line.bold for line in lines if line.size == body)
    shaper = _Shaper(lines, body, outline, marks_bold=bold[True] < bold[False] / 2)
    return shaper.blocks()


def _key(line: Line) -> tuple[str, int]:
    return _NUMBERED.sub("#", line.text).casefold(), round(line.y / 4)


def _repeated(pages: Sequence[Sequence[Line]]) -> set[tuple[str, int]]:
    counts = Counter(key for page in pages for key in {_key(line) for line in page if line.at_edge})
    return {key for key, count in counts.items() if count >= max(2, min(_OFTEN, len(pages)))}


def _numbered(pages: Sequence[Sequence[Line]]) -> set[tuple[int, int]]:
    """Tell where numbers stand that differ from the page's place in the file by the same on many pages."""
    counts = Counter(place for page in pages for place in {place for line in page for place in _numbers(line)})
    return {place for place, count in counts.items() if count >= _OFTEN}


def _numbers(line: Line) -> list[tuple[int, int]]:
    found = _OUTER.search(line.text) if line.at_edge else None
    return [(int(number) - line.page, round(line.y / 4)) for number in found.groups() if number] if found else []


def _is_furniture(line: Line, repeated: Collection[tuple[str, int]], numbered: Collection[tuple[int, int]]) -> bool:
    if _DOTS.search(line.text):  # a line of a table of contents
        return True
    return line.at_edge and (
        _key(line) in repeated or bool(_PAGE.fullmatch(line.text)) or any(one in numbered for one in _numbers(line))
    )


class _Shaper:
    def __init__(self, lines: Sequence[Line], body: float, outline: Outline, *, marks_bold: bool) -> None:
        self._lines, self._body, self._outline, self._marks_bold = lines, body, outline, marks_bold
        self._words = Counter(word.lower() for line in lines for word in _WORD.findall(line.text))
        drops = (one.y - two.y for one, two in pairwise(lines) if one.size == two.size == body and one.page == two.page)
        counted = Counter(round(drop) for drop in drops if 0 < drop < 3 * body)
        self._pitch = max(counted, key=counted.__getitem__, default=body * 1.2)
        self._rights: dict[tuple[int, int], float] = {}  # the right edge of the lines that begin below each other
        for line in lines:
            self._rights[_column(line)] = max(self._rights.get(_column(line), 0.0), line.cells[-1][1])
        larger = {line.size for line in lines if self._is_larger(line)}
        deepest = max((level for marks in outline.values() for level, _ in marks), default=0)
        ranks = {size: rank for rank, size in enumerate(sorted(larger, reverse=True), 1)}
        self._levels = {size: deepest + rank for size, rank in ranks.items()}
        self._lowest = deepest + len(larger) + 1
        self._blocks: list[Block] = []
        self._open: list[str] = []  # lines of the block that is being made
        self._page = 0  # on which that block begins
        self._last: Line | None = None

    def blocks(self) -> list[Block]:
        place = 0
        while place < len(self._lines):
            line = self._lines[place]
            if table := self._table(place):
                self._close()
                self._blocks.append(Block("\n".join(table[1]).replace(HYPHEN, "-"), page=line.page))
                place += table[0]
                self._last = None
                continue
            if level := self._level(line):
                self._heading(line, level)
            else:
                self._text(line)
            self._last = line
            place += 1
        self._close()
        return self._blocks

    # Headings.

    def _is_larger(self, line: Line) -> bool:
        return line.size >= self._body * _LARGER and len(line.text) <= 200 and any(map(str.isalpha, line.text))

    def _level(self, line: Line) -> int:
        said = _plain(line.text)
        for level, title in self._outline.get(line.page, ()):
            if said and said == _plain(title):
                return level
        if self._is_larger(line):
            return self._levels[line.size]
        short = len(line.text) <= 100 and len(line.cells) == 1 and not line.text.endswith((".", ",", ";", ":"))
        marked = self._marks_bold and line.bold and line.size >= self._body and any(map(str.isalpha, line.text))
        return self._lowest if marked and short and not ITEM.match(line.text) else 0

    def _heading(self, line: Line, level: int) -> None:
        self._close()
        last, before = self._last, self._blocks[-1] if self._blocks else None
        goes_on = last and before and before.level == level and last.page == line.page and last.size == line.size
        if last and before and goes_on and 0 < last.y - line.y < 1.6 * line.size and not _LEADS.match(line.text):
            self._blocks[-1] = Block(self._joined(before.text, line.text), level, before.page)
        else:
            self._blocks.append(Block(line.text.replace(HYPHEN, "-"), level, line.page))

    # Text.

    def _text(self, line: Line) -> None:
        item = ITEM.match(line.text)
        text = f"- {_BULLET.sub('', line.text, count=1)}" if item and _BULLET.match(line.text) else line.text
        if self._open and self._last and self._goes_on(self._last, line, item=bool(item)):
            begins = text[:1].isupper() and self._is_short(self._last) and self._last.page == line.page
            if item or line.is_row or self._last.is_row or begins:
                self._open.append(text)
            else:
                self._open[-1] = self._joined(self._open[-1], text)
            return
        self._close()
        self._open, self._page = [text], line.page

    def _goes_on(self, last: Line, line: Line, *, item: bool) -> bool:
        drop = last.y - line.y
        if last.page != line.page or drop <= 0:  # the next page or column
            whole = self._open[-1].endswith(_ENDS) or (self._is_short(last) and not line.text[:1].islower())
            return not item and not whole
        if drop > max(1.3 * self._pitch, 1.3 * last.size):
            return False
        if item:
            return self._open[-1].startswith("- ") or self._open[-1].endswith(":") or bool(ITEM.match(self._open[-1]))
        if abs(last.size - line.size) > 1 and not self._open[-1].endswith("-"):
            return False
        return not (self._open[-1].endswith(_ENDS) and self._is_short(last) and not ITEM.match(self._open[-1]))

    def _is_short(self, line: Line) -> bool:
        """Tell whether the next word would have had room in a line."""
        left, right = line.cells[0][0], self._rights[_column(line)]
        return line.cells[-1][1] - left < _SHORT * (right - left)

    def _joined(self, before: str, after: str) -> str:
        """Join lines; a hyphen at the end stays between numbers, and where the text has the word with it elsewhere."""
        if before.endswith((HYPHEN, "-")) and before[-2:-1].isalnum():
            last, starts = _WORD.findall(before[:-1].rsplit(" ", maxsplit=1)[-1]), _WORD.match(after)
            first, second = "".join(last[-1:]), starts[0] if starts else ""
            whole = f"{first}{second}".lower()
            hyphened = f"{first}-{second}".lower()
            parted = first and second and after[:1].islower()
            if parted and (self._words[whole] or not self._words[hyphened]):
                return before[:-1] + after
            return f"{before[:-1]}-{after}"
        return f"{before} {after}"

    def _close(self) -> None:
        if self._open:
            text = "\n".join(line.replace(HYPHEN, "-") for line in self._open)
            self._blocks.append(Block(text, page=self._page))
        self._open = []

    # Tables.

    def _table(self, place: int) -> tuple[int, list[str]] | None:
        """Read a table that starts at a line: how many lines it takes, and what they become."""
        width = len(self._lines[place].cells)
        if width < 2:
            return None
        end = place
        while end < len(self._lines) and len(self._lines[end].cells) == width:
            if self._lines[end].page != self._lines[place].page:
                break
            end += 1
        rows = self._lines[place:end]
        columns = ([row.cells[column] for row in rows] for column in range(width))
        if len(rows) < 3 or not all(_aligned(column, self._body) for column in columns):
            return None
        if any(row.cells[0][2][:1].islower() for row in rows[1:]):  # cells of several lines: sentences stay whole
            return len(rows), [reduce(self._joined, (row.cells[column][2] for row in rows)) for column in range(width)]
        cells = [[grids.Cell([cell[2]]) for cell in row.cells] for row in rows]
        # The first row heads the others: it alone is bold, or looks like it.
        heads = [row.bold for row in rows] == [True, *[False] * (len(rows) - 1)]
        heads = heads or grids.is_headed([[cell[2] for cell in row.cells] for row in rows])
        return len(rows), grids.lines_of(cells, int(heads))


def _aligned(cells: Sequence[tuple[float, float, str]], size: float) -> bool:
    edges = ([cell[0] for cell in cells], [cell[1] for cell in cells], [(cell[0] + cell[1]) / 2 for cell in cells])
    return any(max(edge) - min(edge) <= size / 2 for edge in edges)


def _column(line: Line) -> tuple[int, int]:
    return line.page, round(line.cells[0][0] / 3)


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, _LEADS.sub("", text.strip()))).casefold()
