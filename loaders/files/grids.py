"""Tables in texts as a line a row, `Column: value; Column: value`, whatever format they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROSE: Final = 240  # characters of a cell that is prose, where its table has no header
_TITLE: Final = 60  # characters of a column's title, where nothing marks it as one
_WIDEST: Final = 100  # columns or rows that a cell may span


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its lines, how many columns and rows it spans, and whether it looks like one of a header."""

    lines: Sequence[str]
    across: int = 1
    down: int = 1
    heads: bool = False


def span(said: str | None) -> int:
    """Read how many columns or rows a cell spans, as its file says it."""
    return min(max(int(said), 1), _WIDEST) if said and said.isdecimal() else 1


def lines_of(rows: Sequence[Sequence[Cell]], heads: int = 0) -> list[str]:
    """Write a table whose first rows are its header; one that only lays prose out becomes paragraphs."""
    grid = _grid(rows)
    heads = heads or _heads(rows, grid)
    width = max(map(len, grid), default=0)
    cells = [cell for row in rows for cell in row]
    if not heads and (width < 2 or len(rows) < 2 or any(sum(map(len, cell.lines)) > _PROSE for cell in cells)):
        return [line for cell in cells for line in (*cell.lines, "")]
    header = [_joined([row[place][0] for row in grid[:heads] if place < len(row)]) for place in range(width)]
    return [line for row in grid[heads:] if (line := _row(row, header))]


def is_headed(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row heads the others as it looks: of several rows it alone has no digits, nor a gap."""
    if len(rows) < 3 or len(rows[0]) < 2 or not all(rows[0]) or len(set(rows[0])) < len(rows[0]):
        return False
    digits = [any(map(str.isdigit, "".join(row))) for row in rows]
    return not digits[0] and all(digits[1:]) and all(len(cell) <= _TITLE for cell in rows[0])


def _grid(rows: Sequence[Sequence[Cell]]) -> list[list[tuple[str, bool]]]:
    """Lay cells out, each with whether it stands there itself, not as part of one that spans columns."""
    grid: list[list[tuple[str, bool]]] = []
    below: dict[int, tuple[int, str]] = {}
    for row in rows:
        line: list[tuple[str, bool]] = []
        cells = iter(row)
        while True:
            if (waiting := below.get(len(line))) and waiting[0]:
                below[len(line)] = (waiting[0] - 1, waiting[1])
                line.append((waiting[1], True))
                continue
            if (cell := next(cells, None)) is None:
                break
            items = [text.strip().removeprefix("- ") for text in cell.lines if text]
            said = (", " if any(text.startswith("- ") for text in cell.lines) else " ").join(items)
            for place in range(cell.across):
                below[len(line)] = (cell.down - 1, said)
                line.append((said, not place))
        grid.append(line)
    return grid


def _heads(rows: Sequence[Sequence[Cell]], grid: Sequence[Sequence[tuple[str, bool]]]) -> int:
    if len(rows) < 2 or len(grid[0]) < 2:
        return 0
    return int(all(cell.heads for cell in rows[0]) or (not grid[0][0][0] and all(said for said, _ in grid[0][1:])))


def _joined(parts: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(filter(None, parts))).rstrip(":")


def _row(cells: Sequence[tuple[str, bool]], header: Sequence[str]) -> str:
    said = []
    for place, (cell, own) in enumerate(cells):
        if cell and own:
            head = header[place] if place < len(header) else ""
            said.append(f"{head}: {cell}" if head and head != cell and any(one != cell for one, _ in cells) else cell)
    return "; ".join(said)
