"""Loads the texts on relations that `medgraph index subgraphs` writes: medgraph's own records, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema.records import Document, SourceInfo
from ...schema.rows import from_json
from ..base import Reject, Row, Source
from ..files import texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="graph",
    title="What the relations of the graph tell, in sentences",
    version="derived",
    licence="LicenseRef-of-its-sources",
    url="",
    rank=9,
    minimum=0,
)

_MAX_LINE: Final = 10_000_000


def records(path: Path) -> Iterator[Item]:
    """Read a file of documents, one a line."""
    for item in texts.raw_lines(path, _MAX_LINE):
        if isinstance(item, Reject):
            yield item
        elif item[1].strip():
            yield _row(str(path), *item)


def _row(file: str, number: int, line: bytes) -> Item:
    try:
        return Row(from_json(Document, line.decode()), file, number)
    except (RecordError, ValueError, TypeError, AttributeError, KeyError) as error:
        return Reject(file, number, f"is no document as medgraph writes it: {error}")


SOURCE: Final = Source(INFO, records, order=60, unit="document")
