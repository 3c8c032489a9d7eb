"""Search: a question in, ranked sections out."""

from dataclasses import dataclass, field, replace
from typing import Annotated

from msgspec import Meta

from ...queries.concepts import Fact
from ...queries.entities import Mention
from ...queries.fusion import STANDARD, Mode, Preset, mode_of
from ...queries.hits import Hit, none_of_these
from ...queries.paths import PairPaths
from ...queries.question import Asked
from ...queries.retriever import MAX_RESULTS
from ...schema.languages import foreign_to
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


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found."""

    results: list[Hit]  # sections and passages, best first
    # what a message of several sentences was taken to ask; empty for a plain question
    understood: tuple[Asked, ...] = ()
    within: str = ""  # what results had to be, in words; empty without filters
    # whether no result seems to answer, by probabilities; null where there are none, or mere words
    none_of_these: bool | None = None
    remark: str = ""  # that the question is in another language than English; empty otherwise
    timing_ms: dict[str, float] = field(default_factory=dict)  # milliseconds spent on each step
    concepts: tuple[Mention, ...] = ()  # what is asked about, where `evidence` is wanted
    facts: tuple[Fact, ...] = ()  # what is said between these or, where nothing is, of each, where `evidence` is wanted
    paths: tuple[PairPaths, ...] = ()  # how they hang together, where `evidence` is wanted
    next: int | None = None  # `offset` of the next page; null at the end


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
    said = SearchResults(
        list(found),
        found.question.understood,
        filters.summary(),
        none_of_these(found),
        foreign_to(request.q),
        found.timing_ms,
        next=found.next,
    )
    if not request.evidence:
        return said
    return replace(said, concepts=found.concepts(), facts=tuple(found.facts()), paths=tuple(found.paths()))


ROUTES = (
    Route("GET", "/v1/search", "Search for sections", search, SearchResults, SearchRequest, (404,)),
    Route("POST", "/v1/search", "Search for sections, for long messages", search, SearchResults, SearchRequest, (404,)),
)
