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
    """What to use instead of an obsolete entity.

    Attributes:
        id: Its id.
        name: Its name; empty where the graph does not hold it.
    """

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SourceName:
    """A source that tells of an entity.

    Attributes:
        licence: Its licence.
        name: What it calls the entity; empty where it only adds to what others say.
        source: Its id.
        version: Its release.
        synonyms: Its other names for it.
        definition: What it says that it is.
        xrefs: The ids elsewhere that it gives.
        translations: Its names in other languages, each with @ and the language.
        obsolete: Whether it has given it up.
    """

    licence: str
    name: str
    source: str
    version: str
    synonyms: Sequence[str] = ()
    definition: str = ""
    xrefs: Sequence[str] = ()
    translations: Sequence[str] = ()
    obsolete: bool = False


@dataclass(frozen=True, slots=True)
class ConceptName:
    """A concept that an entity stands for.

    Attributes:
        cui: Its id in the UMLS.
        name: What most sources call it.
        semantic_types: Codes of its semantic types.
    """

    cui: str
    name: str
    semantic_types: Sequence[str]


@dataclass(frozen=True, slots=True)
class CardRelation(BackedRelation):
    """A relation of an entity, as one source states it.

    Attributes:
        predicate: The source's own word for it.
        score: How sure the source is; None where it does not say.
        method: How the source came by it.
        evidence: Ids of what it rests on.
        name: The other entity's name.
        source: The source's id.
        id: The other entity's id.
        label: Its category.
        properties: What else the source says.
        relation: Its type.
        direction: `out` where it starts at the entity, `in` where it ends there.
        backing: Which sources state it of the entity, and what that is worth.
    """

    predicate: str
    score: float | None
    method: str
    evidence: Sequence[str]
    name: str
    source: str
    id: str
    label: str | None
    properties: Properties
    relation: str
    direction: Direction
    backing: Backing = field(default_factory=Backing)

    def details(self) -> list[str]:
        """Say what the source adds to it, for people."""
        stated = how_stated(self.predicate, self.method, self.score)
        texts = [self.source, *stated, *some_evidence(self.evidence), *property_texts(self.properties)]
        return [text for text in texts if text]


@dataclass(frozen=True, slots=True)
class CardSection:
    """A section of a document.

    Attributes:
        question: The question it answers.
        heading: What stands over it.
        id: Its id.
        type: What it is about.
    """

    question: str
    heading: str
    id: str
    type: str


@dataclass(frozen=True, slots=True)
class CardDocument:
    """A document about an entity.

    Attributes:
        source: The source's id.
        collection: The part of the source.
        id: Its id.
        title: Its title.
        sections: Its sections.
        url: Where people read it.
    """

    source: str
    collection: str
    id: str
    title: str
    sections: Sequence[CardSection]
    url: str


@dataclass(frozen=True, slots=True)
class SameConcept:
    """Another entity of the same concepts.

    Attributes:
        sources: Ids of the sources that say so.
        concepts: CUIs of the concepts that both stand for.
        id: Its id.
        label: Its category.
        name: Its preferred name.
    """

    sources: Sequence[str]
    concepts: Sequence[str]
    id: str
    label: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are of all that a card lists in part.

    Attributes:
        relations_out: Relations that start at the entity.
        concepts: Concepts it stands for.
        documents: Documents about it.
        same_concept: Other entities of the same concepts.
        relations_in: Relations that end at it.
        relations: Relations of both directions.
        sections: Sections of the documents.
    """

    relations_out: Count
    concepts: Count
    documents: Count
    same_concept: Count
    relations_in: Count
    relations: Count
    sections: Count


@dataclass(frozen=True, slots=True)
class Card:
    """What the graph knows about one entity; lists but `kinds` are cut at `BOUND`.

    Attributes:
        id: Its id.
        label: Its category.
        name: Its preferred name.
        synonyms: Other names of the same.
        narrow_synonyms: Words for something narrower.
        broad_synonyms: Words for something broader.
        related_synonyms: Words for something related.
        definition: What it is.
        obsolete: Whether its source gave it up.
        replaced_by: What to use instead.
        alternative_ids: Ids that its source gave up for it.
        xrefs: Its ids elsewhere.
        translations: Names in other languages, each with @ and the language.
        properties: What sources say beyond the graph's own words.
        sources: The sources that tell of it.
        concepts: The concepts it stands for.
        relations: Its relations.
        kinds: The kinds of all its relations.
        documents: Documents about it.
        same_concept: Other entities of the same concepts.
        counts: How many there are of all.
        meaning: What all sources say of the concept that it stands for; None where concepts were not indexed yet.
        description: What it is in the words of another entity of its concept, or of a section, where no source defines
            it; None where one does, or nothing says what it is.
    """

    id: str
    label: str
    name: str
    synonyms: Sequence[str]
    narrow_synonyms: Sequence[str]
    broad_synonyms: Sequence[str]
    related_synonyms: Sequence[str]
    definition: str
    obsolete: bool
    replaced_by: Sequence[Replacement]
    alternative_ids: Sequence[str]
    xrefs: Sequence[str]
    translations: Sequence[str]
    properties: Properties
    sources: Sequence[SourceName]
    concepts: Sequence[ConceptName]
    relations: Sequence[CardRelation]
    kinds: Sequence[RelationKind]
    documents: Sequence[CardDocument]
    same_concept: Sequence[SameConcept]
    counts: Counts
    meaning: Meaning | None = None
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
    voices = Voices.read(database, (part["source"] for part in parts))
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
    return [f"{name}: {_value(value)}" for name, value in properties.items()]


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
