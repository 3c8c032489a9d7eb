"""Describes an entity's concept: its members, names, definitions and relations from all sources."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - the service describes cards from their fields
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from ..graph import catalogue
from ..schema.checks import Count  # noqa: TC001
from ..text import sendable
from .voices import PREDICTED, STATED, BackedRelation, Backing, Voices

if TYPE_CHECKING:
    from ..graph.database import Database, Row


@dataclass(frozen=True, slots=True)
class Description:
    """What an entity is, taken from elsewhere: from another entity of its concept, or from a section.

    Attributes:
        text: The definition, or whole sentences of the section.
        source: Id of the source whose words these are.
        entity: Id of the entity that is defined so; empty where a section says it.
        section: Id of the section that says so; empty where it is a definition.
    """

    text: str
    source: str
    entity: str
    section: str

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
    """How many relations of one kind an entity or a concept has.

    Attributes:
        count: How many.
        relation: Their type.
        direction: `out` or `in`.
    """

    count: Count
    relation: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Member:
    """An entity that stands for the concept.

    Attributes:
        id: Its id.
        name: Its preferred name.
        label: Its category.
        method: By what it came to the concept; `itself` for the one that the others were joined to.
        score: How sure that is, from 0 to 1.
        evidence: What it rests on: the entity that it was joined to, and the id or name that both have.
        documents: How many documents are about it.
        obsolete: Whether its source gave it up.
    """

    id: str
    name: str
    label: str
    method: str
    score: float | None
    evidence: Sequence[str]
    documents: Count
    obsolete: bool


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """What one source says of one entity of the concept.

    Attributes:
        source: Its id.
        licence: Its licence; empty where it is not stated.
        entity: The entity's id.
        name: What it calls it; empty where it only adds to what others say.
        synonyms: Its other names for it.
        definition: What it says that it is.
    """

    source: str
    licence: str
    entity: str
    name: str
    synonyms: Sequence[str]
    definition: str


@dataclass(frozen=True, slots=True)
class NameBySource:
    """A name of the concept, in whatever case, with who uses it.

    Attributes:
        name: The name, as the concept is shown by, else as the first of the sources writes it.
        sources: Ids of the sources.
    """

    name: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class DefinitionBySource:
    """A definition, with who gives it.

    Attributes:
        text: What the concept is.
        sources: Ids of the sources that say so in these words.
    """

    text: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class Voice:
    """Who says that a relation holds, and how.

    Attributes:
        sources: Ids of the sources: the one that states it, or all whose texts tell it.
        method: `stated`, `predicted`, the source's own word for how it came by it, or `section` where texts tell it.
        predicate: The source's own word for the relation.
        score: How sure it is, from 0 to 1; None where nobody says.
        evidence: Ids of what it rests on; of texts, the sections.
        sections: How many sections tell it; 0 for what is stated.
    """

    sources: Sequence[str]
    method: str
    predicate: str
    score: float | None
    evidence: Sequence[str]
    sections: Count

    def text(self) -> str:
        """Say who says so, for people: in how many sections, or by which word, with some of the evidence."""
        who = ", ".join(self.sources)
        if self.sections:
            parts = [f"told in {self.sections:,} section{'s' if self.sections > 1 else ''} ({who})"]
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
    """A relation between two concepts, with everybody who says so.

    Attributes:
        relation: Its type.
        direction: `out` where it starts at the concept, `in` where it ends there.
        concept: Id of the other concept.
        name: What that is called.
        label: Its category.
        entity: Id of an entity that stands for it.
        voices: Who says so.
        backing: Who states it, who tells it, and what that is worth.
    """

    relation: str
    direction: Direction
    concept: str
    name: str
    label: str
    entity: str
    voices: Sequence[Voice]
    backing: Backing = field(default_factory=Backing)

    def text(self) -> str:
        """Say who says so, for people."""
        return " | ".join(dict.fromkeys(voice.text() for voice in self.voices))


@dataclass(frozen=True, slots=True)
class Meaning:
    """The concept that an entity stands for, as all sources tell it; `relations` are cut at `BOUND` a direction.

    Attributes:
        id: Its id: a CUI of the UMLS, or that of the entity the others were joined to.
        name: The one name it is shown by.
        label: Its category.
        ids: Its ids everywhere.
        semantic_types: Codes of its semantic types in the UMLS.
        names: All its names, those that most sources use first.
        definitions: What sources say that it is.
        members: The entities that stand for it.
        told: What each source says of each of these.
        relations: Its relations by all voices, of each kind those that most sources say first.
        kinds: The kinds of all its relations; each pair of concepts counts once.
    """

    id: str
    name: str
    label: str
    ids: Sequence[str]
    semantic_types: Sequence[str]
    names: Sequence[NameBySource]
    definitions: Sequence[DefinitionBySource]
    members: Sequence[Member]
    told: Sequence[SourceStatement]
    relations: Sequence[VoicedRelation]
    kinds: Sequence[RelationKind]

    @property
    def documents(self) -> int:
        """How many documents are about its entities."""
        return sum(member.documents for member in self.members)

    @property
    def is_told_by_texts(self) -> bool:
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
    return _meaning(rows[0], Voices.read(database, (source for voice in said for source in voice["sources"])))


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
    """Gather names in whatever case: the one that it is shown by first, then those that most sources use."""
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
