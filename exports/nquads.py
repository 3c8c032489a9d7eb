"""Statements as N-Quads, with a named graph a source, that load again without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..files import writing_whole
from ..schema.exchange import nquads
from ..schema.exchange.flat import flats

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ..schema.records import Record


def write(path: Path, statements: Iterable[tuple[str, Record]], *, force: bool = False) -> list[Path]:
    """Write N-Quads.

    Args:
        statements: Pairs of a source's id and a record: sources, entities, relations, documents.
        force: Replace a file that is there.

    Raises:
        InputError: It cannot be written; what was there is there still.
    """
    with writing_whole([path], force=force) as (file,):
        for source, record in statements:
            for flat in flats(record):
                file.writelines(nquads.to_lines(flat, source))
    return [path]
