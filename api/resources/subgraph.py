"""Subgraph: what goes with a condition, by relations and in words, with who says so."""

from typing import Annotated, Final

from msgspec import Meta

from ...queries.find import MAX_TEXT
from ...queries.subgraphs import MAX_RELATIONS, SHOWN, Subgraph
from ..notes import note_question
from ..request import Request
from ..route import Route
from ..service import Service

_WORDS: Final = 60
"""Characters of a kind or type, at most."""


class SubgraphRequest(Request, frozen=True):
    """Of what the subgraph is, and what of it is wanted.

    Attributes:
        name: A name or an id.
        type: Only what tells this, such as `treatment`; empty for all.
        relation: Only relations of this type, such as `TREATED_BY`; empty for all.
        limit: How many relations of each type at most.
    """

    name: Annotated[str, Meta(max_length=MAX_TEXT, examples=["gout"])]
    type: Annotated[tuple[Annotated[str, Meta(max_length=_WORDS)], ...], Meta(max_length=20)] = ()
    relation: Annotated[tuple[Annotated[str, Meta(max_length=_WORDS)], ...], Meta(max_length=40)] = ()
    limit: Annotated[int, Meta(ge=1, le=MAX_RELATIONS)] = SHOWN


def subgraph(service: Service, request: SubgraphRequest) -> Subgraph:
    """Tell what goes with something."""
    note_question(request.name)
    return service.subgraph(request.name, types=request.type, relations=request.relation, limit=request.limit)


ROUTES = (
    Route(
        "GET",
        "/v1/subgraph",
        "Tell what goes with a condition, in words too",
        subgraph,
        Subgraph,
        SubgraphRequest,
        (404,),
    ),
)
