"""Results of a search, as the service and the command line tell them."""

from dataclasses import dataclass, field, replace

from ..schema.languages import foreign_to
from .concepts import Fact
from .entities import Mention
from .filters import Filters
from .hits import Evidence, Hit, none_of_these
from .paths import PairPaths
from .question import Asked


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


def results_of(found: Evidence, question: str, filters: Filters, *, evidence: bool) -> SearchResults:
    """Tell what a search found; facts and paths are read where evidence is wanted."""
    said = SearchResults(
        list(found),
        found.question.understood,
        filters.summary(),
        none_of_these(found),
        foreign_to(question),
        found.timing_ms,
        next=found.next,
    )
    if not evidence:
        return said
    return replace(said, concepts=found.concepts(), facts=tuple(found.facts()), paths=tuple(found.paths()))
