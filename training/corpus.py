"""What training reads from the graph: its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InputError
from ..graph import catalogue

if TYPE_CHECKING:
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
