"""Search: a question in, ranked sections out."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...queries.filters import Filters
from ...queries.modes import PRESETS, STANDARD, Mode, Preset, mode_of
from ...queries.question import Asked
from ...queries.retriever import MAX_RESULTS, Hit
from ..notes import note_question
from ..request import Day, Names, Question, Request
from ..route import Route
from ..service import Service


class SearchRequest(Request, frozen=True):
    """A question, how to search, and what results may be.

    Attributes:
        q: What a user typed.
        mode: Which searches are joined; without one `learned`, or `linked` where `preset` or `by_rank` is given.
        top_k: How many results at most.
        source: Ids of sources, or names of their collections; none for any.
        licence: Licences of sources; none for any.
        type: Section types; none for any.
        since: The earliest date of publication.
        until: The latest one.
        graph: Whether what relations tell, in sentences, is searched beside texts.
        preset: Which weights the two searches of `hybrid` and `linked` have.
        by_rank: Whether these join ranks rather than scores.
        as_typed: Whether all words of a message count alike, instead of what it asks.
    """

    q: Question
    mode: Mode | None = None
    top_k: Annotated[int, Meta(ge=1, le=MAX_RESULTS)] = 10
    source: Names = ()
    licence: Names = ()
    type: Names = ()
    since: Day = ""
    until: Day = ""
    graph: bool = False
    preset: Preset = STANDARD
    by_rank: bool = False
    as_typed: bool = False


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found.

    Attributes:
        results: Sections and passages, best first.
        understood: What a message of several sentences was taken to ask; empty for a plain question.
    """

    results: list[Hit]
    understood: tuple[Asked, ...] = ()


def search(service: Service, request: SearchRequest) -> SearchResults:
    """Search for sections.

    Args:
        service: What is served.
        request: The question and how to search.

    Returns:
        The results.
    """
    note_question(request.q)
    hits, understood = service.search(
        request.q,
        Filters(request.source, request.type, request.since, request.until, request.licence, request.graph),
        as_typed=request.as_typed,
        mode=mode_of(request.mode, weighed=request.by_rank or request.preset != STANDARD),
        top_k=request.top_k,
        weights=PRESETS[request.preset],
        by_rank=request.by_rank,
    )
    return SearchResults(hits, understood)


ROUTES = (Route("GET", "/v1/search", "Search for sections", search, SearchResults, SearchRequest, (404,)),)
