"""Similar: what stands in like relations as an entity does, by vectors learned from all relations."""

from typing import Annotated

from msgspec import Meta

from ...queries.similar import MOST, SHOWN, SimilarConcepts
from ..request import Request
from ..route import Route
from ..service import Service


class SimilarRequest(Request, frozen=True):
    """What others are compared with.

    Attributes:
        id: Id of an entity, or of a concept such as `C0018099`.
        label: Which category is wanted, such as `Disease`; empty for any.
        limit: How many at most.
    """

    id: Annotated[str, Meta(min_length=1, examples=["sample:gout"])]
    label: str = ""
    limit: Annotated[int, Meta(ge=1, le=MOST)] = SHOWN


def similar(service: Service, request: SimilarRequest) -> SimilarConcepts:
    """Find what stands in like relations."""
    return service.similar(request.id, label=request.label, limit=request.limit)


ROUTES = (
    Route(
        "GET",
        "/v1/entities/{id}/similar",
        "Find what stands in like relations",
        similar,
        SimilarConcepts,
        SimilarRequest,
        (404,),
    ),
)
