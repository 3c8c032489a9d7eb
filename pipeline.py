"""Steps that cross the folders: what a load needs afterwards, and everything at once for a first try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from .database import Database
    from .embeddings.encoder import TextEncoder
    from .settings import Settings

FIRST_QUESTION: Final = "What are the symptoms of type 2 diabetes?"


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
    from .embeddings import store
    from .loaders.chunking import index_chunks
    from .schema import migrate

    if rebuild:
        store.rebuild(database, encoder)
    migrate.check(database, encoder.name, encoder.dimension)
    made = index_chunks(database, encoder) if what != "embeddings" else 0
    chunks, questions = store.index_embeddings(database, encoder) if what != "chunks" else (0, 0)
    return f"{made:,} chunks made; {chunks:,} chunks and {questions:,} questions embedded by {encoder.name}"


def quickstart(
    settings: Settings, database: Database, encoder: Callable[[], TextEncoder], report: Callable[[str], None]
) -> dict[str, Any]:
    """Bring up schema, sample and indexes, and ask a first question.

    Args:
        settings: Where rejects go.
        database: The graph; its server runs.
        encoder: Gives the encoder.
        report: Is told each step.

    Returns:
        The answer as plain data.

    Raises:
        MedgraphError: A step failed; the message says which and what mends it.
    """
    from .answers.answerer import Answerer
    from .loaders.named import load_named
    from .queries.retriever import Retriever
    from .schema import migrate

    migrate.apply(database, encoder().name, encoder().dimension, report)
    report(load_named(database, settings, "sample").summary())
    report(index(database, encoder(), "all"))
    return Answerer(database, Retriever(database, encoder), encoder).ask(FIRST_QUESTION).as_dict()
