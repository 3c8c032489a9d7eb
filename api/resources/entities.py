"""Entities: found by id or any of their names, and what is known about one."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from ...errors import NotInGraphError
from ...queries.find import MATCHED, MAX_FOUND, MAX_TEXT
from ...schema.values import Count, Share
from ..notes import note_question
from ..request import Request
from ..route import Route
from ..service import Service

Direction = Literal["out", "in"]
Properties = Annotated[
    dict[str, str | int | float | bool | list[Any]],
    Meta(description="What a source says beyond the graph's own words"),
]


class EntitiesRequest(Request, frozen=True):
    """What entities are called, and how many are wanted.

    Attributes:
        q: An id, a name, or words that name an entity.
        limit: How many at most.
    """

    q: Annotated[
        str,
        Meta(max_length=MAX_TEXT, examples=["gout"], extra_json_schema={"pattern": r"[^\s\u001c-\u001f\u0085]"}),
    ]
    limit: Annotated[int, Meta(ge=1, le=MAX_FOUND)] = 10


class EntityRequest(Request, frozen=True):
    """Which entity is asked for.

    Attributes:
        id: Its id.
    """

    id: Annotated[str, Meta(min_length=1, examples=["sample:gout"])]


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity that a text names.

    Attributes:
        id: Its id.
        label: What kind of thing it is.
        name: Its name.
        synonyms: Its other names.
        matched: The id or name that was recognised.
        matched_by: What that is to it.
        documents: How many documents are about it.
        concepts: CUIs of its concepts.
        obsolete: Whether its source gave it up.
        score: 1 for what is called exactly so, less for others.
    """

    id: str
    label: str
    name: str
    synonyms: list[str]
    matched: str
    matched_by: Annotated[str, Meta(extra_json_schema={"enum": list(MATCHED)})]
    documents: Count
    concepts: list[str]
    obsolete: bool
    score: Share


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """What a text names.

    Attributes:
        entities: Entities, best first.
    """

    entities: list[FoundEntity]


@dataclass(frozen=True, slots=True)
class Name:
    """An entity, by id and name.

    Attributes:
        id: Its id.
        name: Its name.
    """

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """That a source tells of an entity.

    Attributes:
        source: The source's id.
        licence: Its licence.
        version: Its release.
        name: What it calls the entity.
    """

    source: str
    licence: str
    version: str
    name: str


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept that entities of several sources have in common.

    Attributes:
        cui: Its id in the UMLS.
        name: Its name.
        semantic_types: What kinds of thing it is.
    """

    cui: str
    name: str
    semantic_types: list[str]


@dataclass(frozen=True, slots=True)
class Related:
    """A relation to another entity.

    Attributes:
        relation: Its type.
        direction: Whether it goes out or comes in.
        id: The other entity.
        label: What kind of thing that is.
        name: Its name.
        source: Who says so.
        predicate: The source's own word.
        method: How the source came by it.
        evidence: What it rests on.
        score: The source's confidence, or null.
        properties: What the source says beyond the graph's own words.
    """

    relation: str
    direction: Direction
    id: str
    label: str
    name: str
    source: str
    predicate: str
    method: str
    evidence: list[str]
    score: float | None
    properties: Properties


@dataclass(frozen=True, slots=True)
class Kind:
    """How many relations of a kind there are.

    Attributes:
        relation: Their type.
        direction: Whether they go out or come in.
        count: How many.
    """

    relation: str
    direction: Direction
    count: Count


@dataclass(frozen=True, slots=True)
class Heading:
    """A section of a document.

    Attributes:
        id: Its id.
        type: What it is about.
        heading: Its heading.
        question: The question that it answers.
    """

    id: str
    type: str
    heading: str
    question: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document about an entity.

    Attributes:
        id: Its id.
        title: Its title.
        url: Where people read it.
        source: The source's id.
        collection: The part of the source.
        sections: Its sections.
    """

    id: str
    title: str
    url: str
    source: str
    collection: str
    sections: list[Heading]


@dataclass(frozen=True, slots=True)
class Same:
    """Another entity of the same concepts.

    Attributes:
        id: Its id.
        label: What kind of thing it is.
        name: Its name.
        concepts: CUIs of the concepts.
        sources: Who tells of it.
    """

    id: str
    label: str
    name: str
    concepts: list[str]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are, whatever number is listed.

    Attributes:
        relations: Relations.
        relations_out: Those that go out.
        relations_in: Those that come in.
        documents: Documents.
        sections: Their sections.
        concepts: Concepts.
        same_concept: Other entities of the same concepts.
    """

    relations: Count
    relations_out: Count
    relations_in: Count
    documents: Count
    sections: Count
    concepts: Count
    same_concept: Count


@dataclass(frozen=True, slots=True)
class Entity:
    """What is known about an entity.

    Attributes:
        id: Its id.
        label: What kind of thing it is.
        name: Its name.
        definition: What it is.
        synonyms: Its other names.
        narrow_synonyms: Words for something narrower.
        broad_synonyms: Words for something broader.
        related_synonyms: Words for something related.
        alternative_ids: Ids that its source gave up for its own.
        xrefs: Its ids elsewhere.
        obsolete: Whether its source gave it up.
        replaced_by: What to use in its stead.
        properties: What its source says beyond the graph's own words.
        sources: Who tells of it.
        concepts: Its concepts.
        relations: Its relations, some of each direction.
        kinds: How many relations of each kind there are.
        documents: Documents about it.
        same_concept: Others of the same concepts.
        counts: How many there are of all of these.
    """

    id: str
    label: str
    name: str
    definition: str
    synonyms: list[str]
    narrow_synonyms: list[str]
    broad_synonyms: list[str]
    related_synonyms: list[str]
    alternative_ids: list[str]
    xrefs: list[str]
    obsolete: bool
    replaced_by: list[Name]
    properties: Properties
    sources: list[Statement]
    concepts: list[Concept]
    relations: list[Related]
    kinds: list[Kind]
    documents: list[Document]
    same_concept: list[Same]
    counts: Counts


def entities(service: Service, request: EntitiesRequest) -> FoundEntities:
    """Find entities by id or name.

    Args:
        service: What is served.
        request: The text, and how many are wanted.

    Returns:
        The entities.
    """
    note_question(request.q)
    return FoundEntities([FoundEntity(**row) for row in service.entities(request.q, request.limit)])


def entity(service: Service, request: EntityRequest) -> Any:
    """Give what is known about an entity.

    Args:
        service: What is served.
        request: Which one.

    Returns:
        Its card.

    Raises:
        NotInGraphError: There is none with this id.
    """
    card = service.entity(request.id)
    if card is None:
        raise NotInGraphError("there is no entity with this id")
    return card


ROUTES = (
    Route("GET", "/v1/entities", "Find entities by id or name", entities, FoundEntities, EntitiesRequest),
    Route("GET", "/v1/entities/{id}", "Tell what is known about an entity", entity, Entity, EntityRequest, (404,)),
)
