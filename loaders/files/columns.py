"""Common basis of tables: named columns, and cells of a bounded size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import SourceFileError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

Cell = str | tuple[str, ...]

MAX_CELL: Final = 10_000_000
"""Characters of a cell; longer ones are rejected, never cut."""


def check_columns(path: Path, line: int, names: Sequence[str], columns: Collection[str]) -> None:
    """Make sure that a table has the columns that are needed.

    Raises:
        SourceFileError: One is missing, or stands twice; the message lists what it has.
    """
    listed = ", ".join(map(repr, names))[:1000]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceFileError(f"the column {twice[0]!r} stands twice in the header; rename one", path, line)
    missing = [name for name in columns if name not in names]
    if missing:
        wanted = ", ".join(map(repr, missing))
        hint = ""
        if len(names) == 1 and ";" in names[0]:
            hint = "; are semicolons between its cells? save it with commas"
        what = "column" if len(missing) == 1 else "columns"
        raise SourceFileError(f"has no {what} {wanted}; its columns are {listed}{hint}", path, line)
