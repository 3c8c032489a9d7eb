"""Groups scattered parts of a file on disk, so that memory stays flat whatever the file's size."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..base import Item

Passed = TypeVar("Passed", bound="Item")  # What goes through unchanged
Part = tuple[int, tuple[str, ...]]  # A line and what it says
Keyed = tuple[str, int, tuple[str, ...]]  # A key, a line, and what it says of it
Group = tuple[str, list[Part]]  # A key and all lines that say something of it
_BATCH: Final = 5000
_FRESH: Final = 1 << 17  # So many entries of a shelf are kept in memory


def grouped(items: Iterable[Keyed | Passed]) -> Iterator[Group | Passed]:
    """Bring together what a file says of one thing in different places.

    Yields the rejects, remarks and rows as they come; then the groups by the first appearance of their keys.
    """
    for item in streamed(items):
        yield (item[0], list(item[1])) if isinstance(item, tuple) else item


def streamed(items: Iterable[Keyed | Passed]) -> Iterator[tuple[str, Iterator[Part]] | Passed]:
    """Bring together as `grouped` does, for groups of any size; their lines are to be read before the next group."""
    # A database without a name is a temporary file, which goes when it is closed.
    with closing(sqlite3.connect("")) as database:
        database.execute("CREATE TABLE parts (key TEXT, line INT, cells TEXT)")
        batch = []
        for item in items:
            if not isinstance(item, tuple):
                yield item
                continue
            batch.append((item[0], item[1], json.dumps(item[2])))
            if len(batch) == _BATCH:
                _write(database, batch)
        _write(database, batch)
        # With keys to look up, and told where to begin: left to itself SQLite may compare every line with every key.
        database.execute("CREATE TABLE firsts (key TEXT PRIMARY KEY, first INT) WITHOUT ROWID")
        database.execute("INSERT INTO firsts SELECT key, min(rowid) FROM parts GROUP BY key")
        statement = "SELECT key, line, cells FROM parts CROSS JOIN firsts USING (key) ORDER BY first, parts.rowid"
        rows = database.execute(statement)
        for key, parts in groupby(rows, key=lambda row: row[0]):
            yield key, ((line, tuple(json.loads(cells))) for _, line, cells in parts)


def _write(database: sqlite3.Connection, batch: list[tuple[str, int, str]]) -> None:
    database.executemany("INSERT INTO parts VALUES (?, ?, ?)", batch)
    batch.clear()


class Shelf:
    """A dictionary with texts as keys and plain data as values; what fills too much memory goes to the disk.

    Use it in a `with`.
    """

    def __init__(self) -> None:
        self._fresh: dict[str, Any] = {}
        self._database: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._database:
            self._database.close()

    def add(self, key: str, value: Any = "") -> bool:
        """Keep a value, unless the key has one already."""
        if self.get(key) is not None:
            return False
        self.put(key, value)
        return True

    def put(self, key: str, value: Any) -> None:
        """Keep a value, instead of the one that the key may have."""
        self._fresh[key] = value
        if len(self._fresh) >= _FRESH:
            self._store()

    def get(self, key: str) -> Any:
        """Look a key up; None where nothing is kept."""
        found = self._fresh.get(key)
        if found is None and self._database:
            row = self._database.execute("SELECT value FROM shelf WHERE key = ?", (key,)).fetchone()
            return json.loads(row[0]) if row else None
        return found

    def _store(self) -> None:
        if not self._database:
            self._database = sqlite3.connect("", isolation_level=None)
            self._database.execute("CREATE TABLE shelf (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
            self._database.execute("BEGIN")
        rows = sorted((key, json.dumps(value)) for key, value in self._fresh.items())
        self._database.executemany("INSERT OR REPLACE INTO shelf VALUES (?, ?)", rows)
        self._fresh.clear()
