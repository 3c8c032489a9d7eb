"""Describes an entity's concept: its members, names, definitions and relations from all sources."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - the service describes cards from their fields
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from ..graph import catalogue
from ..schema.checks import Count  # noqa: TC001
from ..text import sendable
from .voices import MODEL, PREDICTED, STATED, BackedRelation, Backing, Voices, in_sections

if TYPE_CHECKING:
    from ..graph.database import Database, Row


@dataclass(frozen=True, slots=True)
class Description:
    """What an entity is, taken from elsewhere: from another entity of its concept, or from a section."""

    text: str  # the definition, or whole sentences of the section
    source: str  # id of the source whose words these are
    entity: str  # id of the entity that is defined so; empty where a section says it
    section: str  # id of the section that says so; empty where it is a definition

    @property
    def origin(self) -> str:
        """Id of the entity or the section whose words these are."""
        return self.entity or self.section

    @property
    def words(self) -> str:
        """The text with where it stands, for people."""
        return f"{self.text} (described so by {self.origin}, {self.source})"


def description_of(database: Database, entity_id: str) -> Description | None:
    """Tell what an entity is that no source defines; None where it has a definition, or nothing says it."""
    rows = database.read(catalogue.get("description"), id=sendable(entity_id))
    return Description(**{name: " ".join(value.split()) for name, value in rows[0].items()}) if rows else None


BOUND: Final = 50  # the most relations of each direction that are listed
_EVIDENCE: Final = 3  # pieces of evidence of a relation that people are shown
Direction = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class RelationKind:
    """How many relations of one kind an entity or a concept has."""

    count: Count  # how many
    relation: str  # their type
    direction: Direction  # `out` or `in`


@dataclass(frozen=True, slots=True)
class Member:
    """An entity that stands for the concept."""

    id: str  # its id
    name: str  # its preferred name
    label: str  # its category
    method: str  # by what it came to the concept; `itself` for the one that the others were joined to
    score: float | None  # how sure that is, from 0 to 1
    evidence: Sequence[str]  # what it rests on: the entity that it was joined to, and the id or name that both have
    documents: Count  # how many documents are about it
    obsolete: bool  # whether its source gave it up


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """What one source says of one entity of the concept."""

    source: str  # its id
    licence: str  # its licence; empty where it is not stated
    entity: str  # the entity's id
    name: str  # what it calls it; empty where it only adds to what others say
    synonyms: Sequence[str]  # its other names for it
    definition: str  # what it says that it is


@dataclass(frozen=True, slots=True)
class NameBySource:
    """A name of the concept, in whatever case, with who uses it."""

    name: str  # the name, as the concept is shown by, else as the first of the sources writes it
    sources: Sequence[str]  # ids of the sources


@dataclass(frozen=True, slots=True)
class DefinitionBySource:
    """A definition, with who gives it."""

    text: str  # what the concept is
    sources: Sequence[str]  # ids of the sources that say so in these words


@dataclass(frozen=True, slots=True)
class Voice:
    """Who says that a relation holds, and how."""

    sources: Sequence[str]  # ids of the sources: the one that states it, or all whose texts tell it
    # `stated`, `predicted`, the source's own word for how it came by it, `section` where texts tell it, or `model` if
    # only a language model read it in them
    method: str
    predicate: str  # the source's own word for the relation
    score: float | None  # how sure it is, from 0 to 1; None where nobody says
    evidence: Sequence[str]  # ids of what it rests on; of texts, the sections
    sections: Count  # how many sections tell it; 0 for what is stated

    def text(self) -> str:
        """Say who says so, for people: in how many sections, or by which word, with some of the evidence."""
        who = ", ".join(self.sources)
        if self.sections:
            parts = [in_sections(self.sections, who, by_model=self.method == MODEL)]
        else:
            how = self.method if self.method == PREDICTED else STATED
            parts = [f"{how} by {who}", *how_stated(self.predicate, self.method, self.score)]
        return "; ".join([*parts, *some_evidence(self.evidence, self.sections)])


def how_stated(predicate: str, method: str, score: float | None) -> list[str]:
    """Say how a source states a relation, for people."""
    parts = [predicate, "" if method in {STATED, PREDICTED} else method, "" if score is None else f"score {score:g}"]
    return [part for part in parts if part]


def some_evidence(evidence: Sequence[str], count: int = 0) -> list[str]:
    """Shorten evidence, for people: the first ids, and how many more there are of `count` where not all is listed."""
    left_out = max(len(evidence), count) - _EVIDENCE
    return [*evidence[:_EVIDENCE], *([f"and {left_out:,} more"] if left_out > 0 else [])]


@dataclass(frozen=True, slots=True)
class VoicedRelation(BackedRelation):
    """A relation between two concepts, with everybody who says so."""

    relation: str  # its type
    direction: Direction  # `out` where it starts at the concept, `in` where it ends there
    concept: str  # id of the other concept
    name: str  # what that is called
    label: str  # its category
    entity: str  # id of an entity that stands for it
    voices: Sequence[Voice]  # who says so
    backing: Backing = field(default_factory=Backing)  # who states it, who tells it, and what that is worth

    def text(self) -> str:
        """Say who says so, for people."""
        return " | ".join(dict.fromkeys(voice.text() for voice in self.voices))


@dataclass(frozen=True, slots=True)
class Meaning:
    """The concept that an entity stands for, as all sources tell it; `relations` are cut at `BOUND` a direction."""

    id: str  # its id: a CUI of the UMLS, or that of the entity the others were joined to
    name: str  # the one name it is shown by
    label: str  # its category
    ids: Sequence[str]  # its ids everywhere
    semantic_types: Sequence[str]  # codes of its semantic types in the UMLS
    names: Sequence[NameBySource]  # all its names, those that most sources use first
    definitions: Sequence[DefinitionBySource]  # what sources say that it is
    members: Sequence[Member]  # the entities that stand for it
    told: Sequence[SourceStatement]  # what each source says of each of these
    relations: Sequence[VoicedRelation]  # its relations by all voices, of each kind those that most sources say first
    kinds: Sequence[RelationKind]  # the kinds of all its relations; each pair of concepts counts once

    @property
    def documents(self) -> int:
        """How many documents are about its entities."""
        return sum(member.documents for member in self.members)

    @property
    def is_in_texts(self) -> bool:
        """Whether texts tell any of its relations."""
        return any(voice.sections for row in self.relations for voice in row.voices)


def meaning_of(database: Database, name: str) -> Meaning | None:
    """Tell what all sources say of the concept that an entity stands for, by the id of either.

    None where concepts were not indexed since the entity came, or nothing has the id.
    """
    rows = database.read(catalogue.get("meaning"), id=sendable(name), limit=BOUND)
    if not rows:
        return None
    said = [voice for part in rows[0]["relations"] for voice in part["voices"]]
    return _meaning(rows[0], Voices.load(database, (source for voice in said for source in voice["sources"])))


def _meaning(row: Row, voices: Voices) -> Meaning:
    told = tuple(SourceStatement(**part) for part in row["told"])
    return Meaning(
        **row
        | {
            "names": _names(told, row["name"]),
            "definitions": _definitions(told),
            "members": tuple(Member(**part) for part in row["members"]),
            "told": told,
            "relations": tuple(_relation(part, voices) for part in row["relations"]),
            "kinds": tuple(RelationKind(**part) for part in row["kinds"]),
        }
    )


def _relation(part: Row, voices: Voices) -> VoicedRelation:
    said = tuple(Voice(**voice) for voice in part["voices"])
    backing = voices.backing((voice.method, voice.sources, voice.sections) for voice in said)
    return VoicedRelation(**part | {"voices": said, "backing": backing})


def _names(told: Sequence[SourceStatement], title: str) -> tuple[NameBySource, ...]:
    spelt: dict[str, str] = {}
    users: dict[str, dict[str, None]] = {}
    for said in told:
        for name in filter(None, (said.name, *said.synonyms)):
            spelt.setdefault(name.casefold(), name)
            users.setdefault(name.casefold(), {})[said.source] = None
    if title.casefold() in spelt:
        spelt[title.casefold()] = title
    order = sorted(users, key=lambda key: (key != title.casefold(), -len(users[key])))
    return tuple(NameBySource(spelt[key], tuple(users[key])) for key in order)


def _definitions(told: Sequence[SourceStatement]) -> tuple[DefinitionBySource, ...]:
    givers: dict[str, dict[str, None]] = {}
    for said in told:
        if said.definition:
            givers.setdefault(said.definition, {})[said.source] = None
    return tuple(DefinitionBySource(text, tuple(sources)) for text, sources in givers.items())
