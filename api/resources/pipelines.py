"""Pipelines: the published ways to answer, with their stages and parameters."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ...answers.pipelines.catalogue import PIPELINES
from ..route import Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class PipelineStage:
    """A stage of a pipeline.

    Attributes:
        stage: Its name.
        does: What it does.
        optional: Whether it may be left out.
    """

    stage: str
    does: str
    optional: bool


@dataclass(frozen=True, slots=True)
class PipelineParameter:
    """What a pipeline depends on.

    Attributes:
        parameter: Its name.
        default: Its value where nobody sets it.
        printed: Whether that is the one that the paper prints.
        does: What it says, with its unit.
    """

    parameter: str
    default: bool | int | float | str
    printed: bool
    does: str


@dataclass(frozen=True, slots=True)
class ListedPipeline:
    """A published way to answer.

    Attributes:
        name: What `pipeline` of a question takes.
        paper: Where it was published.
        does: What it does.
        prompts: What it asks a language model by.
        stages: Its stages, in order.
        parameters: What it depends on.
    """

    name: str
    paper: str
    does: str
    prompts: Sequence[str]
    stages: Sequence[PipelineStage]
    parameters: Sequence[PipelineParameter]


@dataclass(frozen=True, slots=True)
class Pipelines:
    """All pipelines.

    Attributes:
        pipelines: Those of the papers, then what they are compared with.
    """

    pipelines: Sequence[ListedPipeline]


def pipelines(_: Service) -> Pipelines:
    """List the pipelines."""
    return msgspec.convert({"pipelines": [one.as_dict() for one in PIPELINES.values()]}, Pipelines)


ROUTES = (Route("GET", "/v1/pipelines", "List the pipelines", pipelines, Pipelines),)
