"""Put together what searches and answers, over a graph that is ready for it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ..queries.retriever import Retriever
from ..schema import migrate
from .answerer import EXTRACTIVE, Answerer
from .composers.generated import Generated, no_model
from .facts import asked_facts
from .model_reading import ModelReading
from .offers import follow_ups
from .related import asked_paths
from .verify.verifier import DROP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ..embeddings.encoders.encoder import TextEncoder
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..graph.database import Database
    from ..models.protocol import Model
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


def make_answerer(  # noqa: PLR0913, PLR0917 - what loads what
    database: Database,
    load_encoder: Callable[[], TextEncoder],
    linker: LinkerOf,
    unsupported: str = DROP,
    composer: str = EXTRACTIVE,
    load_reader: Callable[[], Reader | None] = lambda: None,
    load_sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
    load_model: Callable[[], Model] = no_model,
    searching: tuple[Retriever, Callable[[], TextEncoder]] | None = None,
    model_reads: Collection[str] = (),
) -> Answerer:
    """Make what answers.

    Args:
        database: The graph.
        load_encoder: Loads the encoder.
        linker: Gives what finds names in questions.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        composer: What answers are composed of: `extractive`, `graph` or `generated`.
        load_reader: Loads what reads claims together with their evidence, when the first answer is checked.
        load_sentence_reader: Loads what reads sentences together with questions, when the first answer is chosen.
        load_model: Opens the language model, when it is first to write.
        searching: From `make_retriever`, where that has been made already.
        model_reads: What the language model reads in place of rules: any of `messages`, `turns` and `passages`.

    Returns:
        The answerer.

    Raises:
        SchemaError: The graph lacks a migration.
        DatabaseError: The database refused or went away.
    """
    retriever, encoder = searching or make_retriever(database, load_encoder, linker)
    reader, model = functools.cache(load_reader), functools.cache(load_model)
    return Answerer(
        retriever,
        encoder,
        unsupported,
        composer,
        functools.partial(asked_facts, database),
        reader,
        functools.partial(follow_ups, database),
        functools.cache(load_sentence_reader),
        functools.cache(lambda: Generated(model(), unsupported, reader)),
        functools.partial(asked_paths, database, linker),
        functools.partial(ModelReading, model, model_reads),
    )
