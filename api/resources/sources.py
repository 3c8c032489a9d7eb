"""Sources: what is loaded, under which licence."""

from dataclasses import dataclass

from ...schema.values import Count
from ..route import Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class Source:
    """A source in the graph, and its newest load.

    Attributes:
        source: Its id.
        title: What it is called.
        version: Its release.
        licence: Its licence.
        url: Where it comes from.
        part_of: The source that it is a part of, or null.
        documents: How many documents are from it.
        status: How its newest load ended, or null.
        finished: When, or null.
    """

    source: str
    title: str
    version: str
    licence: str
    url: str
    part_of: str | None
    documents: Count
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
    """List what is loaded.

    Args:
        service: What is served.

    Returns:
        The sources.
    """
    return Sources([Source(**row) for row in service.sources()])


ROUTES = (Route("GET", "/v1/sources", "List what is loaded", sources, Sources),)
