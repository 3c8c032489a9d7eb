r"""Cells of the tables that medgraph writes: nothing in them runs in a spreadsheet, and they read back unchanged.

A text that a spreadsheet would take for a formula (`=`, `+`, `-` or `@` first), or that begins with a quotation mark,
gets a `'` in front. Line ends, tabs and other characters that break lines are written `\n`, `\t`, `\r` or `\u2028`, a
backslash `\\`, an empty text or item `\e`, and a `|`, at which others cut texts and lists, `\u007c`. A list has `|`
between its items, and perhaps one at its end, which shows those others that one item is a list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_GUARDED: Final = ("=", "+", "-", "@", "\t", "\r", "'", '"')
_BREAKS = re.compile("[|\\\\\n\r\t\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LETTERS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.)", re.DOTALL)
_READ: Final = {"n": "\n", "r": "\r", "t": "\t", "e": ""}


def write(text: str) -> str:
    """Write a text as a cell without tabs and line ends, which no spreadsheet runs, and which is not empty."""
    return guard(_escaped(text)) or "\\e"


def write_list(items: Sequence[str]) -> str:
    """Write a list of texts as a cell with `|` between; empty for an empty list."""
    return guard("|".join(_escaped(item) or "\\e" for item in items))


def parse_cell(cell: str) -> str:
    """Read a cell that `write` wrote."""
    return _unescaped(cell.removeprefix("'"))


def parse_list(cell: str) -> list[str]:
    """Read a cell that `write_list` wrote."""
    return [_unescaped(item) for item in cell.removeprefix("'").split("|") if item]


def guard(cell: str) -> str:
    """Put a `'` before any format's cell that begins like a formula, like a quoted cell, or with that character."""
    return f"'{cell}" if cell.startswith(_GUARDED) else cell


def _escaped(text: str) -> str:
    return _BREAKS.sub(lambda match: _LETTERS.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 5 else _READ.get(m[1], m[1]), text)
