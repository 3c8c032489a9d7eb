"""Records that sources yield: frozen, validated when they are made and never repaired."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final, get_args

from ..errors import RecordError
from .checks import check_characters, check_date, check_id, check_name, check_text, check_translation, check_word
from .vocabulary import ENTITY_LABELS, RELATION_TYPES

MAX_DOCUMENT: Final = 20_000_000

CUI: Final = re.compile(r"C[0-9]{7}")
UMLS: Final = re.compile(rf"UMLS:({CUI.pattern})")  # A concept of the UMLS by itself, and as a CURIE
_RELEASED = re.compile(r"(?<![0-9.])(?:19|20)[0-9]{2}(?:-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?)?(?![0-9.])")
_SOURCE = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
_KEY = re.compile(r"[a-z][a-z0-9_]{0,60}")

Value = str | int | float | bool | tuple[str, ...]
Properties = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A data set and the terms it comes under.

    Example:
        >>> SourceInfo("clinic", "Our clinic's names", version="March 2026", licence="CC0-1.0", url="").released
        '2026'
    """

    id: str
    title: str
    version: str  # the release that the loader was written for, or the one a user states
    licence: str
    url: str
    citation: str = ""
    minimum: int = 1  # the fewest records of a sound file; fewer fail the load
    # whose word on an entity goes before others': 1 for a vocabulary of its own ids, 5 for a data set, 9 for one that
    # names things in passing
    rank: int = 5
    # prefixes of the ids that it coins; on these its word goes before that of all who coin none
    prefixes: tuple[str, ...] = ()
    # what the file's own prefixes stand for that nobody else knows: `LAB https://clinic.example/terms/`
    namespaces: tuple[str, ...] = ()
    # whether it is a table of lists, such as the drugs of a disease, that no vocabulary and no text stands behind: what
    # it alone gives is not told as a fact where people may act on it, until a curator ranks it
    table: bool = False

    @property
    def released(self) -> str:
        """When the release came out, as far as its version tells: 2026, 2026-11 or 2026-11-21, or an empty string."""
        found = _RELEASED.search(self.version)
        return found[0] if found else ""

    def __post_init__(self) -> None:
        for prefix in self.prefixes:
            check_id(prefix)
        if not _SOURCE.fullmatch(self.id):
            raise RecordError(f"{self.id!r} cannot name a source: use at most 60 small letters, digits, - and _")
        for text in (self.title, self.version, self.licence, self.url, self.citation, *self.namespaces):
            check_word("fact about a source", text)


class _Hashed:
    """A record whose content hash, which loads ask for several times, is kept once it is known."""

    __slots__ = ("known_hash",)
    known_hash: int


@dataclass(frozen=True, slots=True)
class Entity(_Hashed):
    """A disease, drug or other thing that documents are about.

    Example:
        >>> Entity("clinic:gout", "Disease", "Gout", synonyms=("Podagra",)).name
        'Gout'

    One without a name adds to what other sources state of the same id; until one of them names it, it is a stub.
    """

    id: str  # a CURIE; its prefix names who coined it
    label: str = ""  # a key of `ENTITY_LABELS`; empty for an addition that does not say
    name: str = ""
    synonyms: tuple[str, ...] = ()
    definition: str = ""
    concepts: tuple[str, ...] = ()  # CUIs of the UMLS concepts it stands for
    semantic_types: tuple[str, ...] = ()  # UMLS semantic types (TUIs) of those concepts
    narrow_synonyms: tuple[str, ...] = ()
    broad_synonyms: tuple[str, ...] = ()
    related_synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()  # CURIEs that the source gives for the same thing elsewhere
    alternative_ids: tuple[str, ...] = ()  # CURIEs under which the source had it before
    obsolete: bool = False
    replaced_by: tuple[str, ...] = ()  # what the source recommends instead of something obsolete
    # names in other languages, each with `@` and the language's BCP 47 tag behind: `Asthme@fr`
    translations: tuple[str, ...] = ()
    properties: Properties = ()  # what else the source says, as pairs of a name and a value in the order of the names

    def __post_init__(self) -> None:
        check_id(self.id)
        _check_named(self)
        synonyms = (*self.synonyms, *self.narrow_synonyms, *self.broad_synonyms, *self.related_synonyms)
        for text in synonyms:
            check_characters("synonym", text)
        check_characters("definition", self.definition)
        for curie in (*self.xrefs, *self.alternative_ids, *self.replaced_by):
            check_id(curie)
        for kind in self.semantic_types:
            check_word("semantic type", kind)
        if self.properties:
            _check_properties(self.properties)
        if len(self.name) + len(self.definition) + sum(map(len, (*synonyms, *self.translations))) > MAX_DOCUMENT:
            raise RecordError(f"its texts have more than {MAX_DOCUMENT:,} characters; shorten them")
        for text in self.translations:
            check_translation(text)
        for cui in self.concepts:
            if not CUI.fullmatch(cui):
                raise RecordError(f"{cui!r} is not a UMLS concept (C and seven digits)")


@dataclass(frozen=True, slots=True)
class Relation(_Hashed):
    """A typed relation between two entities, as one source states it.

    Example:
        >>> Relation("clinic:gout", "TREATED_BY", "clinic:colchicine", score=0.9).method
        'stated'

    A source states a relation once: subject, type, object and predicate together are its key.
    """

    subject: str
    type: str  # a key of `RELATION_TYPES`
    object: str
    predicate: str = ""  # the source's own word for it, a CURIE where it has one; empty where the type says all
    method: str = "stated"  # how the source came by it, such as `stated`, or a term of SEPIO or SEMAPV
    evidence: tuple[str, ...] = ()  # what it rests on: ids of sections, or CURIEs of publications
    score: float | None = None  # the source's confidence, where it gives one
    properties: Properties = ()  # what else the source says, as pairs of a name and a value in the order of the names

    def __post_init__(self) -> None:
        check_id(self.subject)
        check_id(self.object)
        if self.type not in RELATION_TYPES:
            raise RecordError(f"the relation {self.type!r} is not one of {', '.join(RELATION_TYPES)}")
        check_word("predicate", self.predicate)
        check_word("method", self.method)
        for reference in self.evidence:
            check_id(reference)
        if self.score is not None and not math.isfinite(self.score):
            raise RecordError(f"the score {self.score} is not a number")
        if self.properties:
            _check_properties(self.properties)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document that can be cited, of a type in `SECTION_TYPES` or another; ids are unique in the graph.

    Its `question` is one that the source says it answers.
    """

    id: str
    text: str
    type: str = ""
    heading: str = ""
    question: str = ""

    def __post_init__(self) -> None:
        check_id(self.id)
        check_text("text", self.text)
        check_word("type", self.type)
        check_characters("heading", self.heading)
        check_characters("question", self.question)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a source asks without giving the answer's text: its document's page answers it."""

    id: str
    text: str
    type: str = ""

    def __post_init__(self) -> None:
        check_id(self.id)
        check_text("question", self.text)
        check_word("type", self.type)


@dataclass(frozen=True, slots=True)
class Document(_Hashed):
    """A page, an article, an abstract.

    Example:
        >>> section = Section("clinic:gout#1", "Gout is a form of arthritis.", "information")
        >>> Document("clinic:gout-leaflet", "Gout", sections=(section,), about=("clinic:gout",)).sections[0].type
        'information'
    """

    id: str
    title: str
    url: str = ""
    collection: str = ""  # the part of the source it belongs to, such as the institute that wrote it
    published: str = ""  # an ISO date, or a year, or a year and month
    sections: tuple[Section, ...] = ()
    questions: tuple[Question, ...] = ()  # questions that its page answers, without the answer's text
    about: tuple[str, ...] = ()  # ids of the entities it is about
    aliases: tuple[str, ...] = ()  # other names of what it is about, by which people may search for it
    authors: tuple[str, ...] = ()
    journal: str = ""
    doi: str = ""  # its DOI, without an address in front
    # its title and abstract in other languages, each with `@` and the BCP 47 tag behind
    translations: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # what was made known of it later, each by kind and where: `erratum PMID:123`
    # whether it was taken back; such a document has no sections, so that nothing of it can be quoted
    retracted: bool = False
    # sorts after that of every earlier state of the document; an earlier one does not replace a later one
    revision: str = ""
    properties: Properties = ()  # what else the source says, as pairs of a name and a value in the order of the names

    def __post_init__(self) -> None:
        check_id(self.id)
        check_text("title", self.title)
        for text in (self.url, *self.aliases, *self.authors, self.journal, self.doi, *self.notices, self.revision):
            check_characters("url, alias, author, journal, DOI, notice or revision", text)
        for text in self.translations:
            check_translation(text)
        check_word("collection", self.collection)
        _check_properties(self.properties)
        if self.retracted and self.sections:
            raise RecordError("the document was retracted and has sections all the same")
        for entity in self.about:
            check_id(entity)
        if self.published:
            check_date(self.published)
        if not (self.sections or self.questions or self.url or self.retracted or self.translations):
            raise RecordError("the document has neither a section with text, nor a question, nor a url")
        ids = [*(section.id for section in self.sections), *(question.id for question in self.questions)]
        if len(ids) != len(set(ids)):
            twice = next(i for i in ids if ids.count(i) > 1)
            raise RecordError(f"two of its sections have the id {twice!r}")
        # Count the characters that a document takes up in the graph, where each section repeats its title and aliases.
        repeated = len(self.title) + sum(map(len, self.aliases))
        sections = sum(len(s.text) + len(s.heading) + len(s.question) for s in self.sections)
        questions = sum(len(question.text) for question in self.questions)
        translations = sum(map(len, self.translations))
        if (len(self.url) + repeated * (1 + len(self.sections)) + sections + questions + translations) > MAX_DOCUMENT:
            raise RecordError(f"the document has more than {MAX_DOCUMENT:,} characters; split it")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Word that a source has taken back the document of an id."""

    document: str

    def __post_init__(self) -> None:
        check_id(self.document)


Record = Entity | Relation | Document | Withdrawal | SourceInfo

RELATION_KEY: Final = ("subject", "type", "object", "predicate")  # What tells a relation from others of its source
# Names that the graph uses itself, and `properties` cannot have
RESERVED: Final = frozenset(
    "chunked collections cui embedding embedding_b embedding_model embedding_model_b end folded generated hash kge "
    "licence load position seen section sentence_model sentence_model_b sentence_vectors sentence_vectors_b source "
    "sources start types version".split()
) | {f.name for kind in (Entity, Relation, Document, Section) for f in fields(kind) if f.name != "properties"}


def content_hash(record: Record) -> int:
    """Fingerprint a record in 64 bits by its content alone; for a relation, by what its key does not tell."""
    kind = type(record)
    if not isinstance(record, _Hashed):
        return _hash(kind, _VALUES[kind](record)[:-1])
    try:
        return record.known_hash
    except AttributeError:
        found = _hash(kind, _VALUES[kind](record)[:-1])
        object.__setattr__(record, "known_hash", found)
        return found


def content_hash_of(kind: type[Record], values: tuple[Any, ...]) -> int:
    """Fingerprint a record by its attributes' values in their order, as `content_hash` does."""
    return _hash(kind, values[_KEY_SIZE:] if kind is Relation else values)


def _hash(kind: type[Record], said: tuple[Any, ...]) -> int:
    # What has its default value is left out, so that a new attribute changes no fingerprint.
    names, defaults = _DEFAULTS[kind]
    if said == defaults:
        return 0
    pairs = [(name, value) for name, value, default in zip(names, said, defaults, strict=True) if value != default]
    return int.from_bytes(hashlib.blake2b(repr(pairs).encode(), digest_size=8).digest(), "big", signed=True)


_KEY_SIZE: Final = len(RELATION_KEY)
_DEFAULTS: Final[dict[type, tuple[tuple[str, ...], tuple[Any, ...]]]] = {
    kind: (tuple(f.name for f in said), tuple(f.default for f in said))
    for kind in get_args(Record)
    for said in [fields(kind)[_KEY_SIZE:] if kind is Relation else fields(kind)]
}
# With the class, for there is always a tuple of two.
_VALUES: Final = {kind: attrgetter(*names, "__class__") for kind, (names, _) in _DEFAULTS.items()}


def _check_named(entity: Entity) -> None:
    """Check name and label; an addition has neither."""
    if entity.name or entity.label:
        check_name(entity.name)
        if entity.label not in ENTITY_LABELS:
            raise RecordError(f"the label {entity.label!r} is not one of {', '.join(ENTITY_LABELS)}")


def _check_properties(properties: Properties) -> None:
    keys = [key for key, _ in properties]
    if keys != sorted(set(keys)):
        raise RecordError(f"the properties {', '.join(keys)} are not in the order of their names, or one stands twice")
    for key, value in properties:
        if key in RESERVED or not _KEY.fullmatch(key):
            raise RecordError(
                f"{key!r} cannot name a property: the graph uses it itself, or it is not of small letters, digits and _"
            )
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                check_characters(f"property {key}", text)
            elif isinstance(text, float) and not math.isfinite(text):
                raise RecordError(f"the property {key} is not a finite number")
            elif isinstance(text, int) and not -(2**63) <= text < 2**63:
                raise RecordError(f"the property {key} is a number of more than 64 bits")
