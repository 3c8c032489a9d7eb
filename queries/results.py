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
    # that the question is in another language than English, or that no result has a word of it; empty otherwise
    remark: str = ""
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
        foreign_to(question) or _far(found),
        found.timing_ms,
        next=found.next,
    )
    if not evidence:
        return said
    return replace(said, concepts=found.concepts(), facts=tuple(found.facts()), paths=tuple(found.paths()))


def _far(hits: Evidence) -> str:
    """Say that results were found by meaning alone, where words were searched for as well."""
    lexical = [hit.scores["lexical"] for hit in hits if "lexical" in hit.scores]
    far = lexical and not any(lexical)
    return "nothing fits well: no result has a word of this, so that they are only near to it in meaning" if far else ""
