"""Entities: found by id or any of their names, and what is known about one."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...errors import NotInGraphError
from ...queries.cards import Card
from ...queries.find import MAX_FOUND, MAX_TEXT, FoundEntity
from ..notes import note_question
from ..request import Request
from ..route import Route
from ..service import Service


class EntitiesRequest(Request, frozen=True):
    """What entities are called, and how many are wanted.

    Attributes:
        q: An id, a name, or words that name an entity.
        limit: How many at most.
        offset: How many of the best to leave out: `next` of the page before.
    """

    q: Annotated[
        str,
        Meta(max_length=MAX_TEXT, examples=["gout"], extra_json_schema={"pattern": r"[^\s\u001c-\u001f\u0085]"}),
    ]
    limit: Annotated[int, Meta(ge=1, le=MAX_FOUND)] = 10
    offset: Annotated[int, Meta(ge=0, le=MAX_FOUND)] = 0


class EntityRequest(Request, frozen=True):
    """Which entity is asked for.

    Attributes:
        id: Its id; or the CUI of a concept, such as `C0018099`, for the entity that fits it best.
    """

    id: Annotated[str, Meta(min_length=1, examples=["sample:gout"])]


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """What a text names.

    Attributes:
        entities: Entities, best first.
        next: `offset` of the next page; null at the end.
    """

    entities: list[FoundEntity]
    next: int | None = None


@dataclass(frozen=True, slots=True)
class Entity(Card):
    """What is known about an entity: the name under which the service describes a card."""


def entities(service: Service, request: EntitiesRequest) -> FoundEntities:
    """Find entities by id or name."""
    note_question(request.q)
    found, end = service.entities(request.q, MAX_FOUND), request.offset + request.limit
    return FoundEntities(found[request.offset : end], end if len(found) > end else None)


def entity(service: Service, request: EntityRequest) -> Card:
    """Give what is known about an entity."""
    card = service.entity(request.id)
    if card is None:
        raise NotInGraphError("there is no entity with this id")
    return card


ROUTES = (
    Route("GET", "/v1/entities", "Find entities by id or name", entities, FoundEntities, EntitiesRequest),
    Route("GET", "/v1/entities/{id}", "Tell what is known about an entity", entity, Entity, EntityRequest, (404,)),
)
