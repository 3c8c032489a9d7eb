"""Search: a question in, ranked sections out."""

from typing import Annotated

from msgspec import Meta

from ...queries.fusion import STANDARD, Mode, Preset, mode_of
from ...queries.results import SearchResults, results_of
from ...queries.retriever import MAX_RESULTS
from ..logs import note_question, note_stages
from ..request import FilteredRequest, Question, Route
from ..service import Service


class SearchRequest(FilteredRequest, frozen=True, kw_only=True):
    """A question, how to search, and what results may be."""

    q: Question  # what a user typed
    # which searches are joined; without one `learned`, or `hybrid` where another preset is given
    mode: Mode | None = None
    top_k: Annotated[int, Meta(ge=1, le=MAX_RESULTS)] = 10  # how many results at most
    # how many of the best to leave out: `next` of the page before, with the same `top_k`
    offset: Annotated[int, Meta(ge=0, le=MAX_RESULTS)] = 0
    # the language of titles and abstracts that alone are searched; empty for English
    language: Annotated[str, Meta(max_length=20)] = ""
    preset: Preset = STANDARD  # which weights words, meaning and titles have in `lexical` and `hybrid`
    as_typed: bool = False  # whether all words of a message count alike, instead of what it asks
    evidence: bool = False  # whether facts and paths of what is asked about are read, too


def search(service: Service, request: SearchRequest) -> SearchResults:
    """Search for sections."""
    note_question(request.q)
    if request.evidence:
        service.require_whole()
    filters = request.filters(request.language)
    found = service.search(
        request.q,
        filters,
        as_typed=request.as_typed,
        mode=mode_of(request.mode, request.preset),
        top_k=request.top_k,
        offset=request.offset,
        preset=request.preset,
    )
    note_stages(found.timing_ms)
    return results_of(found, request.q, filters, evidence=request.evidence)


ROUTES = (
    Route("GET", "/v1/search", "Search for sections", search, SearchResults, SearchRequest, (404,)),
    Route("POST", "/v1/search", "Search for sections, for long messages", search, SearchResults, SearchRequest, (404,)),
)
