"""Files of a folder read by an engine's workers, each apart, and joined here as if they were read one by one."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, SourceFileError
from ..graph.engine import Step
from . import registry
from .base import Files, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.engine import Engine, Row
    from .base import Source

PART: Final = 1000
"""Items of a file that are written as one row."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads files of one source by an engine."""

    engine: Engine
    step: Step
    files: Files
    source: str

    def records(self, path: Path) -> Iterator[Any]:
        pages = ([self._asked(file)] for file in self.files.listed(path))
        yield from self.files.join(_items(rows) for rows in self.engine.rows(self.step, None, pages))

    def _asked(self, file: Path) -> Row:
        return {"source": self.source, "file": str(file.absolute()), "sha256": fingerprint(file)}


def read_apart(source: Source, name: str, engine: Engine) -> tuple[Source, Step]:
    """Let an engine read a source's files.

    Returns:
        The source with other `records`, which give the same items; and the step, to forget once all is stored.

    Raises:
        InputError: The source's files cannot be read apart.
    """
    if source.files is None:
        known = ", ".join(known for known, one in registry.sources().items() if one.files)
        raise InputError(f"the source {name} is read as a whole, so leave --engine out; it goes with: {known}")
    step = Step(f"files-{name}", source.info.id, read_file)
    return replace(source, records=_Reading(engine, step, source.files, name).records), step


def read_file(page: list[Row], _model: None) -> list[Row]:
    """Read the file of a row of `source` and `file` into rows of pickled `items`, the last perhaps with a `fault`."""
    (asked,) = page
    files, rows, items = registry.get(asked["source"]).files, list[dict[str, Any]](), list[Any]()
    try:
        for item in files.read(Path(asked["file"])) if files else ():
            items.append(item)
            if len(items) == PART:
                rows.append({"items": pickle.dumps(items)})
                items = []
    except SourceFileError as error:
        rows.append({"items": pickle.dumps(items), "fault": pickle.dumps(error)})
        return rows
    rows.append({"items": pickle.dumps(items)})
    return rows


def _items(rows: list[Row]) -> Iterator[Any]:
    for row in rows:
        yield from pickle.loads(row["items"])  # noqa: S301 # a file that a worker of this user wrote
        if "fault" in row:
            raise pickle.loads(row["fault"])  # noqa: S301
