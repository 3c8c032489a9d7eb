"""Answers: a question in, cited sentences out; and the published pipelines that answer, with stages and parameters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from flask import g
from msgspec import Meta

from ...answers.answer import Answer, Found, FoundPage, FoundSection
from ...answers.part_answers import Tell, untold
from ...answers.pipelines.catalogue import PIPELINES, pipeline_named
from ...answers.pipelines.pipeline import choose
from ...errors import InputError
from ...settings import Composer
from ..logs import note_answer, note_question
from ..request import FilteredRequest, Names, Previous, Question, Route
from ..service import Service

PipelineName = Annotated[str, Meta(extra_json_schema={"enum": ["", *PIPELINES]})]


class AnswerRequest(FilteredRequest, frozen=True, kw_only=True):
    """A question, and what evidence may be."""

    # what a user typed; of what it asks, four things at most are looked for, and the rest stands in `unanswered` of the
    # answer alone, and not in `parts`
    question: Question
    previous: Previous = ()  # earlier questions of the dialogue, oldest first: what each answer says in `understood`
    # `extractive` quotes texts, `graph` writes from relations of the graph alone, and takes no filter, `generated` lets
    # a language model write what is then cited and checked; null for what the service is set to
    composer: Composer | None = None
    # a published pipeline that answers in place of a composer, as `GET /v1/pipelines` lists them; empty for none
    pipeline: PipelineName = ""
    without: Names = ()  # stages of it that are left out
    set: Names = ()  # parameters of it, such as `hops=2`


def answer(service: Service, request: AnswerRequest) -> Answer:
    """Answer a question, and note what it was and what came of it."""
    return streamed(service, request)(untold)


def streamed(service: Service, request: AnswerRequest) -> Callable[[Tell], Answer]:
    """Note what was asked, and give what answers it, which may be in another thread."""
    note_question(request.question)
    noted = g.noted

    def ask(tell: Tell) -> Answer:
        note_answer(given := _answered(service, request, tell), noted)
        return given

    return ask


def _answered(service: Service, request: AnswerRequest, tell: Tell) -> Answer:
    filters = request.filters()
    if not request.pipeline:
        if request.without or request.set:
            raise InputError("`without` and `set` change a pipeline; name one in `pipeline`")
        return service.answer(request.question, filters, request.previous, request.composer, tell)
    if request.composer:
        raise InputError("a pipeline composes its answer itself; leave `composer` or `pipeline` out")
    chosen = choose(pipeline_named(request.pipeline), request.without, request.set)
    return service.answer(request.question, filters, request.previous, tell=tell, pipeline=chosen)


@dataclass(frozen=True, slots=True)
class PipelineStage:
    """A stage of a pipeline."""

    stage: str  # its name
    does: str  # what it does
    optional: bool  # whether it may be left out


@dataclass(frozen=True, slots=True)
class PipelineParameter:
    """What a pipeline depends on."""

    parameter: str  # its name
    default: bool | int | float | str  # its value where nobody sets it
    printed: bool  # whether that is the one that the paper prints
    does: str  # what it says, with its unit


@dataclass(frozen=True, slots=True)
class ListedPipeline:
    """A published way to answer."""

    name: str  # what `pipeline` of a question takes
    paper: str  # where it was published
    does: str  # what it does
    prompts: Sequence[str]  # what it asks a language model by
    stages: Sequence[PipelineStage]  # its stages, in order
    parameters: Sequence[PipelineParameter]  # what it depends on


@dataclass(frozen=True, slots=True)
class Pipelines:
    """All pipelines."""

    pipelines: Sequence[ListedPipeline]  # those of the papers, then what they are compared with


def pipelines(_: Service) -> Pipelines:
    """List the pipelines."""
    return msgspec.convert({"pipelines": [one.as_dict() for one in PIPELINES.values()]}, Pipelines)


ROUTES = (
    Route(
        "POST",
        "/v1/answers",
        "Answer a question, cited and checked",
        answer,
        Answer,
        AnswerRequest,
        problems=(404, 409),
        choices={Found: (FoundSection, FoundPage)},
        streams=streamed,
    ),
    Route("GET", "/v1/pipelines", "List the pipelines", pipelines, Pipelines),
)
