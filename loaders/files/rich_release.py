"""Files in Rich Release Format, as UMLS and RxNorm are released: a row a line, cells with `|` behind each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Reject
from . import texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def find(folder: Path, name: str) -> Path | None:
    """Find a file by a name such as `MRDEF`, packed or not."""
    return next((f for f in (folder / f"{name}.RRF", folder / f"{name}.RRF.gz") if f.is_file()), None)


def rows(file: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]] | Reject]:
    """Yield each line's number and cells, with an empty one at the end; a reject for a row that cannot be used."""
    for item in texts.lines(file):
        if isinstance(item, Reject):
            yield item
            continue
        number, line = item
        cells = line.split("|")
        if len(cells) == len(columns) + 1 and not cells[-1]:
            yield number, cells
        else:
            yield Reject(str(file), number, _width(len(cells), line, columns))


def _width(found: int, line: str, names: Sequence[str]) -> str:
    said = f"has {found - 1} cells" if line.endswith("|") else "does not end with |"
    return f"{said}; {len(names)} belong there, {names[0]} to {names[-1]}, each with | behind it: is the row cut off?"
