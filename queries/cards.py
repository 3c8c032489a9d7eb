"""An entity's card: everything that the graph knows about it, each part with stated fields.

The parts' fields stand in the order in which JSON has always had them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta

from ..graph import catalogue
from ..schema.checks import Count  # noqa: TC001
from ..schema.records import RESERVED
from ..text import sendable
from .meanings import (
    Description,
    Direction,
    Meaning,
    RelationKind,
    description_of,
    how_stated,
    meaning_of,
    some_evidence,
)
from .voices import PREDICTED, STATED, BackedRelation, Backing, Voices

if TYPE_CHECKING:
    from ..graph.database import Database, Row

# The most relations of each direction, documents, concepts and others of the same concepts that a card lists.
BOUND: Final = 25

Properties = Annotated[
    Mapping[str, str | int | float | bool | list[str | int | float | bool]],
    Meta(description="What a source says beyond the graph's own words"),
]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to use instead of an obsolete entity."""

    id: str  # its id
    name: str  # its name; empty where the graph does not hold it


@dataclass(frozen=True, slots=True)
class SourceName:
    """A source that tells of an entity."""

    licence: str  # its licence
    name: str  # what it calls the entity; empty where it only adds to what others say
    source: str  # its id
    version: str  # its release
    synonyms: Sequence[str] = ()  # its other names for it
    definition: str = ""  # what it says that it is
    xrefs: Sequence[str] = ()  # the ids elsewhere that it gives
    translations: Sequence[str] = ()  # its names in other languages, each with @ and the language
    obsolete: bool = False  # whether it has given it up


@dataclass(frozen=True, slots=True)
class ConceptName:
    """A concept that an entity stands for."""

    cui: str  # its id in the UMLS
    name: str  # what most sources call it
    semantic_types: Sequence[str]  # codes of its semantic types


@dataclass(frozen=True, slots=True)
class CardRelation(BackedRelation):
    """A relation of an entity, as one source states it."""

    predicate: str  # the source's own word for it
    score: float | None  # how sure the source is; None where it does not say
    method: str  # how the source came by it
    evidence: Sequence[str]  # ids of what it rests on
    name: str  # the other entity's name
    source: str  # the source's id
    id: str  # the other entity's id
    label: str | None  # its category
    properties: Properties  # what else the source says
    relation: str  # its type
    direction: Direction  # `out` where it starts at the entity, `in` where it ends there
    backing: Backing = field(default_factory=Backing)  # which sources state it of the entity, and what that is worth

    def details(self) -> list[str]:
        """Say what the source adds to it, for people."""
        stated = how_stated(self.predicate, self.method, self.score)
        texts = [self.source, *stated, *some_evidence(self.evidence), *property_texts(self.properties)]
        return [text for text in texts if text]


@dataclass(frozen=True, slots=True)
class CardSection:
    """A section of a document."""

    question: str  # the question it answers
    heading: str  # what stands over it
    id: str  # its id
    type: str  # what it is about


@dataclass(frozen=True, slots=True)
class CardDocument:
    """A document about an entity."""

    source: str  # the source's id
    collection: str  # the part of the source
    id: str  # its id
    title: str  # its title
    sections: Sequence[CardSection]  # its sections
    url: str  # where people read it


@dataclass(frozen=True, slots=True)
class SameConcept:
    """Another entity of the same concepts."""

    sources: Sequence[str]  # ids of the sources that say so
    concepts: Sequence[str]  # CUIs of the concepts that both stand for
    id: str  # its id
    label: str | None  # its category
    name: str  # its preferred name


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are of all that a card lists in part."""

    relations_out: Count  # relations that start at the entity
    concepts: Count  # concepts it stands for
    documents: Count  # documents about it
    same_concept: Count  # other entities of the same concepts
    relations_in: Count  # relations that end at it
    relations: Count  # relations of both directions
    sections: Count  # sections of the documents


@dataclass(frozen=True, slots=True)
class Card:
    """What the graph knows about one entity; lists but `kinds` are cut at `BOUND`."""

    id: str  # its id
    label: str  # its category
    name: str  # its preferred name
    synonyms: Sequence[str]  # other names of the same
    narrow_synonyms: Sequence[str]  # words for something narrower
    broad_synonyms: Sequence[str]  # words for something broader
    related_synonyms: Sequence[str]  # words for something related
    definition: str  # what it is
    obsolete: bool  # whether its source gave it up
    replaced_by: Sequence[Replacement]  # what to use instead
    alternative_ids: Sequence[str]  # ids that its source gave up for it
    xrefs: Sequence[str]  # its ids elsewhere
    translations: Sequence[str]  # names in other languages, each with @ and the language
    properties: Properties  # what sources say beyond the graph's own words
    sources: Sequence[SourceName]  # the sources that tell of it
    concepts: Sequence[ConceptName]  # the concepts it stands for
    relations: Sequence[CardRelation]  # its relations
    kinds: Sequence[RelationKind]  # the kinds of all its relations
    documents: Sequence[CardDocument]  # documents about it
    same_concept: Sequence[SameConcept]  # other entities of the same concepts
    counts: Counts  # how many there are of all
    # what all sources say of the concept that it stands for; None where concepts were not indexed yet
    meaning: Meaning | None = None
    # what it is in the words of another entity of its concept, or of a section, where no source defines it; None where
    # one does, or nothing says what it is
    description: Description | None = None

    def name_in(self, language: str) -> str:
        """Give its first name in a language, by a BCP 47 tag (`de` stands for `de-AT`, too); empty for none."""
        wanted = language.casefold()
        for text in self.translations:
            name, _, tag = text.rpartition("@")
            if tag.casefold() == wanted or tag.casefold().startswith(f"{wanted}-"):
                return name
        return ""


def entity_card(database: Database, entity_id: str) -> Card | None:
    """Tell what the graph knows about one entity; None when there is no such entity."""
    query = catalogue.get("entity")
    rows = database.read(query, id=sendable(entity_id), limit=BOUND, reserved=sorted(RESERVED))
    if not rows:
        return None
    return replace(
        _card(rows[0] | {"relations": _backed(database, rows[0]["relations"])}),
        meaning=meaning_of(database, entity_id),
        description=description_of(database, entity_id),
    )


def _card(row: Row) -> Card:
    return Card(
        **row
        | {
            "replaced_by": tuple(Replacement(**part) for part in row["replaced_by"]),
            "properties": dict(sorted(row["properties"])),
            "sources": tuple(SourceName(**part) for part in row["sources"]),
            "concepts": tuple(ConceptName(**part) for part in row["concepts"]),
            "relations": tuple(
                CardRelation(**part | {"properties": dict(sorted(part["properties"]))}) for part in row["relations"]
            ),
            "kinds": tuple(RelationKind(**part) for part in row["kinds"]),
            "documents": documents_of(row["documents"]),
            "same_concept": tuple(SameConcept(**part) for part in row["same_concept"]),
            "counts": Counts(**row["counts"]),
        }
    )


def _backed(database: Database, parts: Sequence[Row]) -> list[Row]:
    """Tell which sources state each relation, and what that is worth."""
    voices = Voices.load(database, (part["source"] for part in parts))
    stating: dict[tuple[str, str, str], list[tuple[str, list[str], int]]] = {}
    for part in parts:
        method = PREDICTED if dict(part["properties"]).get("knowledge_level") == "prediction" else STATED
        stating.setdefault((part["relation"], part["direction"], part["id"]), []).append((method, [part["source"]], 0))
    backings = {key: voices.backing(said) for key, said in stating.items()}
    return [part | {"backing": backings[part["relation"], part["direction"], part["id"]]} for part in parts]


def documents_of(parts: Sequence[Row]) -> tuple[CardDocument, ...]:
    """Make the documents of a card, of what a statement gives for each."""
    return tuple(
        CardDocument(**part | {"sections": tuple(CardSection(**section) for section in part["sections"])})
        for part in parts
    )


def definition_texts(meaning: Meaning | None, card: Card | None) -> list[str]:
    """Write what something is, for people.

    The concept's definitions with who gives them, or the entity's own; else what describes it, with its origin.
    """
    if meaning and meaning.definitions:
        return [f"{defined.text} ({', '.join(defined.sources)})" for defined in meaning.definitions]
    if card and card.definition:
        return [card.definition]
    return [card.description.words] if card and card.description else []


def property_texts(properties: Mapping[str, Any]) -> list[str]:
    """Write what a source says beyond the graph's own words, for people."""
    texts = {name: map(str, value if isinstance(value, list) else [value]) for name, value in properties.items()}
    return [f"{name}: {', '.join(parts)}" for name, parts in texts.items()]
