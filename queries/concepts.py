"""One concept's card: what it is called, the entities that stand for it, and documents about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import IndexNotReadyError, NotInGraphError
from ..graph import catalogue
from ..linking.terms import term_id
from ..schema.records import CUI
from ..text import sendable
from .cards import CardDocument, documents_of, entity_card
from .meanings import meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..graph.database import Database
    from ..linking.linker import Linker
    from .cards import Card
    from .entities import LinkerOf
    from .meanings import Meaning

_QUOTED: Final = 80  # characters of a name that messages repeat
BOUND: Final = 25  # entities and documents that a concept's card lists, at most
_CUI: Final = re.compile(rf"\s*(?:UMLS:)?({CUI.pattern})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ConceptEntity:
    """An entity that stands for a concept.

    Attributes:
        documents: How many documents are about it.
        concepts: How many concepts it stands for, this one included.
        obsolete: Whether its source gave it up.
    """

    id: str
    name: str
    label: str
    sources: Sequence[str]
    documents: int
    concepts: int
    obsolete: bool


@dataclass(frozen=True, slots=True)
class ConceptCard:
    """What the graph knows about one concept.

    Attributes:
        name: What most sources call it.
        names: Other names of the entities that are called so.
        semantic_types: Codes of its semantic types in the UMLS.
        entities: The entities in order of fit, at most `BOUND`: what is called as the concept is, then what stands for
            the fewest others, each time the best described first.
        documents: Documents about all entities that mean the concept, at most `BOUND`, those with the most sections
            first; before concepts are indexed, about all that sources say stand for it.
        counts: How many there are of all: `entities`, `documents`.
        meaning: What all sources say of it; None where concepts were not indexed yet.
    """

    cui: str
    name: str
    names: Sequence[str]
    semantic_types: Sequence[str]
    sources: Sequence[str]
    entities: Sequence[ConceptEntity]
    documents: Sequence[CardDocument]
    counts: dict[str, int]
    meaning: Meaning | None = None


def concept_card(database: Database, text: str) -> ConceptCard | None:
    """Tell what the graph knows about one concept; None where the text is no CUI (`UMLS:C0011849`), or it has none."""
    cui = _CUI.fullmatch(text)
    if cui is None:
        return None
    for row in database.read(catalogue.get("concept"), cui=cui[1].upper(), limit=BOUND):
        meaning = meaning_of(database, row["cui"])
        different = {name.lower(): name for name in reversed(row["names"])}
        different.pop(row["name"].lower(), None)
        entities = tuple(ConceptEntity(**entity) for entity in row["entities"])
        parts = {
            "names": tuple(reversed(different.values())),
            "entities": entities,
            "documents": documents_of(row["documents"]),
            # A concept that a source merely states has nothing but its entities.
            "meaning": meaning if meaning and meaning.members else None,
        }
        return ConceptCard(**row | parts)
    return None


def card_of(database: Database, name: str) -> Card | None:
    """Tell what the graph knows about an entity, by its id, or about the one that fits a concept best, by its CUI."""
    card = entity_card(database, name)
    if card is None and (concept := concept_card(database, name)) and concept.entities:
        card = entity_card(database, concept.entities[0].id)
    return card


def concept_named(database: Database, linker: LinkerOf, name: str) -> str:
    """Find the concept, or the term, that an id, a CUI or a name stands for.

    Raises:
        NotInGraphError: Nothing is called so.
        IndexNotReadyError: What is called so was not joined at a concept yet.
    """
    for known in _ids(linker(), name):
        if database.read(catalogue.get("unjoined"), id=known):
            raise IndexNotReadyError(
                f"{quoted(name)} was loaded after entities were joined at concepts; run: medgraph index concepts"
            )
        if rows := database.read(catalogue.get("concept_called"), id=known):
            return str(rows[0]["concept"])
    raise NotInGraphError(f"nothing is called {quoted(name)}; look it up with: medgraph entity NAME")


def _ids(linker: Linker, name: str) -> Iterator[str]:
    """Give the ids that a name may be or stand for, the surest first."""
    yield sendable(name.strip()).removeprefix("UMLS:")
    yield from (linker.holdings.concept_id(one.entity) for one in linker.name(name)[:1])
    yield term_id(name)


def quoted(name: str) -> str:
    """Repeat a name in a message."""
    return repr(name if len(name) <= _QUOTED else name[:_QUOTED] + "…")
