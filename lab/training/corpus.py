"""Reads training data from the graph: vectors, and the passages that they were made from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError
from medgraph.graph import catalogue

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medgraph.graph.database import Database

PAGE: Final = 2000


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of texts that answer."""

    values: NDArray[np.float32]  # (texts, dimension) float32
    sections: list[str]  # the section of each row

    def units(self) -> NDArray[np.float32]:
        """Give the vectors, scaled to length one."""
        scaled: NDArray[np.float32] = self.values / np.linalg.norm(self.values, axis=1, keepdims=True)
        return scaled

    def rows(self) -> dict[str, list[int]]:
        """Give the rows of each section."""
        rows: dict[str, list[int]] = defaultdict(list)
        for row, section in enumerate(self.sections):
            rows[section].append(row)
        return dict(rows)


@dataclass(frozen=True, slots=True)
class Passages(Vectors):
    """Vectors of passages, with the title of the document and the text of each row."""

    titles: list[str]
    texts: list[str]

    def told(self) -> dict[str, str]:
        """Give what the first passage of each section says, below its title."""
        rows = zip(self.sections, self.titles, self.texts, strict=True)
        return {section: f"{title}\n{text}" for section, title, text in [*rows][::-1]}


def vectors(database: Database, query: str) -> Vectors:
    """Read vectors by a statement that gives them by pages: `chunk_vectors` or `question_vectors`."""
    values, (sections,) = _columns(database, query, "section")
    return Vectors(values, sections)


def passages(database: Database) -> Passages:
    """Read all chunks that have a vector."""
    values, columns = _columns(database, "chunk_passages", "section", "title", "text")
    return Passages(values, *columns)


def _columns(database: Database, query: str, *names: str) -> tuple[NDArray[np.float32], list[list[str]]]:
    columns: list[list[str]] = [[] for _ in names]
    pages = []
    for page in database.pages(catalogue.get(query), PAGE):
        for name, column in zip(names, columns, strict=True):
            column += [row[name] for row in page]
        pages.append(np.array([row["vector"] for row in page], dtype=np.float32))
    if not pages:
        raise InputError("the graph has no vectors to train on; run: medgraph index")
    return np.concatenate(pages), columns
