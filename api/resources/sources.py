"""Sources: what is loaded, under which licence, and whole sections of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...errors import NotInGraphError
from ...queries.concepts import quoted
from ...schema.checks import Count
from ..request import Request, Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class Source:
    """A source in the graph, and its newest load."""

    source: str  # its id
    title: str  # what it is called
    version: str  # its release
    rank: int | None  # how much a curator trusts it, from 1 to 9, or null where none has said so
    prefixes: Sequence[str]  # prefixes of the ids that it coins
    released: str | None  # when the release came out, as far as its version tells, or null
    licence: str  # its licence
    url: str  # where it comes from
    part_of: str | None  # the source that it is a part of, or null
    documents: Count  # how many documents are from it
    entities: Count  # how many entities it tells of
    status: str | None  # how its newest load ended, or null
    finished: str | None  # when, or null


@dataclass(frozen=True, slots=True)
class Sources:
    """What is loaded."""

    sources: list[Source]  # the sources, by id


def sources(service: Service) -> Sources:
    """List what is loaded."""
    return Sources([Source(**row) for row in service.sources()])


class SectionRequest(Request, frozen=True):
    """Which section is asked for."""

    id: Annotated[str, Meta(min_length=1, examples=["sample:gout#6"])]  # its id


@dataclass(frozen=True, slots=True)
class Section:
    """A whole section with its document and source."""

    section: str  # its id
    document: str  # the document's id
    title: str  # the document's title
    url: str  # where people read it
    source: str  # the source's id
    licence: str  # the source's licence
    notices: list[str]  # what was made known of the document later, such as `expression of concern PMID:1`
    type: str  # what the section is about
    heading: str  # its heading
    question: str  # the question that it answers; empty where the source poses none
    text: str  # its text
    rests_on: list[str]  # relations that it tells, each with who says so; none for a section of a text
    publisher: str  # the journal, the institute, the maker of a label, or else the source that the document is of
    published: str  # when the document came out, an ISO date or the first parts of one; empty where nobody says so
    # of when it is, in words: `from 2011, more than ten years old`; `from 2019 or before` where only the release of its
    # source is known; empty where nobody says so
    dated: str
    retired: str  # what became of the site that `url` leads to, where that is retired; empty otherwise
    study: str  # what kind of study the document is, such as `randomised trial`; empty where nobody says so


def section(service: Service, request: SectionRequest) -> Section:
    """Give a whole section."""
    row = service.section(request.id)
    if row is None:
        raise NotInGraphError(f"there is no section with the id {quoted(request.id)}")
    return Section(**row)


ROUTES = (
    Route("GET", "/v1/sources", "List what is loaded", sources, Sources),
    Route("GET", "/v1/sections/{id}", "Give a whole section", section, Section, SectionRequest, (404,)),
)
