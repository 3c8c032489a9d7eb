"""What sources yield: frozen records, checked when they are made and never repaired."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass
from datetime import date
from typing import Final

from ..errors import RecordError
from .vocabulary import ENTITY_LABELS, RELATION_TYPES

MAX_ID: Final = 500
MAX_DOCUMENT: Final = 20_000_000

_CUI = re.compile(r"C[0-9]{7}")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A data set and the terms it comes under.

    Attributes:
        id: Its name in commands, and the `source` of everything it contributes.
        title: Its name for people.
        version: The release that the loader was written for, or the one a user states.
        licence: The licence of its content, as an SPDX expression where there is one.
        url: Its home page.
        citation: How its authors want to be cited.
        minimum: The fewest records of a sound file; fewer fail the load.
    """

    id: str
    title: str
    version: str
    licence: str
    url: str
    citation: str = ""
    minimum: int = 1


@dataclass(frozen=True, slots=True)
class Entity:
    """A disease, drug or other thing that documents are about.

    Attributes:
        id: A CURIE; its prefix names who coined it.
        label: A key of `ENTITY_LABELS`.
        name: The preferred name.
        synonyms: Other names.
        definition: What it is, in a sentence or two.
        concepts: CUIs of the UMLS concepts it stands for.
        semantic_types: UMLS semantic types (TUIs) of those concepts.
    """

    id: str
    label: str
    name: str
    synonyms: tuple[str, ...] = ()
    definition: str = ""
    concepts: tuple[str, ...] = ()
    semantic_types: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.id)
        _check_text("name", self.name)
        for text in (*self.synonyms, self.definition):
            _check_characters("synonym or definition", text)
        for kind in self.semantic_types:
            _check_word("semantic type", kind)
        if self.label not in ENTITY_LABELS:
            raise RecordError(f"the label {self.label!r} is not one of {', '.join(ENTITY_LABELS)}")
        for cui in self.concepts:
            if not _CUI.fullmatch(cui):
                raise RecordError(f"{cui!r} is not a UMLS concept (C and seven digits)")


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed relation between two entities.

    Attributes:
        subject: The id of the entity it starts at.
        type: A key of `RELATION_TYPES`.
        object: The id of the entity it points to.
    """

    subject: str
    type: str
    object: str

    def __post_init__(self) -> None:
        check_id(self.subject)
        check_id(self.object)
        if self.type not in RELATION_TYPES:
            raise RecordError(f"the relation {self.type!r} is not one of {', '.join(RELATION_TYPES)}")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document that can be cited.

    Attributes:
        id: Unique in the graph.
        text: What it says.
        type: What it is about, such as `symptoms`; see `SECTION_TYPES`.
        heading: Its heading.
        question: The question that the source says it answers.
    """

    id: str
    text: str
    type: str = ""
    heading: str = ""
    question: str = ""

    def __post_init__(self) -> None:
        check_id(self.id)
        _check_text("text", self.text)
        _check_word("type", self.type)
        _check_characters("heading", self.heading)
        _check_characters("question", self.question)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a source asks without giving the answer's text: its document's page answers it.

    Attributes:
        id: Unique in the graph.
        text: The question.
        type: What it is about, such as `symptoms`.
    """

    id: str
    text: str
    type: str = ""

    def __post_init__(self) -> None:
        check_id(self.id)
        _check_text("question", self.text)
        _check_word("type", self.type)


@dataclass(frozen=True, slots=True)
class Document:
    """A page, an article, an abstract.

    Attributes:
        id: Unique in the graph.
        title: Its title.
        url: Where people read it.
        collection: The part of the source it belongs to, such as the institute that wrote it.
        published: An ISO date, or a year, or a year and month.
        sections: Its sections, in order.
        questions: Questions that its page answers, without the answer's text.
        about: Ids of the entities it is about.
        aliases: Other names of what it is about, by which people may search for it.
    """

    id: str
    title: str
    url: str = ""
    collection: str = ""
    published: str = ""
    sections: tuple[Section, ...] = ()
    questions: tuple[Question, ...] = ()
    about: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.id)
        _check_text("title", self.title)
        for text in (self.url, *self.aliases):
            _check_characters("url or alias", text)
        _check_word("collection", self.collection)
        for entity in self.about:
            check_id(entity)
        if self.published:
            _check_date(self.published)
        if not self.sections and not self.questions and not self.url:
            raise RecordError("the document has neither a section with text, nor a question, nor a url")
        ids = [*(section.id for section in self.sections), *(question.id for question in self.questions)]
        if len(ids) != len(set(ids)):
            twice = next(i for i in ids if ids.count(i) > 1)
            raise RecordError(f"two of its sections have the id {twice!r}")
        if _size(self) > MAX_DOCUMENT:
            raise RecordError(f"the document has more than {MAX_DOCUMENT:,} characters; split it")


Record = Entity | Relation | Document


def content_hash(record: Record) -> str:
    """Fingerprint a record, to tell whether it changed since it was stored.

    Args:
        record: Any record.

    Returns:
        32 hexadecimal digits that depend on its content alone.
    """
    return hashlib.blake2b(repr(asdict(record)).encode(), digest_size=16).hexdigest()


def check_id(value: str) -> str:
    """Make sure that a text can be an id.

    Args:
        value: The text.

    Returns:
        The same text.

    Raises:
        RecordError: It is empty, padded, broken by a tab or line end, too long, or holds control characters.
    """
    if value.splitlines() != [value] or "\t" in value or value != value.strip() or len(value) > MAX_ID:
        raise RecordError(
            f"the id {value[:60]!r} is empty, padded with blanks, broken by a tab or line end, "
            f"or longer than {MAX_ID} characters"
        )
    _check_characters("id", value)
    return value


def _size(document: Document) -> int:
    """Count the characters that a document takes up in the graph, where each section repeats its title and aliases."""
    repeated = len(document.title) + sum(map(len, document.aliases))
    sections = sum(len(s.text) + len(s.heading) + len(s.question) for s in document.sections)
    questions = sum(len(question.text) for question in document.questions)
    return len(document.url) + repeated * (1 + len(document.sections)) + sections + questions


def _check_text(name: str, value: str) -> None:
    if not value.strip():
        raise RecordError(f"the {name} is empty")
    _check_characters(name, value)


def _check_word(name: str, value: str) -> None:
    """Check what people filter by: indexes keep it whole, and a very long one breaks them."""
    _check_characters(name, value)
    if len(value) > MAX_ID:
        raise RecordError(f"the {name} {value[:60]!r} is longer than {MAX_ID} characters")


def _check_characters(name: str, value: str) -> None:
    if found := _FORBIDDEN.search(value):
        raise RecordError(
            f"the {name} holds the control character U+{ord(found[0]):04X} at offset {found.start()}; remove it"
        )


def _check_date(value: str) -> None:
    if not _DATE.fullmatch(value):
        raise RecordError(f"the date {value!r} is not of the form 2026, 2026-11 or 2026-11-21")
    try:
        date.fromisoformat((value + "-01-01")[:10])
    except ValueError as error:
        raise RecordError(f"there is no date {value!r}") from error
