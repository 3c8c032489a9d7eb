"""State that the stages of a pipeline share, and the tools that they work with."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import ModelError, RequestsWaitError
from ...models.protocol import Request
from ..generated import SEED
from ..generation import StageTrace
from ..prompting import escaped, fenced, prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...embeddings.encoders.encoder import TextEncoder
    from ...graph.database import Database
    from ...models.protocol import Model, Reply, Usage
    from ...queries.entities import LinkerOf
    from ...queries.paths import Path, PathEnd
    from ...queries.question import Question
    from ...queries.retriever import Retriever
    from ..answer import CitedFact
    from ..generated import Writing
    from ..part_answers import Material, PartAnswer
    from ..parts import QuestionPart
    from ..prompting import NumberedEvidence
    from ..scoring import QuotableSentences, ScoredSection

Value = bool | int | float | str  # what a parameter of a pipeline may be


@dataclass(frozen=True)
class Tools:
    """What stages work with; `quote` quotes an answer from what was found, where no model writes."""

    database: Database
    retriever: Retriever
    linker: LinkerOf
    encoder: Callable[[], TextEncoder]
    sentences: QuotableSentences
    quote: Callable[[QuestionPart, Material], PartAnswer]


@dataclass(frozen=True, slots=True)
class Entity:
    """A concept that a pipeline goes by; `asked` where the question names it, `near` where vectors found it."""

    id: str
    name: str
    label: str
    asked: bool
    near: bool = False


@dataclass(frozen=True, slots=True)
class RankedPath:
    """A path that an answer may rest on, the relations on its way, and what its ends are in a source's words."""

    path: Path
    facts: tuple[CitedFact, ...]
    described: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The path as entity, relation, entity, with what its ends are."""
        return " ".join((f"{self.path.text}.", *self.described))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that may be chosen, what it was written from, and what it is chosen by once it is weighed."""

    text: str
    section: ScoredSection | None
    score: float | None = None


@dataclass(slots=True)
class State:
    """What is known so far."""

    part: QuestionPart
    whole: str  # all that was typed, as it was understood
    tools: Tools
    values: Mapping[str, Value]
    model: Model | None  # the language model; None where none is set or it failed
    writing: Writing  # what becomes of the sentences that are written, with all replies, the clock and who is told
    entities: list[Entity] = field(default_factory=list)  # concepts that the question, or a hypothesis, names
    # What these are, in sources' words, where paths begin and end at them.
    ends: list[PathEnd] = field(default_factory=list)
    evidence: list[ScoredSection] = field(default_factory=list)
    facts: list[CitedFact] = field(default_factory=list)
    paths: list[RankedPath] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    chosen: int | None = None  # the place of the candidate that is chosen
    hypothesis: str = ""  # what a model wrote before anything was searched for
    queries: list[str] = field(default_factory=list)  # what is searched for, where that is not the question
    subgraph: str = ""  # names that candidates are compared with
    background: str = ""  # what a model is told besides numbered evidence
    # How likely sections answer, by id, where a reranker was calibrated.
    scores: dict[str, float] = field(default_factory=dict)
    prompts: list[str] = field(default_factory=list)
    given: PartAnswer | None = None  # the answer, once it is there
    silent: bool = False  # whether the model finds no answer
    stand_in: str | None = None  # why something else stood in for the model; None where it did all
    traces: list[StageTrace] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)

    @property
    def question(self) -> Question:
        """What is asked."""
        return self.part.question

    @property
    def _generating(self) -> float:
        return self.writing.clock.spent.get("generate", 0.0)

    def number(self, name: str) -> int:
        """Give a parameter that is a whole number."""
        return int(self.values[name])

    def share(self, name: str) -> float:
        """Give a parameter that is a number."""
        return float(self.values[name])

    def note(self, text: str) -> None:
        """Note what people should know of a stage."""
        self._notes.append(text)

    def filled(self, name: str, items: Sequence[NumberedEvidence] = (), **told: str) -> Request:
        """Fill a prompt with what texts say, so that nothing in them ends an element; `items` stand for `evidence`."""
        texts = {key: escaped(text) for key, text in told.items()} | ({"evidence": fenced(items)} if items else {})
        self.prompts.append(name)
        return Request(prompt(name).fill(**texts), seed=SEED)

    def ask(self, requests: Sequence[Request]) -> list[Reply] | None:
        """Ask the model; None where there is none, or it fails: what stands in for it is then to go on.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet; all requests are written.
        """
        if self.model is None:
            return None
        replies: list[Reply] = []
        waiting: RequestsWaitError | None = None
        for request in requests:
            self.writing.tell("", None)
            try:
                with self.writing.clock.step("generate"):
                    replies.append(self.model.complete(request))
            except RequestsWaitError as error:
                waiting = error
            except ModelError as error:
                self.fail(str(error))
                return None
        if waiting:
            raise waiting
        self.writing.replies += replies
        return replies

    def fail(self, reason: str) -> None:
        """Go on without the model."""
        self.model, self.stand_in = None, reason

    def traced(self, name: str, run: Callable[[State], None], *, left_out: bool) -> None:
        """Run a stage, and note what it took."""
        before, written, asked = time.perf_counter(), len(self.writing.replies), self._generating
        self._notes.clear()
        run(self)
        usages: list[Usage] = [reply.usage for reply in self.writing.replies[written:]]
        self.traces.append(
            StageTrace(
                name,
                milliseconds=round(1000 * (time.perf_counter() - before), 1),
                model_milliseconds=round(self._generating - asked, 1),
                calls=len(usages),
                prompt_tokens=sum(usage.prompt_tokens for usage in usages),
                reply_tokens=sum(usage.reply_tokens for usage in usages),
                left_out=left_out,
                note="; ".join(self._notes),
            )
        )
