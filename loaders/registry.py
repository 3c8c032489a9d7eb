"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import UnknownSourceError
from . import documents, medquad, sample

if TYPE_CHECKING:
    from pathlib import Path

    from .base import Source

SOURCES: Final[dict[str, Source]] = {
    source.info.id: source for source in (documents.SOURCE, medquad.SOURCE, sample.SOURCE)
}


EVALUATION: Final[dict[str, str]] = {
    "healthver": "HealthVer, an evaluation set,",
    "citint": "Citation-Integrity, an evaluation set,",
    "imapscore": "the benchmark of imapScore",
    "rqe_": "RQE, an evaluation set,",
    "mqp_": "Medical Question Pairs, an evaluation set,",
}
"""Words of the names of files that are there to measure by: they are never loaded."""


def get(name: str) -> Source:
    """Look a source up.

    Args:
        name: Its id.

    Returns:
        The source.

    Raises:
        UnknownSourceError: There is none of this name; the message lists those there are.
    """
    source = SOURCES.get(name)
    if source is None:
        raise UnknownSourceError(f"there is no source {name!r}; known are {', '.join(sorted(SOURCES))}")
    return source


def recognised(folder: Path) -> list[tuple[Path, str, str]]:
    """Find out of which source each file of a folder is.

    Args:
        folder: The folder.

    Returns:
        Paths with the name of the source, or an empty name and the reason; in the order in which they are best loaded.
    """
    found: list[tuple[Path, str, str]] = []
    names = list(SOURCES)
    for path in _paths(folder):
        if any(path.is_relative_to(whole) for whole, name, _ in found if name and whole.is_dir()):
            continue
        name = next((n for n, s in SOURCES.items() if s.recognise is not None and s.recognise(path)), "")
        if name or path.is_file():
            found.append((path, name, "" if name else _unknown(path)))
    return sorted(found, key=lambda row: (names.index(row[1]) if row[1] else -1, row[0]))


def _paths(folder: Path) -> list[Path]:
    """List what is in a folder, folders before what is in them."""
    return sorted(path for path in folder.rglob("*") if not path.name.startswith("."))


def _unknown(path: Path) -> str:
    kept = next((what for word, what in EVALUATION.items() if word in path.as_posix().lower()), None)
    return f"is {what} and left alone" if (what := kept) else "is not recognised as a source"
