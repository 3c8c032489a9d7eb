"""Things kept on disk until the header of their table is known."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Spool:
    """Rows of a table whose columns show themselves on the way; use it in a `with` block.

    Attributes:
        columns: The columns that rows had so far, in the order in which they came up.
    """

    def __init__(self) -> None:
        self.columns: dict[str, None] = {}
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - its owner closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep a row."""
        self.columns.update(dict.fromkeys(row))
        self._file.write(json.dumps(row) + "\n")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)
