"""Put together what searches and answers, over a graph that is ready for it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ..queries.retriever import Retriever
from ..schema import migrate
from .answerer import EXTRACTIVE, Answerer
from .facts import asked_facts
from .offers import follow_ups
from .verify.verifier import DROP

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..embeddings.encoders.encoder import TextEncoder
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..graph.database import Database
    from ..queries.entities import LinkerOf
    from .verify.reader import Reader


def make_retriever(
    database: Database, load_encoder: Callable[[], TextEncoder], linker: LinkerOf
) -> tuple[Retriever, Callable[[], TextEncoder]]:
    """Make what searches.

    Args:
        database: The graph.
        load_encoder: Loads the encoder; it is called once, when the encoder is first needed.
        linker: Gives what finds names in questions.

    Returns:
        The retriever, and what gives its encoder, refused when the graph's vectors are from another one.

    Raises:
        SchemaError: The graph lacks a migration.
        DatabaseError: The database refused or went away.
    """
    migrate.check(database)

    @functools.cache
    def load() -> TextEncoder:
        encoder = load_encoder()
        migrate.check_encoder(database, encoder.name, encoder.dimension)
        return encoder

    return Retriever(database, load, linker), load


def make_answerer(
    database: Database,
    load_encoder: Callable[[], TextEncoder],
    linker: LinkerOf,
    unsupported: str = DROP,
    composer: str = EXTRACTIVE,
    load_reader: Callable[[], Reader | None] = lambda: None,
    load_sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
) -> Answerer:
    """Make what answers.

    Args:
        database: The graph.
        load_encoder: Loads the encoder.
        linker: Gives what finds names in questions.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        composer: What answers are composed of: `extractive` or `graph`.
        load_reader: Loads what reads claims together with their evidence, when the first answer is checked.
        load_sentence_reader: Loads what reads sentences together with questions, when the first answer is chosen.

    Returns:
        The answerer.

    Raises:
        SchemaError: The graph lacks a migration.
        DatabaseError: The database refused or went away.
    """
    retriever, encoder = make_retriever(database, load_encoder, linker)
    facts, offers = functools.partial(asked_facts, database), functools.partial(follow_ups, database)
    return Answerer(
        retriever,
        encoder,
        unsupported,
        composer,
        facts,
        functools.cache(load_reader),
        offers,
        functools.cache(load_sentence_reader),
    )
