"""Vectors for whatever in the graph is new or stale; interrupted, it goes on where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..graph.database import as_vector
from ..progress import progress
from ..schema import migrate
from ..text import context

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ..graph.database import Database
    from .encoders.encoder import TextEncoder

EMBED_BATCH: Final = 1024
"""Vectors a transaction."""


def index_embeddings(database: Database, encoder: TextEncoder) -> tuple[int, int]:
    """Embed chunks and questions that have no vector of this encoder; then wait for the indexes, and count both.

    Raises:
        EncoderMismatchError: The graph's vectors are from another encoder.
        DatabaseError: The database went away; what was committed stays.
    """
    migrate.check(database, encoder.name, encoder.dimension)
    stale = database.read(catalogue.get("count_unembedded"), model=encoder.name)[0]
    with progress("embedding chunks", "chunk", stale["chunks"]) as bar:
        made = _embed(database, encoder, "chunk", passage, bar.update)
    with progress("embedding questions", "question", stale["questions"]) as bar:
        asked = _embed(database, encoder, "question", lambda row: row["text"], bar.update)
    database.wait_for_indexes()
    return made, asked


def rebuild(database: Database, encoder: TextEncoder) -> None:
    """Forget all vectors and make the vector indexes anew for this encoder; `index_embeddings` fills them.

    Raises:
        DatabaseError: The database went away; run it again.
    """
    for name in ("drop_chunk_embedding_index", "drop_question_embedding_index", "clear_embeddings"):
        database.run(catalogue.get(name))
    database.write(catalogue.get("record_encoder"), name=encoder.name, dimension=encoder.dimension)
    for migration in migrate.migrations():
        for statement in migration.statements:
            if statement.parameters:
                migrate.create(database, statement, encoder.dimension)
    database.wait_for_indexes()


def _embed(
    database: Database,
    encoder: TextEncoder,
    kind: str,
    text: Callable[[dict[str, Any]], str],
    advance: Callable[[int], object],
) -> int:
    done = 0
    write = catalogue.get(f"write_{kind}_embeddings")
    for rows in database.pages(catalogue.get(f"unembedded_{kind}s"), EMBED_BATCH, model=encoder.name):
        texts = [text(row) for row in rows]
        distinct = list(dict.fromkeys(texts))
        vectors = dict(zip(distinct, _packed(encoder.encode(distinct)), strict=True))
        stored = [{"id": row["id"], "vector": vectors[t]} for row, t in zip(rows, texts, strict=True)]
        database.write(write, rows=stored, model=encoder.name)
        done += len(rows)
        advance(len(rows))
    return done


def _packed(vectors: NDArray[np.float32]) -> list[Any]:
    return [as_vector(row) for row in vectors]


def passage(row: dict[str, Any]) -> str:
    """Write a chunk, with its title and its question or heading, as it is embedded."""
    return f"{context(row['title'], row['question'])}\n{row['text']}"
