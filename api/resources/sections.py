"""Sections: the whole text that a citation quotes from."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...errors import NotInGraphError
from ..request import Request
from ..route import Route
from ..service import Service


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


ROUTES = (Route("GET", "/v1/sections/{id}", "Give a whole section", section, Section, SectionRequest, (404,)),)
