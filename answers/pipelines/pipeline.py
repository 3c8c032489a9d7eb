"""Defines and runs a pipeline: named stages over one state, mostly optional, and parameters with default values."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import InputError, ModelError, RequestsWaitError, SettingsError
from ...models.protocol import Request
from ..answer import NOT_ENOUGH_EVIDENCE, CandidateTrace, Generation, PipelineTrace, StageTrace
from ..generated import SEED, Writing, generation_of
from ..model_reading import claim_judge
from ..part_answers import PartAnswer
from ..prompting import escaped, fenced, prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ...embeddings.encoders.encoder import TextEncoder
    from ...graph.database import Database
    from ...models.protocol import Model, Reply, Usage
    from ...progress import Clock
    from ...queries.entities import LinkerOf
    from ...queries.paths import Path, PathEnd
    from ...queries.question import Question
    from ...queries.retriever import Retriever
    from ..answer import CitedFact
    from ..model_reading import ModelReading
    from ..part_answers import Material, Tell
    from ..parts import QuestionPart
    from ..prompting import NumberedEvidence
    from ..scoring import QuotableSentences, ScoredSection
    from ..verify.reader import ClaimReader

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

    def filled(self, name: str, items: Sequence[NumberedEvidence] | None = None, **told: str) -> Request:
        """Fill a prompt with what texts say, so that nothing in them ends an element; `items` stand for `evidence`."""
        texts = {key: escaped(text) for key, text in told.items()}
        texts |= {} if items is None else {"evidence": fenced(items)}
        self.prompts.append(name)
        return Request(prompt(name).fill(**texts), seed=SEED)

    def ask(self, requests: Sequence[Request]) -> list[Reply] | None:
        """Ask the model; None where there is none or it fails, and others stand in; RequestsWaitError in batch mode."""
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


_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or a choice that a pipeline depends on."""

    default: Value  # its value where nobody sets it; other values are of the same type
    does: str  # what it says, with its unit
    least: float = 0  # the least number
    most: float = 0  # the greatest number; every number has bounds
    choices: tuple[str, ...] = ()  # what a text may be; empty for numbers and switches
    printed: bool = True  # whether the default is the one that the paper prints

    def parse(self, name: str, text: str) -> Value:
        """Read a value that somebody set; InputError where it is not of the default's type, or out of bounds."""
        if isinstance(self.default, bool):
            if text.lower() not in _TRUTHS:
                raise InputError(f"{name} is {text!r}; set it to true or false")
            return _TRUTHS[text.lower()]
        if isinstance(self.default, str):
            if text not in self.choices:
                raise InputError(f"{name} is {text!r}; set it to {' or '.join(self.choices)}")
            return text
        whole, number = isinstance(self.default, int), math.nan
        with suppress(ValueError):
            number = int(text) if whole else float(text)
        if not self.least <= number <= self.most:
            kind = "a whole number" if whole else "a number"
            raise InputError(f"{name} is {text!r}; set it to {kind} from {self.least:g} to {self.most:g}")
        return number


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a pipeline: `without` is done where it is left out, None where there is no answer without it."""

    name: str
    does: str
    run: Callable[[State], None]
    without: Callable[[State], None] | None = None


def nothing(_: State) -> None:
    """Do nothing in place of a stage that is left out."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A way to answer: stages in order, parameters, and the prompts that a model is asked by."""

    name: str
    paper: str
    does: str
    stages: Sequence[Stage]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    prompts: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Give the pipeline as plain data, with each default and whether its paper prints it."""
        stages = [{"stage": one.name, "does": one.does, "optional": one.without is not None} for one in self.stages]
        parameters = [
            {"parameter": name, "default": one.default, "printed": one.printed, "does": one.does}
            for name, one in self.parameters.items()
        ]
        told = {"name": self.name, "paper": self.paper, "does": self.does, "prompts": list(self.prompts)}
        return told | {"stages": stages, "parameters": parameters}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A pipeline as somebody wants it: without some stages, with a value for each parameter."""

    pipeline: Pipeline
    without: frozenset[str] = frozenset()
    values: Mapping[str, Value] = field(default_factory=dict)


def choose(pipeline: Pipeline, without: Iterable[str] = (), settings: Iterable[str] = ()) -> Chosen:
    """Leave stages out, and set parameters by texts such as `hops=2`; InputError for none such, or a wrong value."""
    stages = {stage.name: stage for stage in pipeline.stages}
    possible = ", ".join(stage.name for stage in pipeline.stages if stage.without) or "none"
    left_out = frozenset(without)
    for name in sorted(left_out):
        if name not in stages:
            raise InputError(f"{pipeline.name} has no stage {name!r}; there is {possible} to leave out")
        if stages[name].without is None:
            raise InputError(f"{pipeline.name} gives no answer without {name!r}; there is {possible}")
    values = {name: parameter.default for name, parameter in pipeline.parameters.items()}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in values:
            known = " ".join(f"{each}={parameter.default}" for each, parameter in pipeline.parameters.items())
            raise InputError(f"{setting!r} sets nothing of {pipeline.name}; there is {known or 'nothing to set'}")
        values[name] = pipeline.parameters[name].parse(name, text)
    return Chosen(pipeline, left_out, values)


@dataclass(frozen=True, eq=False)
class Pipelines:
    """Answers by pipelines."""

    tools: Tools
    load_model: Callable[[], Model]  # gives the language model; raises where none is set or it cannot be opened
    unsupported: str  # what becomes of sentences that what they cite does not support: `drop` or `flag`
    reader: Callable[[], ClaimReader | None]  # gives what reads claims together with their evidence

    def answer(
        self, chosen: Chosen, part: QuestionPart, whole: str, clock: Clock, tell: Tell, reading: ModelReading | None
    ) -> tuple[PartAnswer, Generation, PipelineTrace]:
        """Answer what is asked (`whole`, as it was understood); tell how the model wrote it, and how it came about.

        Args:
            tell: Told of each sentence that is settled, and by an empty name that the model goes on.
        """
        writing = Writing(self.unsupported, self.reader, clock, tell)
        state = State(part, whole, self.tools, chosen.values, None, writing)
        try:
            state.model = self.load_model()
        except (ModelError, SettingsError) as error:
            state.stand_in = str(error)
        model = state.model
        writing.read = claim_judge(reading, model) if model else None
        for stage in chosen.pipeline.stages:
            instead = stage.without if stage.name in chosen.without else None
            state.traced(stage.name, instead or stage.run, left_out=instead is not None)
        given = state.given or PartAnswer(part, NOT_ENOUGH_EVIDENCE, (), (), 0.0)
        return given, self._generation(state, model), _trace(chosen, state)

    def _generation(self, state: State, model: Model | None) -> Generation:
        if model is None:
            return Generation(fallback=state.stand_in)
        files = [prompt(name) for name in dict.fromkeys(state.prompts)]
        citable = (*state.evidence, *(one.section for one in state.candidates if one.section))
        return replace(
            generation_of(model, files, [state.writing]),
            evidence=tuple(dict.fromkeys(item.section.section for item in citable)),
            silent=(state.part.asked,) if state.silent else (),
            fallback=state.stand_in,
        )


def _trace(chosen: Chosen, state: State) -> PipelineTrace:
    return PipelineTrace(
        chosen.pipeline.name,
        chosen.pipeline.paper,
        {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in chosen.values.items()},
        tuple(state.traces),
        tuple(f"{one.name} ({one.id})" for one in state.entities),
        state.hypothesis,
        tuple(state.queries),
        tuple(
            CandidateTrace(
                one.text, one.score, one.section.section.section if one.section else "", place == state.chosen
            )
            for place, one in enumerate(state.candidates)
        ),
        tuple(one.text for one in state.paths),
        state.subgraph,
        state.background,
        state.stand_in,
    )
