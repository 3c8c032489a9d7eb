"""Files of JSON lines, packed with gzip perhaps, as sets of data have them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from medgraph.errors import SourceFileError
from medgraph.loaders.files.opening import open_source

if TYPE_CHECKING:
    from pathlib import Path


def json_rows(path: Path, *keys: str) -> list[dict[str, Any]]:
    """Read a file of JSON lines, each an object that has some keys."""
    with open_source(path) as file:
        return [_object(line, keys, path, place) for place, line in enumerate(file, start=1)]


def _object(line: bytes, keys: tuple[str, ...], path: Path, place: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise SourceFileError("this is no JSON object", path, place)
    if lost := [key for key in keys if key not in row]:
        raise SourceFileError(f"lacks {lost[0]!r}", path, place)
    return row
