"""What training reads from the graph: its vectors, and what they were made from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.store import passage
from ..errors import InputError
from ..graph import catalogue

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from ..graph.database import Database

PAGE: Final = 2000


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of texts that answer.

    Attributes:
        values: (texts, dimension) float32 of unit length.
    """

    values: NDArray[np.float32]
    sections: list[str]

    def units(self) -> NDArray[np.float32]:
        """Give the vectors, scaled to length one."""
        scaled: NDArray[np.float32] = self.values / np.linalg.norm(self.values, axis=1, keepdims=True)
        return scaled

    def rows(self) -> dict[str, list[int]]:
        """Give the rows of each section.

        Returns:
            Section → rows.
        """
        rows: dict[str, list[int]] = defaultdict(list)
        for row, section in enumerate(self.sections):
            rows[section].append(row)
        return dict(rows)


@dataclass(frozen=True, slots=True)
class Passages(Vectors):
    """Vectors of passages, and what they say."""

    titles: list[str]
    texts: list[str]


@dataclass(frozen=True, slots=True)
class Embedded(Passages):
    """Vectors of passages, with what they were made from.

    Attributes:
        stored: What each row was embedded with: title, question and text.
    """

    stored: list[str]

    def of(self, sections: Container[str]) -> Embedded:
        """Keep the rows of some sections."""
        rows = [row for row, section in enumerate(self.sections) if section in sections]
        columns = (self.sections, self.titles, self.texts, self.stored)
        return Embedded(self.values[rows], *([column[row] for row in rows] for column in columns))


def vectors(database: Database, query: str) -> Vectors:
    """Read vectors."""
    values, (sections,) = _columns(database, query, "section")
    return Vectors(values, sections)


def passages(database: Database) -> Passages:
    """Read all chunks that have a vector."""
    values, columns = _columns(database, "chunk_passages", "section", "title", "text")
    return Passages(values, *columns)


def embedded(database: Database, source: str) -> Embedded:
    """Read the chunks of a source, with what they were embedded with."""
    names = ("section", "title", "question", "text")
    values, (sections, titles, questions, texts) = _columns(database, "training_passages", *names, source=source)
    rows = zip(titles, questions, texts, strict=True)
    stored = [passage({"title": title, "question": question, "text": text}) for title, question, text in rows]
    return Embedded(values, sections, titles, texts, stored)


def _columns(database: Database, query: str, *names: str, **given: str) -> tuple[NDArray[np.float32], list[list[str]]]:
    columns: list[list[str]] = [[] for _ in names]
    pages = []
    for page in database.pages(catalogue.get(query), PAGE, **given):
        for name, column in zip(names, columns, strict=True):
            column += [row[name] for row in page]
        pages.append(np.array([row["vector"] for row in page], dtype=np.float32))
    if not pages:
        raise InputError("the graph has no vectors to train on; run: medgraph index")
    return np.concatenate(pages), columns
