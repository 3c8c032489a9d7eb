"""Entities: found by id or any of their names, what is known about one, and how several go together."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from ...errors import NotInGraphError
from ...queries.cards import Card
from ...queries.concepts import quoted
from ...queries.enrichment import MOST as MOST_ENRICHED
from ...queries.enrichment import MOST_BACKGROUND, Enrichment
from ...queries.enrichment import MOST_NAMES as MOST_ENRICHING
from ...queries.enrichment import SHOWN as SHOWN_ENRICHED
from ...queries.find import MAX_FOUND, MAX_TEXT, FoundEntity
from ...queries.paths import MAX_HOPS, MAX_NAMES, MAX_PATHS, PairPaths
from ...queries.paths import SHOWN as SHOWN_PATHS
from ...queries.question import MAX_QUESTION
from ...queries.similar import MOST, SHOWN, SimilarConcepts
from ...queries.subgraphs import MAX_RELATIONS, Subgraph
from ...queries.subgraphs import SHOWN as SHOWN_RELATIONS
from ..logs import note_question
from ..request import Request, Route
from ..service import Service


class EntitiesRequest(Request, frozen=True):
    """What entities are called, and how many are wanted."""

    # an id, a name, or words that name an entity
    q: Annotated[
        str,
        Meta(max_length=MAX_TEXT, examples=["gout"], extra_json_schema={"pattern": r"[^\s\u001c-\u001f\u0085]"}),
    ]
    limit: Annotated[int, Meta(ge=1, le=MAX_FOUND)] = 10  # how many at most
    offset: Annotated[int, Meta(ge=0, le=MAX_FOUND)] = 0  # how many of the best to leave out: `next` of the page before


class EntityRequest(Request, frozen=True):
    """Which entity is asked for."""

    # its id; or the CUI of a concept, such as `C0018099`, for the entity that fits it best
    id: Annotated[str, Meta(min_length=1, examples=["sample:gout"])]


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """What a text names."""

    entities: list[FoundEntity]  # entities, best first
    next: int | None = None  # `offset` of the next page; null at the end


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
        raise NotInGraphError(f"there is no entity with the id {quoted(request.id)}")
    return card


class SimilarRequest(Request, frozen=True):
    """What others are compared with."""

    # id of an entity, or of a concept such as `C0018099`
    id: Annotated[str, Meta(min_length=1, examples=["sample:gout"])]
    label: str = ""  # which category is wanted, such as `Disease`; empty for any
    limit: Annotated[int, Meta(ge=1, le=MOST)] = SHOWN  # how many at most


def similar(service: Service, request: SimilarRequest) -> SimilarConcepts:
    """Find what stands in like relations."""
    return service.similar(request.id, label=request.label, limit=request.limit)


class SubgraphRequest(Request, frozen=True):
    """Of what the subgraph is, and what of it is wanted."""

    name: Annotated[str, Meta(max_length=MAX_TEXT, examples=["gout"])]  # a name or an id
    # only what tells this, such as `treatment`; empty for all
    type: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=20)] = ()
    # only relations of this type, such as `TREATED_BY`; empty for all
    relation: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=40)] = ()
    limit: Annotated[int, Meta(ge=1, le=MAX_RELATIONS)] = SHOWN_RELATIONS  # how many relations of each type at most


def subgraph(service: Service, request: SubgraphRequest) -> Subgraph:
    """Tell what goes with something."""
    note_question(request.name)
    return service.subgraph(request.name, types=request.type, relations=request.relation, limit=request.limit)


class PathsRequest(Request, frozen=True):
    """Between what paths are wanted, and what they are for."""

    # names or ids of two things or more
    name: Annotated[
        tuple[Annotated[str, Meta(max_length=MAX_TEXT)], ...],
        Meta(min_length=2, max_length=MAX_NAMES, examples=[["gout", "kidney stones"]]),
    ]
    # what the paths are for: those that come nearest to a part of it are given; empty for the best
    question: Annotated[str, Meta(max_length=MAX_QUESTION)] = ""
    hops: Annotated[int, Meta(ge=1, le=MAX_HOPS)] = MAX_HOPS  # how many relations a path may take
    limit: Annotated[int, Meta(ge=1, le=MAX_PATHS)] = SHOWN_PATHS  # how many paths of each two at most


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """How things go together."""

    pairs: list[PairPaths]  # the paths between each two, in the order of the names


def paths(service: Service, request: PathsRequest) -> FoundPaths:
    """Find paths between things."""
    note_question(" ".join(filter(None, (*request.name, request.question))))
    found = service.paths(request.name, question=request.question, hops=request.hops, limit=request.limit)
    return FoundPaths(found)


_Name = Annotated[str, Meta(max_length=MAX_TEXT)]


class EnrichRequest(Request, frozen=True):
    """What things have in common is asked of these."""

    # names, ids or CUIs, such as those of phenotypes, drugs or genes
    names: Annotated[
        tuple[_Name, ...],
        Meta(min_length=1, max_length=MOST_ENRICHING, examples=[["fatigue", "headache", "chest pain"]]),
    ]
    # only relations of this type, such as `HAS_SYMPTOM`; empty for all
    relations: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=40)] = ()
    # names, ids or CUIs of all that `names` were chosen from; empty for all that has the relation
    background: Annotated[tuple[_Name, ...], Meta(max_length=MOST_BACKGROUND)] = ()
    limit: Annotated[int, Meta(ge=1, le=MOST_ENRICHED)] = SHOWN_ENRICHED  # how many at most


def enrich(service: Service, request: EnrichRequest) -> Enrichment:
    """Test what has more of some concepts than expected."""
    note_question(" ".join(request.names))
    background = request.background or None
    return service.enrich(request.names, relations=request.relations, background=background, limit=request.limit)


_SIMILAR = "/v1/entities/{id}/similar"
_COMMON = "Find what has more of some concepts than expected"
_AROUND = "Tell what goes with a condition, in words too"
ROUTES = (
    Route("GET", "/v1/entities", "Find entities by id or name", entities, FoundEntities, EntitiesRequest),
    Route("GET", "/v1/entities/{id}", "Tell what is known about an entity", entity, Entity, EntityRequest, (404,)),
    Route("GET", _SIMILAR, "Find what stands in like relations", similar, SimilarConcepts, SimilarRequest, (404,)),
    Route("GET", "/v1/subgraph", _AROUND, subgraph, Subgraph, SubgraphRequest, (404,)),
    Route("GET", "/v1/paths", "Find paths of relations between things", paths, FoundPaths, PathsRequest, (404,)),
    Route("POST", "/v1/enrich", _COMMON, enrich, Enrichment, EnrichRequest, (404,)),
)
