"""Assembles retriever, answerer and models over one graph; makes each part when it is first needed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..queries.retriever import Retriever
from ..schema import migrate
from .answerer import EXTRACTIVE, Answerer
from .composers.composer import no_model
from .graph_facts import GraphFacts
from .model_reading import ModelReading
from .offers import follow_ups
from .retrieving import QuotableSentences
from .urgency import Emergencies
from .verify.verifier import DROP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ..embeddings.encoders.encoder import TextClassifier, TextEncoder
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..graph.database import Database
    from ..models.protocol import Model
    from ..queries.entities import LinkerOf
    from ..queries.question import Question
    from .answer import CitedFact
    from .composers.composer import Material
    from .composers.generated import ModelWriter
    from .part_answers import PartAnswer
    from .parts import QuestionPart
    from .pipelines.run import Pipelines
    from .verify.reader import ClaimReader


@dataclass(frozen=True)
class Assembly:
    """What searches and answers over one graph; each part is made once, when it is first needed.

    Attributes:
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        composer: What answers are composed of: `extractive`, `graph` or `generated`.
        load_reader: Loads what reads claims together with their evidence; it gives None where nothing does.
        load_sentence_reader: Loads what reads sentences together with questions; it gives None where nothing does.
        model_reads: What the language model reads in place of rules: any of `messages`, `turns` and `passages`.
        load_emergencies: Loads what tells emergencies; it gives None where cues alone do.
        emergency_number: The number to call in one; None says several with their places.
    """

    database: Database
    load_encoder: Callable[[], TextEncoder]
    linker: LinkerOf
    unsupported: str = DROP
    composer: str = EXTRACTIVE
    load_reader: Callable[[], ClaimReader | None] = lambda: None
    load_sentence_reader: Callable[[], SentenceReader | None] = lambda: None
    load_model: Callable[[], Model] = no_model
    model_reads: Collection[str] = ()
    load_emergencies: Callable[[], TextClassifier | None] = lambda: None
    emergency_number: str | None = None

    @cached_property
    def encoder(self) -> Callable[[], TextEncoder]:
        """What gives the encoder, refused when the graph's vectors are from another one."""

        @functools.cache
        def load() -> TextEncoder:
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
            offers=functools.partial(follow_ups, self.database),
            sentence_reader=self.sentence_reader,
            writer=functools.cache(lambda: self._writer(model())),
            paths=self._paths,
            reading=functools.partial(ModelReading, model, self.model_reads),
            pipelines=functools.cache(lambda quote: self.pipelines(model, quote)),
            emergencies=self.emergencies,
        )

    @cached_property
    def emergencies(self) -> Emergencies:
        """What recognises emergencies."""
        return Emergencies(functools.cache(self.load_emergencies), self.emergency_number)

    def _writer(self, model: Model) -> ModelWriter:
        """Make what lets a model write; it is imported where one is to."""
        from .composers.generated import ModelWriter

        return ModelWriter(model, self.unsupported, self.reader)

    def _paths(self, question: Question) -> Sequence[Sequence[CitedFact]]:
        """Find how the things asked about are related, for what a model writes."""
        from .facts import asked_paths

        return asked_paths(self.database, self.linker, question)

    def pipelines(self, model: Callable[[], Model], quote: Callable[[QuestionPart, Material], PartAnswer]) -> Pipelines:
        """Make what runs pipelines; it is imported where one is asked for."""
        from .pipelines.run import Pipelines
        from .pipelines.state import Tools

        sentences = QuotableSentences(self.encoder)
        tools = Tools(self.database, self.retriever, self.linker, self.encoder, sentences, quote)
        return Pipelines(tools, model, self.unsupported, self.reader)

    def load(self) -> None:
        """Make every part now but the language model."""
        self.answerer, self.encoder(), self.reader(), self.sentence_reader(), self.load_emergencies()
