"""Updates the index after a load: chunks of new sections, and vectors for new or stale texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..graph.engine import LOCAL
from ..schema import migrate
from . import store
from .chunking import index_chunks
from .sentence_vectors import index_sentences

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..graph.engine import Engine
    from .encoders.encoder import TextEncoder


@dataclass(frozen=True, slots=True)
class Indexed:
    """What was made.

    Attributes:
        encoder: The encoder's name.
        chunks: How many chunks were cut.
        embedded_chunks: How many chunks were given a vector.
        embedded_questions: How many questions were.
        embedded_sentences: How many sentences were that answers may quote.
    """

    encoder: str
    chunks: int
    embedded_chunks: int
    embedded_questions: int
    embedded_sentences: int

    def summary(self) -> str:
        """Say it in a sentence."""
        embedded = (
            f"{self.embedded_chunks:,} chunks, {self.embedded_questions:,} questions"
            f" and {self.embedded_sentences:,} sentences"
        )
        return f"{self.chunks:,} chunks made; {embedded} embedded by {self.encoder}"


def index(
    database: Database, encoder: TextEncoder, what: str, *, rebuild: bool = False, engine: Engine = LOCAL
) -> Indexed:
    """Cut and embed whatever is new or stale.

    Args:
        what: `chunks`, `embeddings` or `all`.
        rebuild: Forget all vectors first, as a change of encoder needs.
        engine: Computes chunks and vectors.

    Raises:
        SchemaMissingError: The schema has not been applied.
        EncoderMismatchError: The graph's vectors are from another encoder, and it is not a rebuild.
        DatabaseError: The database went away; what was committed stays.
    """
    if rebuild:
        store.rebuild(database, encoder)
    migrate.check(database, encoder.name, encoder.dimension)
    made = index_chunks(database, encoder, engine) if what != "embeddings" else 0
    if what == "chunks":
        return Indexed(encoder.name, made, 0, 0, 0)
    embedded = store.index_embeddings(database, encoder, engine)
    return Indexed(encoder.name, made, *embedded, index_sentences(database, encoder, engine))
