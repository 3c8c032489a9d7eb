"""Files of JSON lines that grow by what long work has done."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from medgraph.files import json_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Key = TypeVar("Key")
Line = TypeVar("Line")


class KeptLines(Generic[Key, Line]):
    """A file of JSON lines that grows by what long work has done, so that it goes on where it stopped.

    A last line that work did not end, because it was killed, is taken away.
    """

    def __init__(self, path: Path, kind: type[Line], key: Callable[[Line], Key], what: str) -> None:
        self._path, self._key = path, key
        if path.exists():
            _cut_unended(path)
        lines = json_lines(path, kind, what, "; take the line out") if path.exists() else ()
        self.found = {key(line): line for _, line in lines}

    def add(self, line: Line) -> None:
        """Keep what is done."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
        self.found[self._key(line)] = line


def _cut_unended(path: Path) -> None:
    """Take away a last line without an end; what is JSON as it stands gets its end."""
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole == len(text):
        return
    try:
        json.loads(text[whole:])
    except ValueError:
        os.truncate(path, whole)
    else:
        with path.open("ab") as file:
            file.write(b"\n")
