"""Defines a pipeline: named stages over one state, mostly optional, and parameters with default values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .state import State, Value

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or a choice that a pipeline depends on.

    Attributes:
        default: Its value where nobody sets it; other values are of the same type.
        does: What it says, with its unit.
        least: The least number.
        most: The greatest number.
        choices: What a text may be; empty for numbers and switches.
        printed: Whether the default is the one that the paper prints.
    """

    default: Value
    does: str
    least: float = 0
    most: float = math.inf
    choices: tuple[str, ...] = ()
    printed: bool = True

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
