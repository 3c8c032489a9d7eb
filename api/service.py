"""What the routes call: answers, searches and look-ups over one graph, bounded in number, and ready or not."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from ..answers.answerer import EXTRACTIVE, GENERATED
from ..answers.assembly import make_answerer, make_retriever
from ..answers.composers.composer import untold
from ..answers.composers.generated import no_model
from ..answers.outline import named_in, numbers_of
from ..answers.verify.verifier import DROP
from ..errors import EncoderError, IndexNotReadyError, MedgraphError, NotInGraphError
from ..graph import catalogue
from ..queries.concepts import card_of
from ..queries.find import find_entities
from ..queries.paths import find_paths
from ..queries.similar import find_similar
from ..queries.subgraphs import find_subgraph
from ..queries.voices import backed
from ..schema import migrate
from .overview import Overviews
from .turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ..answers.answer import Answer
    from ..answers.answerer import Answerer
    from ..answers.composers.composer import Tell
    from ..answers.verify.reader import Reader
    from ..embeddings.encoders.encoder import TextEncoder
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..graph.database import Database
    from ..models.protocol import Model
    from ..queries.cards import Card
    from ..queries.entities import LinkerOf
    from ..queries.evidence import Evidence
    from ..queries.filters import Filters
    from ..queries.find import FoundEntity
    from ..queries.paths import PairPaths
    from ..queries.retriever import Retriever
    from ..queries.similar import SimilarConcepts
    from ..queries.subgraphs import Subgraph
    from .overview import Overview

AT_ONCE: Final = 4
PATIENCE: Final = 10.0
"""Seconds that a request waits for its turn."""

RETRY_TIME: Final = 2.0
"""Seconds for which the service tries again what fails because the database is away."""

FIRST_QUESTION: Final = "What are the symptoms of diabetes?"
TIME_LIMIT: Final = 10.0
"""Seconds that the database may spend on one statement."""


class Service:
    """Everything the service does; it only reads.

    Args:
        database: The graph.
        load_encoder: Loads the encoder when it is first needed.
        linker: Gives what finds names in questions.
        at_once: How many questions are worked on at the same time.
        patience: Seconds that a request waits for its turn before it is told to come back.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        composer: What answers are composed of where a request does not say.
        load_reader: Loads what reads claims together with their evidence; it gives None where nothing does.
        load_sentence_reader: Loads what reads sentences together with questions; it gives None where nothing does.
        load_model: Opens the language model, when it is first to write or read.
        model_reads: What the language model reads in place of rules.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what loads what, and what bounds it
        self,
        database: Database,
        load_encoder: Callable[[], TextEncoder],
        linker: LinkerOf,
        at_once: int = AT_ONCE,
        patience: float = PATIENCE,
        unsupported: str = DROP,
        composer: str = EXTRACTIVE,
        load_reader: Callable[[], Reader | None] = lambda: None,
        load_sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
        load_model: Callable[[], Model] = no_model,
        model_reads: Collection[str] = (),
    ) -> None:
        self._database = database
        self._load_encoder = load_encoder
        self._load_reader = load_reader
        self._load_sentence_reader = load_sentence_reader
        self._load_model = load_model
        self._model_reads = model_reads
        self._linker = linker
        self._unsupported = unsupported
        self._composer = composer
        self._turns = Turns(at_once, patience)
        self._lock = threading.Lock()
        self._made: tuple[Retriever, Answerer, TextEncoder] | None = None
        self._checking = threading.Lock()
        self._warming = False
        self._overviews = Overviews(database, self._ask)

    @property
    def writes(self) -> bool:
        """Whether a language model writes answers where a request does not say."""
        return bool(self._composer == GENERATED)

    def answer(
        self,
        question: str,
        filters: Filters,
        previous: Sequence[str] = (),
        composer: str | None = None,
        tell: Tell = untold,
    ) -> Answer:
        """Answer a question.

        Args:
            question: What a user typed.
            filters: What evidence may be.
            previous: Earlier questions of the same dialogue, oldest first.
            composer: What the answer is composed of; None for what the service is set to.
            tell: Told what becomes of the answer while a language model writes it.

        Returns:
            The answer.

        Raises:
            InputError: The question or a filter cannot be used.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn(writing=(composer or self._composer) == GENERATED):
            return self._parts()[1].ask(question, filters, previous, composer, tell)

    def search(self, question: str, filters: Filters, *, as_typed: bool, **options: Any) -> Evidence:
        """Search for sections.

        Args:
            question: What a user typed.
            filters: What results may be.
            as_typed: Whether all words of a message count alike.
            **options: Those of `Retriever.search`.

        Returns:
            Results, best first, with what facts and paths of what is named are read from.

        Raises:
            InputError: The question or an option cannot be used.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            retriever = self._parts()[0]
            asked = retriever.question(question, filters, as_typed=as_typed)
            return retriever.search(asked, **options)

    def section(self, name: str) -> dict[str, Any] | None:
        """Look up a section.

        Args:
            name: Its id.

        Returns:
            The section with its document, or None.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return next(iter(self._database.read(catalogue.get("section"), section=name)), None)

    def entities(self, text: str, limit: int) -> list[FoundEntity]:
        """Find entities by id or name.

        Args:
            text: An id, a name, or words that name an entity.
            limit: How many at most.

        Returns:
            Entities, best first.

        Raises:
            InputError: The text cannot be used.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return find_entities(self._database, self._linker, text, limit)

    def entity(self, name: str) -> Card | None:
        """Look up an entity.

        Args:
            name: Its id, or the CUI of a concept, for the entity that fits it best.

        Returns:
            Its card, or None.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return card_of(self._database, name)

    def paths(self, names: Sequence[str], **options: Any) -> list[PairPaths]:
        """Find paths between each two of some things.

        Args:
            names: Names or ids of two things or more.
            **options: Those of `find_paths`.

        Returns:
            The paths of each pair, in the order of the names.

        Raises:
            InputError: A name or an option cannot be used.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return find_paths(self._database, self._linker, names, encoder=lambda: self._parts()[2], **options)

    def similar(self, name: str, **options: Any) -> SimilarConcepts:
        """Find what stands in like relations as something does.

        Args:
            name: Id of an entity or a concept.
            **options: Those of `find_similar`.

        Returns:
            What is nearest to it.

        Raises:
            InputError: An option cannot be used.
            NotInGraphError: Nothing has this id, or it has no vector, or the graph has none.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            rows = self._database.read(catalogue.get("concept_called"), id=name.removeprefix("UMLS:"))
            if not rows:
                raise NotInGraphError("there is no entity with this id")
            return find_similar(self._database, rows[0]["concept"], **options)

    def subgraph(self, name: str, **options: Any) -> Subgraph:
        """Tell what goes with something.

        Args:
            name: A name or an id.
            **options: Those of `find_subgraph`.

        Returns:
            Its relations, and the same in words.

        Raises:
            InputError: The name or an option cannot be used.
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return find_subgraph(self._database, self._linker, name, **options)

    def evidence(self, answer: Answer) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Look up what an answer rests on.

        Args:
            answer: The answer.

        Returns:
            Rows of the query `answer_graph`, one for each section that is there, and those of the query `answer_facts`.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            rows = self._database.read(catalogue.get("answer_graph"), sections=list(numbers_of(answer)))
            return rows, backed(self._database, self._database.read(catalogue.get("answer_facts"), **named_in(answer)))

    def sources(self) -> list[dict[str, Any]]:
        """List what is loaded.

        Returns:
            Rows of source, licence, version, documents and more.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return self._database.read(catalogue.get("sources"))

    def overview(self) -> Overview:
        """Tell what is loaded, with questions that it answers.

        Returns:
            Both, as they were when the graph last changed.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return self._overviews.current()

    def choices(self) -> Mapping[str, Sequence[str]]:
        """List what can be filtered by.

        Returns:
            Values by the name of the filter.

        Raises:
            BusyError: No turn came in time.
            DatabaseError: The database refused or went away.
        """
        with self._turns.turn():
            return self._overviews.choices()

    def warm_up(self) -> None:
        """Load the encoder, ask once for what database and processor do slowly the first time, and look round.

        Questions are answered meanwhile; only `check` says that the service is not ready. What fails now is tried
        again, and told, when somebody asks.
        """
        self._warming = True
        try:
            with suppress(MedgraphError):
                self._ask(FIRST_QUESTION)
                self._overviews.current()
        finally:
            self._warming = False

    def check(self) -> None:
        """Make sure that a question could be answered now.

        Raises:
            IndexNotReadyError: An index is not online, or the service warms up.
            SchemaError: The graph lacks a migration.
            EncoderError: The encoder cannot be had, or the graph's vectors are from another.
            DatabaseError: The database refused or went away.
        """
        if self._warming:
            raise IndexNotReadyError("the service has just started and warms up")
        if not self._checking.acquire(timeout=1):
            raise IndexNotReadyError("the last look at the database has not come back yet")
        try:
            self._look()
        except EncoderError:
            self._made = None  # the next question finds out for itself
            raise
        finally:
            self._checking.release()

    def _ask(self, question: str) -> Answer:
        """Answer a question that nobody asked; no language model is paid for that."""
        return self._parts()[1].ask(question, composer=EXTRACTIVE if self._composer == GENERATED else None)

    def _look(self) -> None:
        _, _, encoder = self._parts()
        migrate.check(self._database, encoder.name, encoder.dimension)
        states = {row["name"]: row["state"] for row in self._database.read(catalogue.get("index_states"))}
        wanted = states.keys() | migrate.index_names()
        if waiting := sorted(name for name in wanted if states.get(name) != "ONLINE"):
            raise IndexNotReadyError(f"indexes that are not online: {', '.join(waiting)}")

    def _parts(self) -> tuple[Retriever, Answerer, TextEncoder]:
        """Make retriever and answerer once; what fails is tried again by the next request."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def _make(self) -> tuple[Retriever, Answerer, TextEncoder]:
        searching = make_retriever(self._database, self._load_encoder, self._linker)
        reader, sentences = self._load_reader(), self._load_sentence_reader()
        answerer = make_answerer(
            self._database,
            self._load_encoder,
            self._linker,
            self._unsupported,
            self._composer,
            lambda: reader,
            lambda: sentences,
            self._load_model,
            searching,
            self._model_reads,
        )
        return searching[0], answerer, searching[1]()
