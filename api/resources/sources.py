"""Sources: what is loaded, under which licence, and whole sections of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...errors import NotInGraphError
from ...schema.checks import Count
from ..request import Request, Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class Source:
    """A source in the graph, and its newest load.

    Attributes:
        source: Its id.
        title: What it is called.
        version: Its release.
        rank: How much a curator trusts it, from 1 to 9, or null where none has said so.
        prefixes: Prefixes of the ids that it coins.
        released: When the release came out, as far as its version tells, or null.
        licence: Its licence.
        url: Where it comes from.
        part_of: The source that it is a part of, or null.
        documents: How many documents are from it.
        entities: How many entities it tells of.
        status: How its newest load ended, or null.
        finished: When, or null.
    """

    source: str
    title: str
    version: str
    rank: int | None
    prefixes: Sequence[str]
    released: str | None
    licence: str
    url: str
    part_of: str | None
    documents: Count
    entities: Count
    status: str | None
    finished: str | None


@dataclass(frozen=True, slots=True)
class Sources:
    """What is loaded.

    Attributes:
        sources: The sources, by id.
    """

    sources: list[Source]


def sources(service: Service) -> Sources:
    """List what is loaded."""
    return Sources([Source(**row) for row in service.sources()])


class SectionRequest(Request, frozen=True):
    """Which section is asked for.

    Attributes:
        id: Its id.
    """

    id: Annotated[str, Meta(min_length=1, examples=["sample:gout#6"])]


@dataclass(frozen=True, slots=True)
class Section:
    """A whole section with its document and source.

    Attributes:
        section: Its id.
        document: The document's id.
        title: The document's title.
        url: Where people read it.
        source: The source's id.
        licence: The source's licence.
        notices: What was made known of the document later, such as `expression of concern PMID:1`.
        type: What the section is about.
        heading: Its heading.
        question: The question that it answers; empty where the source poses none.
        text: Its text.
        rests_on: Relations that it tells, each with who says so; none for a section of a text.
        publisher: The journal, the institute or else the source that the document is of.
        published: When the document came out, an ISO date or the first parts of one; empty where nobody says so.
        dated: Of when it is, in words: `from 2011, more than ten years old`; `from 2019 or before` where only the
            release of its source is known; empty where nobody says so.
        retired: What became of the site that `url` leads to, where that is retired; empty otherwise.
    """

    section: str
    document: str
    title: str
    url: str
    source: str
    licence: str
    notices: list[str]
    type: str
    heading: str
    question: str
    text: str
    rests_on: list[str]
    publisher: str
    published: str
    dated: str
    retired: str


def section(service: Service, request: SectionRequest) -> Section:
    """Give a whole section."""
    row = service.section(request.id)
    if row is None:
        raise NotInGraphError("there is no section with this id")
    return Section(**row)


ROUTES = (
    Route("GET", "/v1/sources", "List what is loaded", sources, Sources),
    Route("GET", "/v1/sections/{id}", "Give a whole section", section, Section, SectionRequest, (404,)),
)
