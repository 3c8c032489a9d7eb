"""Saved queries: what those find that `medgraph query` lists."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ...graph import catalogue
from ...graph.foreign import without_vectors
from ..request import Request, Route
from ..service import Service


class QueryRequest(Request, frozen=True):
    """Which saved query is run."""

    name: Annotated[str, Meta(examples=["who_treats"])]  # its name
    # values by the names of its parameters; examples stand in for the others
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueryRows:
    """What a saved query found."""

    columns: list[str]  # names of the columns, in order
    rows: list[dict[str, Any]]  # the rows, by column
    why: str  # what may be missing where there are none; empty otherwise


def query(service: Service, request: QueryRequest) -> QueryRows:
    """Run a saved query."""
    rows = service.saved(request.name, request.parameters)
    plain = json.loads(json.dumps([without_vectors(row) for row in rows], default=str))
    columns = list(catalogue.get(request.name).columns)
    return QueryRows(columns, plain, "" if rows else service.why_empty(request.name, request.parameters))


ROUTES = (Route("POST", "/v1/queries", "Run a saved query", query, QueryRows, QueryRequest),)
