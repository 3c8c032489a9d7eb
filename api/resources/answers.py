"""Answers: a question in, cited sentences out."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from msgspec import Meta

from ...answers.answer import Answer, Found, FoundPage, FoundSection
from ...answers.composers.composer import Tell, untold
from ...answers.pipelines.catalogue import PIPELINES, pipeline_named
from ...answers.pipelines.pipeline import choose
from ...errors import InputError
from ...queries.filters import Filters
from ...settings import Composer
from ..notes import note_answer, note_question
from ..request import Day, Names, Previous, Question, Request
from ..route import Route
from ..service import Service

PipelineName = Annotated[str, Meta(extra_json_schema={"enum": ["", *PIPELINES]})]


class AnswerRequest(Request, frozen=True):
    """A question, and what evidence may be.

    Attributes:
        question: What a user typed.
        sources: Ids of sources, or names of their collections; empty for any.
        licences: Licences of sources; empty for any.
        types: Section types; empty for any.
        since: The earliest date of publication.
        until: The latest one.
        authors: Authors of documents, such as `Smith J`; empty for any.
        journals: Journals that documents came out in; empty for any.
        mesh: MeSH headings of documents, by name or id, each with those below it; empty for any.
        concepts: What sections mention or their documents are about, by name, id or CUI; empty for any.
        notices: Kinds of notices that documents have, such as `erratum`, or `none`; empty for any.
        graph: Whether what relations tell, in sentences, may be quoted where texts do not answer.
        previous: Earlier questions of the dialogue, oldest first: what each answer says in `understood`.
        composer: `extractive` quotes texts, `graph` writes from relations of the graph alone, and takes no filter,
            `generated` lets a language model write what is then cited and checked; null for what the service is set to.
        pipeline: A published pipeline that answers in place of a composer, as `GET /v1/pipelines` lists them; empty for
            none.
        without: Stages of it that are left out.
        set: Parameters of it, such as `hops=2`.
    """

    question: Question
    sources: Names = ()
    licences: Names = ()
    types: Names = ()
    since: Day = ""
    until: Day = ""
    authors: Names = ()
    journals: Names = ()
    mesh: Names = ()
    concepts: Names = ()
    notices: Names = ()
    graph: bool = False
    previous: Previous = ()
    composer: Composer | None = None
    pipeline: PipelineName = ""
    without: Names = ()
    set: Names = ()


def answer(service: Service, request: AnswerRequest) -> Answer:
    """Answer a question, and note what it was and what came of it."""
    note_question(request.question)
    given = _told(service, request, untold)
    note_answer(given.status)
    return given


def streamed(service: Service, request: AnswerRequest) -> Callable[[Tell], Answer]:
    """Note what was asked, and give what answers it."""
    note_question(request.question)
    return partial(_told, service, request)


def _told(service: Service, request: AnswerRequest, tell: Tell) -> Answer:
    filters = Filters(
        request.sources,
        request.types,
        request.since,
        request.until,
        request.licences,
        request.authors,
        request.journals,
        request.mesh,
        request.concepts,
        request.notices,
        graph=request.graph,
    )
    if not request.pipeline:
        if request.without or request.set:
            raise InputError("`without` and `set` change a pipeline; name one in `pipeline`")
        return service.answer(request.question, filters, request.previous, request.composer, tell)
    if request.composer:
        raise InputError("a pipeline composes its answer itself; leave `composer` or `pipeline` out")
    chosen = choose(pipeline_named(request.pipeline), request.without, request.set)
    return service.answer(request.question, filters, request.previous, tell=tell, pipeline=chosen)


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
)
