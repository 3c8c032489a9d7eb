"""Sources: what is loaded, under which licence."""

from collections.abc import Sequence
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


ROUTES = (Route("GET", "/v1/sources", "List what is loaded", sources, Sources),)
