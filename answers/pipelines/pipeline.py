"""What a pipeline is: named stages over one state, mostly optional, and parameters with default values; runs one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import InputError, ModelError, SettingsError
from ..answer import NOT_ENOUGH_EVIDENCE
from ..generated import Writing, generation_of
from ..generation import CandidateTrace, Generation, PipelineTrace
from ..model_reading import reads_claims
from ..part_answers import PartAnswer
from ..prompting import prompt
from .stages import given_sections
from .state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ...models.protocol import Model
    from ...progress import Clock
    from ..model_reading import ModelReading
    from ..part_answers import Tell
    from ..parts import QuestionPart
    from ..verify.reader import ClaimReader
    from .state import Tools, Value


_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or a choice that a pipeline depends on."""

    default: Value  # its value where nobody sets it; other values are of the same type
    does: str  # what it says, with its unit
    least: float = 0  # the least number
    most: float = math.inf  # the greatest number
    choices: tuple[str, ...] = ()  # what a text may be; empty for numbers and switches
    printed: bool = True  # whether the default is the one that the paper prints

    def read(self, name: str, text: str) -> Value:
        """Read a value that somebody set; InputError where it is not of the default's type, or out of bounds."""
        if isinstance(self.default, bool):
            if text.lower() not in _TRUTHS:
                raise InputError(f"{name} is {text!r}; set it to true or false")
            return _TRUTHS[text.lower()]
        if isinstance(self.default, str):
            if text not in self.choices:
                raise InputError(f"{name} is {text!r}; set it to {' or '.join(self.choices)}")
            return text
        number = _number(text, whole=isinstance(self.default, int))
        if number is None or not self.least <= number <= self.most:
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            bounds = f"from {self.least:g}" + (f" to {self.most:g}" if self.most < math.inf else "")
            raise InputError(f"{name} is {text!r}; set it to {kind} {bounds}")
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
    """Leave stages of a pipeline out, and set its parameters by texts such as `hops=2`.

    Raises:
        InputError: There is no such stage or parameter, or a value cannot be used.
    """
    stages = {stage.name: stage for stage in pipeline.stages}
    left_out = frozenset(without)
    for name in sorted(left_out):
        possible = [stage.name for stage in pipeline.stages if stage.without]
        if name not in stages:
            raise InputError(f"{pipeline.name} has no stage {name!r}; there is {_listed(possible)} to leave out")
        if stages[name].without is None:
            raise InputError(f"{pipeline.name} gives no answer without {name!r}; there is {_listed(possible)}")
    values = {name: parameter.default for name, parameter in pipeline.parameters.items()}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in values:
            known = " ".join(f"{each}={parameter.default}" for each, parameter in pipeline.parameters.items())
            raise InputError(f"{setting!r} sets nothing of {pipeline.name}; there is {known or 'nothing to set'}")
        values[name] = pipeline.parameters[name].read(name, text)
    return Chosen(pipeline, left_out, values)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _number(text: str, *, whole: bool) -> float | int | None:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


class Pipelines:
    """Answers by pipelines.

    Args:
        load_model: Gives the language model; raises where none is set or it cannot be opened.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        reader: Gives what reads claims together with their evidence.
    """

    def __init__(
        self, tools: Tools, load_model: Callable[[], Model], unsupported: str, reader: Callable[[], ClaimReader | None]
    ) -> None:
        self._tools, self._load_model = tools, load_model
        self._unsupported, self._reader = unsupported, reader

    def answer(
        self, chosen: Chosen, part: QuestionPart, whole: str, clock: Clock, tell: Tell, reading: ModelReading | None
    ) -> tuple[PartAnswer, Generation, PipelineTrace]:
        """Answer what is asked; tell how the model wrote it, and how it came about.

        Args:
            whole: All that was typed, as it was understood.
            tell: Told of each sentence that is settled, and by an empty name that the model goes on.
            reading: Lets the model read whether sections say what words alone do not support.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet.
        """
        writing = Writing(self._unsupported, self._reader, clock, tell)
        state = State(part, whole, self._tools, chosen.values, None, writing)
        try:
            state.model = self._load_model()
        except (ModelError, SettingsError) as error:
            state.stand_in = str(error)
        model = state.model
        writing.read = reads_claims(reading, model) if model else None
        for stage in chosen.pipeline.stages:
            instead = stage.without if stage.name in chosen.without else None
            state.traced(stage.name, instead or stage.run, left_out=instead is not None)
        given = state.given or PartAnswer(part, NOT_ENOUGH_EVIDENCE, (), (), 0.0)
        return given, self._generation(state, model), _trace(chosen, state)

    def _generation(self, state: State, model: Model | None) -> Generation:
        if model is None:
            return Generation(fallback=state.stand_in)
        files = [prompt(name) for name in dict.fromkeys(state.prompts)]
        return replace(
            generation_of(model, files, [state.writing]),
            evidence=tuple(item.section.section for item in given_sections(state)),
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
