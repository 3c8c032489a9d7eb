"""What a load needs afterwards: chunks of new sections, and vectors for whatever is new or stale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..schema import migrate
from . import store
from .chunking import index_chunks

if TYPE_CHECKING:
    from ..graph.database import Database
    from .encoders.encoder import TextEncoder


def index(database: Database, encoder: TextEncoder, what: str, *, rebuild: bool = False) -> str:
    """Cut and embed whatever is new or stale.

    Args:
        database: The graph.
        encoder: Counts tokens and makes vectors.
        what: `chunks`, `embeddings` or `all`.
        rebuild: Forget all vectors first, as a change of encoder needs.

    Returns:
        What was done, in a sentence.

    Raises:
        SchemaMissingError: The schema has not been applied.
        EncoderMismatchError: The graph's vectors are from another encoder, and it is not a rebuild.
        DatabaseError: The database went away; what was committed stays.
    """
    if rebuild:
        store.rebuild(database, encoder)
    migrate.check(database, encoder.name, encoder.dimension)
    made = index_chunks(database, encoder) if what != "embeddings" else 0
    chunks, questions = store.index_embeddings(database, encoder) if what != "chunks" else (0, 0)
    return f"{made:,} chunks made; {chunks:,} chunks and {questions:,} questions embedded by {encoder.name}"
