"""Assembles retriever, answerer and models over one graph; makes each part when it is first needed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..queries.retriever import Retriever
from .answerer import EXTRACTIVE, Answerer
from .emergencies import Emergencies
from .facts import requested_paths
from .graph_facts import GraphFacts
from .part_answers import no_model
from .scoring import QuotableSentences
from .verify.verifier import DROP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ..embeddings.encoders.encoder import TextClassifier, TextEncoder
    from ..embeddings.reranking import SentenceReader
    from ..graph.database import Database
    from ..models.protocol import Model
    from ..queries.entities import LinkerOf
    from .answer import Answer
    from .generated import ModelWriter
    from .model_reading import ModelReading
    from .part_answers import Material, PartAnswer
    from .parts import QuestionPart
    from .pipelines.pipeline import Pipelines
    from .verify.reader import ClaimReader


@dataclass(frozen=True)
class Assembly:
    """What searches and answers over one graph; each part is made once, when it is first needed."""

    database: Database
    load_encoder: Callable[[], TextEncoder]
    linker: LinkerOf
    unsupported: str = DROP  # what becomes of sentences that what they cite does not support: `drop` or `flag`
    composer: str = EXTRACTIVE  # what answers are composed of: `extractive`, `graph` or `generated`
    # Loads what reads claims together with their evidence; it gives None where nothing does.
    load_reader: Callable[[], ClaimReader | None] = lambda: None
    # Loads what reads sentences together with questions; it gives None where nothing does.
    load_sentence_reader: Callable[[], SentenceReader | None] = lambda: None
    load_model: Callable[[], Model] = no_model
    # What the language model reads in place of rules: any of `messages`, `turns` and `passages`.
    model_reads: Collection[str] = ()
    # Loads what tells emergencies; where it gives None, only who asks for first aid is told what to do.
    load_emergencies: Callable[[], TextClassifier | None] = lambda: None
    emergency_number: str | None = None  # the number to call in one; None says several with their places

    @cached_property
    def encoder(self) -> Callable[[], TextEncoder]:
        """What gives the encoder, refused when the graph's vectors are from another one."""

        @functools.cache
        def load() -> TextEncoder:
            from ..schema import migrate

            encoder = self.load_encoder()
            migrate.check_encoder(self.database, encoder.name, encoder.dimension)
            return encoder

        return load

    @cached_property
    def reader(self) -> Callable[[], ClaimReader | None]:
        """What gives the reader of claims."""
        return functools.cache(self.load_reader)

    @cached_property
    def sentence_reader(self) -> Callable[[], SentenceReader | None]:
        """What gives the reader of sentences."""
        return functools.cache(self.load_sentence_reader)

    @cached_property
    def retriever(self) -> Retriever:
        """What searches; making it raises SchemaError where the graph lacks a migration."""
        from ..schema import migrate

        migrate.check(self.database)
        return Retriever(self.database, self.encoder, self.linker)

    @cached_property
    def answerer(self) -> Answerer:
        """What answers; making it raises SchemaError where the graph lacks a migration."""
        model = functools.cache(self.load_model)
        return Answerer(
            self.retriever,
            self.encoder,
            unsupported=self.unsupported,
            composer=self.composer,
            facts=GraphFacts(self.database),
            reader=self.reader,
            offers=self._offers,
            sentence_reader=self.sentence_reader,
            writer=functools.cache(lambda: self._writer(model())),
            paths=functools.partial(requested_paths, self.database, self.linker),
            reading=functools.partial(self._reading, model),
            pipelines=functools.cache(lambda quote: self.pipelines(model, quote)),
            emergencies=self.emergencies,
        )

    @cached_property
    def emergencies(self) -> Emergencies:
        """What recognises emergencies."""
        return Emergencies(functools.cache(self.load_emergencies), self.emergency_number)

    def _offers(self, answer: Answer) -> tuple[str, ...]:
        from .offers import follow_ups

        return follow_ups(self.database, answer)

    def _reading(self, model: Callable[[], Model]) -> ModelReading | None:
        if not self.model_reads:
            return None
        from .model_reading import ModelReading

        return ModelReading(model, self.model_reads)

    def _writer(self, model: Model) -> ModelWriter:
        from .generated import ModelWriter

        return ModelWriter(model, self.unsupported, self.reader)

    def pipelines(self, model: Callable[[], Model], quote: Callable[[QuestionPart, Material], PartAnswer]) -> Pipelines:
        """Make what runs pipelines; it is imported where one is asked for."""
        from .pipelines.pipeline import Pipelines, Tools

        sentences = QuotableSentences(self.encoder)
        tools = Tools(self.database, self.retriever, self.linker, self.encoder, sentences, quote)
        return Pipelines(tools, model, self.unsupported, self.reader)

    def load(self) -> None:
        """Make every part now but the language model."""
        self.answerer, self.encoder(), self.reader(), self.sentence_reader(), self.load_emergencies()
