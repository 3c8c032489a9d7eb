"""Paths: how things go together, by relations with who says so."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...queries.find import MAX_TEXT
from ...queries.paths import MAX_HOPS, MAX_NAMES, MAX_PATHS, SHOWN, PairPaths
from ...queries.question import MAX_QUESTION
from ..notes import note_question
from ..request import Request
from ..route import Route
from ..service import Service


class PathsRequest(Request, frozen=True):
    """Between what paths are wanted, and what they are for.

    Attributes:
        name: Names or ids of two things or more.
        question: What the paths are for: those that come nearest to a part of it are given; empty for the best.
        hops: How many relations a path may take.
        limit: How many paths of each two at most.
    """

    name: Annotated[
        tuple[Annotated[str, Meta(max_length=MAX_TEXT)], ...],
        Meta(min_length=2, max_length=MAX_NAMES, examples=[["gout", "kidney stones"]]),
    ]
    question: Annotated[str, Meta(max_length=MAX_QUESTION)] = ""
    hops: Annotated[int, Meta(ge=1, le=MAX_HOPS)] = MAX_HOPS
    limit: Annotated[int, Meta(ge=1, le=MAX_PATHS)] = SHOWN


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """How things go together.

    Attributes:
        pairs: The paths between each two, in the order of the names.
    """

    pairs: list[PairPaths]


def paths(service: Service, request: PathsRequest) -> FoundPaths:
    """Find paths between things."""
    note_question(" ".join(filter(None, (*request.name, request.question))))
    found = service.paths(request.name, question=request.question, hops=request.hops, limit=request.limit)
    return FoundPaths(found)


ROUTES = (Route("GET", "/v1/paths", "Find paths of relations between things", paths, FoundPaths, PathsRequest, (404,)),)
