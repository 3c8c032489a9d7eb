"""Service behind the routes: answers, searches and look-ups over one graph, limited in concurrency."""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ..answers.answerer import EXTRACTIVE, GENERATED, GRAPH
from ..answers.offers import OFFERED, examples
from ..answers.outline import named_in, numbers_of
from ..answers.part_answers import Tell, untold
from ..answers.understanding import first_steps
from ..errors import EncoderError, IndexNotReadyError, MedgraphError, NotInGraphError, QueryTimeoutError
from ..graph import catalogue
from ..graph.foreign import Table, read_foreign
from ..queries.concepts import Fact, called_nearly, card_of, find_facts, quoted
from ..queries.enrichment import Enrichment, enrich
from ..queries.filters import EVERYTHING, Filters, Scope, sources_within
from ..queries.find import FoundEntity, find_entities
from ..queries.hits import Evidence, aged
from ..queries.paths import PairPaths, find_paths
from ..queries.saved import run_with, why_empty
from ..queries.similar import SimilarConcepts, find_similar
from ..queries.subgraphs import Subgraph, find_subgraph
from ..queries.voices import backed
from ..schema import migrate
from .problems import NOT_READY, BusyError, LimitedKeyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..answers.answer import Answer
    from ..answers.assembly import Assembly
    from ..answers.pipelines.pipeline import Chosen
    from ..graph.database import Database, Row
    from ..queries.cards import Card


AT_ONCE: Final = 4
PATIENCE: Final = 10.0  # seconds that a request waits for its turn
# Seconds for which the service tries again what fails because the database is away.
RETRY_TIME: Final = 2.0
FIRST_QUESTION: Final = "What are the symptoms of diabetes?"
TIME_LIMIT: Final = 10.0  # seconds that the database may spend on one statement


class Service:
    """Everything the service does; it only reads.

    Each look-up waits for a turn. It raises BusyError where none came in time, InputError for what cannot be used, and
    DatabaseError where a statement fails.

    Args:
        assembly: What searches and answers; it is loaded by the first request that needs it.
        at_once: How many questions are worked on at the same time.
        patience: Seconds that a request waits for its turn before it is told to come back.
    """

    def __init__(self, assembly: Assembly, at_once: int = AT_ONCE, patience: float = PATIENCE) -> None:
        self._assembly, self._loaded = assembly, False
        self._database, self._linker = assembly.database, assembly.linker
        self._turns = Turns(at_once, patience)
        self._lock, self._checking = threading.Lock(), threading.Lock()
        self._warming = self._ended = False
        self._overviews = Overviews(self._database, self._ask)
        self._scope, self._whole = EVERYTHING, self
        self._within: dict[Scope, Service] = {}

    def within(self, scope: Scope) -> Service:
        """Give what serves somebody who may be told of a part of the graph: the same for the same part."""
        if not scope:
            return self
        with self._lock:
            if scope not in self._within:
                self._within[scope] = one = copy(self)
                one._scope = scope  # noqa: SLF001 # its own
                one._overviews = Overviews(self._database, scope=scope)  # noqa: SLF001
            return self._within[scope]

    def require_whole(self) -> None:
        """Make sure that whoever asks may be told of everything; LimitedKeyError else."""
        if self._scope:
            raise LimitedKeyError

    @property
    def is_limited(self) -> bool:
        """Whether it tells of a part of the graph only."""
        return bool(self._scope)

    @property
    def writes(self) -> bool:
        """Whether a language model writes answers where a request does not say."""
        return bool(self._assembly.composer == GENERATED)

    @property
    def notice(self) -> str:
        """That an answer is no medical advice, with the number to call in an emergency."""
        return self._assembly.emergencies.notice

    def answer(
        self,
        question: str,
        filters: Filters,
        previous: Sequence[str] = (),
        composer: str | None = None,
        tell: Tell = untold,
        pipeline: Chosen | None = None,
    ) -> Answer:
        """Answer a question, as `Answerer.ask` does; where that cannot be now, say what to do first in an emergency."""
        wanted = composer or self._assembly.composer
        writing = pipeline is not None or wanted == GENERATED
        try:
            with self._turn(limited=pipeline is None and wanted != GRAPH, writing=writing):
                filters = self._cut(filters)
                return self._parts().answerer.ask(question, filters, previous, composer, tell, pipeline)
        except (*NOT_READY, BusyError, QueryTimeoutError):
            if first := first_steps(self._assembly.emergencies, question, previous):
                return first
            raise

    def search(self, question: str, filters: Filters, *, as_typed: bool, **options: Any) -> Evidence:
        """Search for sections; `as_typed` counts all words of a message alike, and others are those of the search."""
        with self._turn(limited=True):
            filters, retriever = self._cut(filters), self._parts().retriever
            return retriever.search(retriever.question(question, filters, as_typed=as_typed), **options)

    def section(self, name: str) -> Row | None:
        """Look up a section with its document by its id."""
        with self._turn(limited=True):
            return self._first(map(aged, self._database.read(catalogue.get("section"), section=name)))

    def entities(self, text: str, limit: int) -> list[FoundEntity]:
        """Find entities by an id, a name, or words that name one; best first."""
        with self._turn():
            return find_entities(self._database, self._linker, text, limit)

    def entity(self, name: str) -> Card | None:
        """Give the card of an entity by its id, or of the one that fits a concept best by its CUI."""
        with self._turn():
            return card_of(self._database, name)

    def called_nearly(self, name: str) -> str:
        """Say what is called nearly so, for whoever looked up what nothing is called."""
        with self._turn():
            return called_nearly(self._database, name)

    def paths(self, names: Sequence[str], **options: Any) -> list[PairPaths]:
        """Find paths between each two of some things, in the order of their names."""
        with self._turn():
            return find_paths(self._database, self._linker, names, encoder=lambda: self._parts().encoder(), **options)

    def similar(self, name: str, **options: Any) -> SimilarConcepts:
        """Find what stands in like relations as an entity or a concept; NotInGraphError where that has no vector."""
        with self._turn():
            rows = self._database.read(catalogue.get("concept_called"), id=name.removeprefix("UMLS:"))
            if not rows:
                raise NotInGraphError(f"there is no entity with the id {quoted(name)}")
            return find_similar(self._database, rows[0]["concept"], **options)

    def subgraph(self, name: str, **options: Any) -> Subgraph:
        """Tell what goes with something, by its relations and in words."""
        with self._turn():
            return find_subgraph(self._database, self._linker, name, **options)

    def enrich(self, names: Sequence[str], **options: Any) -> Enrichment:
        """Test what has more of some concepts than expected."""
        with self._turn():
            return enrich(self._database, self._linker, names, **options)

    def facts(self, head: str, relation: str, tail: str, limit: int) -> list[Fact]:
        """Find relations by head, relation and tail, as `find_facts` does."""
        with self._turn():
            return find_facts(self._database, self._linker(), head, relation, tail, limit)

    def saved(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Run a saved query."""
        with self._turn():
            return run_with(self._database, name, parameters)

    def why_empty(self, name: str, parameters: Mapping[str, Any]) -> str:
        """Say what is missing where a saved query finds nothing."""
        with self._turn():
            return why_empty(self._database, name, parameters)

    def foreign(self, statement: str, parameters: Mapping[str, Any], seconds: float) -> Table:
        """Run a statement of somebody else, if it only reads the graph."""
        with self._turn():
            return read_foreign(self._database, statement, parameters, seconds)

    def document(self, name: str) -> Row | None:
        """Look up a document with its sections by its id."""
        with self._turn(limited=True):
            return self._first(map(aged, self._database.read(catalogue.get("document"), document=name)))

    def evidence(self, answer: Answer) -> tuple[list[Row], list[Row]]:
        """Give rows of `answer_graph`, one for each cited section that is there, and of `answer_facts`."""
        with self._turn(limited=True):
            rows = self._database.read(catalogue.get("answer_graph"), sections=list(numbers_of(answer)))
            if self._scope:
                return rows, []
            return rows, backed(self._database, self._database.read(catalogue.get("answer_facts"), **named_in(answer)))

    def sources(self) -> list[Row]:
        """List what is loaded."""
        with self._turn(limited=True):
            return self._scope.passing(self._database.read(catalogue.get("sources")))

    def overview(self) -> Overview:
        """Tell what is loaded, with questions that it answers, as it was when the graph last changed."""
        with self._turn(limited=True):
            return self._overviews.current()

    def choices(self) -> Mapping[str, Sequence[str]]:
        """Give values that can be filtered by, by the name of the filter."""
        with self._turn(limited=True):
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

    def end(self) -> None:
        """Begin no more questions that nobody asked."""
        self._ended = True

    def check(self) -> None:
        """Make sure that a question could be answered now; a MedgraphError tells why not."""
        if self._warming:
            raise IndexNotReadyError("the service has just started and warms up")
        if not self._checking.acquire(timeout=1):
            raise IndexNotReadyError("the last look at the database has not come back yet")
        try:
            self._look()
        except EncoderError:
            self._assembly, self._loaded = replace(self._assembly), False  # the next question finds out for itself
            raise
        finally:
            self._checking.release()

    def _turn(self, *, limited: bool = False, writing: bool = False) -> AbstractContextManager[None]:
        """Give a turn to whoever may have one; `limited` says that what is told is cut to what they may be told of."""
        if not limited:
            self.require_whole()
        return self._turns.turn(writing=writing)

    def _cut(self, filters: Filters) -> Filters:
        """Cut filters to what may be told of; those by concept and heading go by names that all sources give."""
        if filters.concepts or filters.headings:
            self.require_whole()
        return replace(filters, scope=self._scope)

    def _first(self, rows: Iterable[Row]) -> Row | None:
        """Give the first row of a source that may be told of."""
        sources = sources_within(self._database, self._scope)
        return next((row for row in rows if sources is None or row["source"] in sources), None)

    def _ask(self, question: str) -> Answer:
        """Answer a question that nobody asked; no language model is paid for that."""
        if self._ended:
            raise MedgraphError("the service ends")
        return self._parts().answerer.ask(question, composer=EXTRACTIVE if self.writes else None)

    def _look(self) -> None:
        encoder = self._parts().encoder()
        migrate.check(self._database, encoder.name, encoder.dimension)
        states = {row["name"]: row["state"] for row in self._database.read(catalogue.get("index_states"))}
        wanted = states.keys() | migrate.index_names(slot=self._database.slot)
        if waiting := sorted(name for name in wanted if states.get(name) != "ONLINE"):
            raise IndexNotReadyError(f"indexes that are not online: {', '.join(waiting)}")

    def _parts(self) -> Assembly:
        """Load all parts once; what fails is tried again by the next request."""
        whole = self._whole
        with self._lock:
            if not whole._loaded:  # noqa: SLF001 # its own
                whole._assembly.load()  # noqa: SLF001
                whole._loaded = True  # noqa: SLF001
            return whole._assembly  # noqa: SLF001


# Requests that may wait for their turn; others are told at once to come back, so that health checks find a thread.
WAITING: Final = 36


class Turns:
    """Bounds how many requests are worked on at once; others wait `patience` seconds, and are told to come back."""

    def __init__(self, at_once: int, patience: float) -> None:
        self._patience = patience
        self._waiting = threading.BoundedSemaphore(WAITING)
        self._places = {kind: threading.BoundedSemaphore(at_once) for kind in (False, True)}

    @contextmanager
    def turn(self, *, writing: bool = False) -> Iterator[None]:
        """Wait for a turn, and take it for the length of a `with` block; BusyError where none came in time.

        What waits for a language model that is `writing` keeps nobody else from searching.
        """
        places = self._places[writing]
        if not self._waiting.acquire(blocking=False):
            raise BusyError("too many questions at once, and enough that wait already: try again later")
        try:
            if not places.acquire(timeout=self._patience):
                raise BusyError(
                    f"too many questions at once; this one waited {self._patience:.0f} s for its turn: try again later"
                )
        finally:
            self._waiting.release()
        try:
            yield
        finally:
            places.release()


# Seconds after which more examples are looked for, where there were few: indexes may have been made meanwhile.
AGAIN: Final = 60.0


@dataclass(frozen=True, slots=True)
class Overview:
    """What is loaded."""

    sources: tuple[Row, ...]  # rows of the query `sources`
    examples: tuple[str, ...]  # questions that were asked, and answered; empty where none can be answered now
    # what can be filtered by, of all that has documents: values by the name of the filter
    choices: Mapping[str, Sequence[str]]


class Overviews:
    """Keeps the overview of a graph, cut to a scope, while that stays the same; without `ask`, no examples."""

    def __init__(
        self, database: Database, ask: Callable[[str], Answer] | None = None, scope: Scope = EVERYTHING
    ) -> None:
        self._database = database
        self._ask, self._scope = ask, scope
        self._looking = threading.Lock()
        self._kept: tuple[Overview, str, float] | None = None

    def current(self) -> Overview:
        """Give the overview, or the former one while somebody looks it up anew."""
        state = self._database.read(catalogue.get("names_state"))[0]["state"]
        kept = self._kept
        if kept and (_still_fits(kept, state) or not self._looking.acquire(blocking=False)):
            return kept[0]
        if not kept:
            self._looking.acquire()
        try:
            kept = self._kept
            if not kept or not _still_fits(kept, state):
                self._kept = kept = (self._look(), state, time.monotonic())
            return kept[0]
        finally:
            self._looking.release()

    def choices(self) -> Mapping[str, Sequence[str]]:
        """Give what can be filtered by, as it was when somebody last asked for the overview: nobody is kept waiting."""
        return (self._kept[0] if self._kept else self.current()).choices

    def _look(self) -> Overview:
        sources = tuple(self._scope.passing(self._database.read(catalogue.get("sources"))))
        choices = _choices(sources, self._scope.passing(self._database.read(catalogue.get("filter_values"))))
        if self._ask is None:
            return Overview(sources, (), choices)
        with suppress(MedgraphError):  # the service's own answers tell what is wrong
            return Overview(sources, examples(self._database, self._ask), choices)
        return Overview(sources, (), choices)


def _choices(sources: Sequence[Row], values: Sequence[Row]) -> dict[str, Sequence[str]]:
    told = {name for row in sources if row["documents"] for name in (row["source"], row["part_of"]) if name}
    rows = [row for row in values if row["source"] in told]
    return {
        "sources": sorted(told | {name for row in rows for name in row["collections"]}, key=str.casefold),
        "types": sorted({name for row in rows for name in row["types"]}),
        "licences": sorted({row["licence"] for row in rows} - {""}),
    }


def _still_fits(kept: tuple[Overview, str, float], state: str) -> bool:
    overview, then, looked = kept
    return then == state and (len(overview.examples) == OFFERED or time.monotonic() - looked < AGAIN)
