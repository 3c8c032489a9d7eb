"""Concepts: what each is called, the entities that stand for it, and what stands in a relation to it."""

from __future__ import annotations

import re
from collections.abc import Sequence  # noqa: TC003 # the service reads the annotations
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import IndexNotReadyError, InputError, NotInGraphError
from ..graph import catalogue
from ..linking.terms import term_id
from ..schema.records import CUI
from ..schema.vocabulary import INVERSES, RELATION_TYPES
from ..text import did_you_mean, sendable
from . import lucene
from .cards import CardDocument, documents_of, entity_card
from .meanings import meaning_of
from .voices import BackedRelation, Backing, Voices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database, Row
    from ..linking.linker import Linker
    from .cards import Card
    from .entities import LinkerOf
    from .meanings import Meaning
    from .voices import Said

_QUOTED: Final = 80  # characters of a name that messages repeat
BOUND: Final = 25  # entities and documents that a concept's card lists, at most
ANY: Final = "?"  # what is asked for
_SUGGESTED: Final = 3  # names that are proposed in place of one that nothing has
_CUI: Final = re.compile(rf"\s*(?:UMLS:)?({CUI.pattern})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ConceptEntity:
    """An entity that stands for a concept."""

    id: str
    name: str
    label: str
    sources: Sequence[str]
    documents: int  # how many documents are about it
    concepts: int  # how many concepts it stands for, this one included
    obsolete: bool  # whether its source gave it up


@dataclass(frozen=True, slots=True)
class ConceptCard:
    """What the graph knows about one concept."""

    cui: str
    name: str  # what most sources call it
    names: Sequence[str]  # other names of the entities that are called so
    semantic_types: Sequence[str]  # codes of its semantic types in the UMLS
    sources: Sequence[str]
    # the entities in order of fit, at most `BOUND`: what is called as the concept is, then what stands for the fewest
    # others, each time the best described first
    entities: Sequence[ConceptEntity]
    # documents about all entities that mean the concept, at most `BOUND`, those with the most sections first; before
    # concepts are indexed, about all that sources say stand for it
    documents: Sequence[CardDocument]
    counts: dict[str, int]  # how many there are of all: `entities`, `documents`
    meaning: Meaning | None = None  # what all sources say of it; None where concepts were not indexed yet


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
    """Find the concept or term of an id, a CUI or a name; NotInGraphError if none, IndexNotReadyError if not joined."""
    for known in _ids(linker(), name):
        if database.read(catalogue.get("unjoined"), id=known):
            raise IndexNotReadyError(
                f"{quoted(name)} was loaded after entities were joined at concepts; run: medgraph index concepts"
            )
        if rows := database.read(catalogue.get("concept_called"), id=known):
            return str(rows[0]["concept"])
    raise NotInGraphError(
        f"nothing is called {quoted(name)}{called_nearly(database, name)}; look it up with: medgraph entity NAME"
    )


# Slips that a word may have, by its letters: none up to two, one up to five.
_SLIPS: Final = ("",) * 3 + ("~1",) * 3 + ("~2",)


def called_nearly(database: Database, name: str) -> str:
    """Say what is called nearly so: `; did you mean Gout?`, or nothing."""
    sought = " ".join(f"+{word}{_SLIPS[min(len(word), len(_SLIPS) - 1)]}" for word in lucene.words(name))
    rows = database.read(catalogue.get("named_like"), lucene=sought, limit=_SUGGESTED) if sought else []
    return f"; did you mean {', '.join(row['name'] for row in rows)}?" if rows else ""


def _ids(linker: Linker, name: str) -> Iterator[str]:
    """Give the ids that a name may be or stand for, the surest first."""
    yield sendable(name.strip()).removeprefix("UMLS:")
    yield from (linker.holdings.concept_id(one.entity) for one in linker.name(name)[:1])
    yield term_id(name)


def quoted(name: str) -> str:
    """Repeat a name in a message."""
    return repr(name if len(name) <= _QUOTED else name[:_QUOTED] + "…")


@dataclass(frozen=True, slots=True)
class Fact(BackedRelation):
    """A relation between two concepts, with who says so."""

    head: str  # id of the concept that it starts at
    head_name: str  # what that is called
    relation: str  # its type
    tail: str  # id of the concept, or of the term, that it points to
    tail_name: str  # what that is called
    sources: Sequence[str]  # ids of the sources that state or predict it, or of the texts that tell it
    # `stated`; `predicted`; `section` where texts tell it, or `term` where they tell it in words that no vocabulary has
    method: str
    score: float  # how sure these alone are, from 0 to 1; 1 where sources state it and give no score
    evidence: Sequence[str]  # ids of sections, or of publications
    backing: Backing  # who states it and who tells it, by this and by other methods, and what that is worth


def find_facts(database: Database, linker: Linker, head: str, relation: str, tail: str, limit: int = 50) -> list[Fact]:
    """Find facts of which a part or two are `?`, the surest first; InputError for no end, or a name or type unknown."""
    if head == tail == ANY:
        raise InputError(
            "give a head or a tail: everything would be too much; such as: medgraph facts gout HAS_SYMPTOM ?"
        )
    kind = relation.upper().replace(" ", "_")
    if relation != ANY and kind not in RELATION_TYPES:
        raise InputError(f"there is no relation {relation!r}{did_you_mean(kind, RELATION_TYPES)}")
    if kind in INVERSES:
        head, kind, tail = tail, INVERSES[kind], head
    rows = database.read(
        catalogue.get("facts"),
        head="" if head == ANY else concept_named(database, lambda: linker, head),
        relation="" if relation == ANY else kind,
        tail="" if tail == ANY else concept_named(database, lambda: linker, tail),
        limit=limit,
    )
    voices = Voices.load(database, (source for row in rows for source in row["sources"]))
    said: dict[tuple[str, ...], list[Said]] = {}
    for row in rows:
        said.setdefault(_ends(row), []).append((row["method"], row["sources"], len(row["evidence"])))
    backings = {ends: voices.backing(several) for ends, several in said.items()}
    return [Fact(**row, backing=backings[_ends(row)]) for row in rows[:limit]]


def _ends(row: Row) -> tuple[str, ...]:
    return row["head"], row["relation"], row["tail"]
