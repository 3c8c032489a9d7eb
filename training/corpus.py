"""What training reads: the graph's vectors, and question files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from defusedxml import ElementTree

from ..errors import InputError, SourceFileError
from ..graph import catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from ..graph.database import Database

PAGE: Final = 2000


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of texts that answer.

    Attributes:
        values: (texts, dimension) float32 of unit length.
        sections: The section of each row.
    """

    values: NDArray[np.float32]
    sections: list[str]


def vectors(database: Database, query: str) -> Vectors:
    """Read vectors.

    Args:
        database: The graph.
        query: A statement that gives them by pages: `chunk_vectors` or `question_vectors`.

    Returns:
        The vectors.

    Raises:
        InputError: The graph has none.
        DatabaseError: The database refused or went away.
    """
    sections: list[str] = []
    pages = []
    for page in database.pages(catalogue.get(query), PAGE):
        sections += [row["section"] for row in page]
        pages.append(np.array([row["vector"] for row in page], dtype=np.float32))
    if not pages:
        raise InputError("the graph has no vectors to train on; run: medgraph index")
    return Vectors(np.concatenate(pages), sections)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions.

    Attributes:
        asked: As somebody asked.
        short: Another one.
        entails: Whether an answer of the other one answers it, at least in part.
    """

    asked: str
    short: str
    entails: bool


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs of RQE (AMIA 2016): XML with `pair` elements of `chq`, `faq` and the attribute `value`.

    Args:
        path: The file.

    Returns:
        The pairs of two different questions.

    Raises:
        SourceFileError: The file is no such XML, has entities in it, or has pairs of one value only.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ValueError, ElementTree.ParseError) as error:  # of forbidden entities, too
        raise SourceFileError(f"cannot be read: {error}; give RQE's training file", path) from error
    found = []
    for element in root.iter("pair") if root is not None else ():
        asked, short = (" ".join((element.findtext(name) or "").split()) for name in ("chq", "faq"))
        if asked and short and asked.lower() != short.lower():
            found.append(Pair(asked, short, element.get("value") == "true"))
    if len({pair.entails for pair in found}) < 2:
        raise SourceFileError("has not pairs of both values, true and false; give RQE's training file", path)
    return found
