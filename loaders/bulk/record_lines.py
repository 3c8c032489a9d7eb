"""Records as lines of CSV files, which an import makes into what the writer's statements store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...schema import rows as as_rows
from ...schema.records import Document, content_hash
from .import_files import COMMA, LONGEST, QUOTE, Book, OddError, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ...schema.records import Entity, Record, Relation

    Columns = tuple[tuple[str, str], ...]

_MARKS: Final[Columns] = (("", "hash:long"), ("", "load:long"), ("", "seen:long"))
_WHERE: Final[Columns] = (("source:string", ""), ("collection:string", ""), ("published:string", ""))

_ENTITY: Final[Columns] = (
    ("id:ID(Entity)", ":START_ID(Entity)"),
    (":LABEL", ""),
    ("name:string", ""),
    ("definition:string", ""),
    ("synonyms:string[]", ""),
    ("semantic_types:string[]", ""),
    ("narrow_synonyms:string[]", ""),
    ("broad_synonyms:string[]", ""),
    ("related_synonyms:string[]", ""),
    ("xrefs:string[]", ""),
    ("alternative_ids:string[]", ""),
    ("replaced_by:string[]", ""),
    ("obsolete:boolean", ""),
    ("sources:string[]", ":END_ID(Source)"),
    *_MARKS,
)
_RELATION: Final[Columns] = (
    ("", ":START_ID(Entity)"),
    ("", ":END_ID(Entity)"),
    ("", ":TYPE"),
    ("", "source:string"),
    ("", "predicate:string"),
    ("", "hash:long"),
    ("", "load:long"),
    ("", "seen:long"),
    ("", "method:string"),
    ("", "evidence:string[]"),
    ("", "score:double"),
)
_CUI: Final[Columns] = (
    ("", ":START_ID(Entity)"),
    ("", ":END_ID(Concept)"),
    ("", "source:string"),
    ("", "semantic_types:string[]"),
)
_DOCUMENT: Final[Columns] = (
    ("id:ID(Document)", ":START_ID(Document)"),
    ("title:string", ""),
    ("url:string", ""),
    ("collection:string", ""),
    ("published:string", ""),
    ("source:string", ":END_ID(Source)"),
    *_MARKS,
    ("about:string[]", ""),
    ("aliases:string[]", ""),
    ("authors:string[]", ""),
    ("journal:string", ""),
    ("doi:string", ""),
    ("retracted:boolean", ""),
    ("revision:string", ""),
)
_SECTION: Final[Columns] = (
    ("", ":START_ID(Document)"),
    ("id:ID(Section)", ":END_ID(Section)"),
    ("text:string", ""),
    ("type:string", ""),
    ("heading:string", ""),
    ("question:string", ""),
    ("title:string", ""),
    ("aliases:string[]", ""),
    ("position:long", ""),
    *_WHERE,
)
_QUESTION: Final[Columns] = (
    ("id:ID(Question)", ":START_ID(Question)"),
    ("text:string", ""),
    ("type:string", ""),
    ("generated:boolean", ""),
    *_WHERE,
)
_ABOUT: Final[Columns] = (
    ("", ":START_ID(Document)"),
    ("", ":END_ID(Entity)"),
    ("", "source:string"),
    ("", "position:long"),
)


def books(folder: Path) -> dict[str, Book]:
    """Begin the files.

    Args:
        folder: Where.

    Returns:
        The books by what they hold.
    """
    open_ = (*_QUESTION, ("position:long", ""), ("", ":END_ID(Document)"))
    return {
        "source": Book(folder, "source", (("id:ID(Source)", ""),), "Source"),
        "concept": Book(folder, "concept", (("cui:ID(Concept)", ""),), "Concept"),
        "entity": Book(folder, "entity", _ENTITY, "Entity", "FROM"),
        "cui": Book(folder, "cui", _CUI, relation="HAS_CUI"),
        "relation": Book(folder, "relation", _RELATION),
        "document": Book(folder, "document", _DOCUMENT, "Document", "FROM"),
        "section": Book(folder, "section", _SECTION, "Section", "HAS_SECTION"),
        "answered": Book(folder, "answered", (*_QUESTION, ("", ":END_ID(Section)")), "Question", "ANSWERED_BY"),
        "open": Book(folder, "open", open_, "Question", "ANSWERED_AT"),
        "about": Book(folder, "about", _ABOUT, relation="ABOUT"),
    }


def entity(record: Entity, source: str, hashed: int, load: int) -> str:
    """Write an entity, and that its source states it.

    Args:
        record: The entity.
        source: The id of the source that states it.
        hashed: Its fingerprint.
        load: The id of the load.

    Returns:
        A line of the book `entity`, without properties.

    Raises:
        OddError: The importer would not store it as a statement does.
    """
    definition = f"{QUOTE}{record.definition}{QUOTE}" if record.definition else ""
    if record.xrefs or record.semantic_types or record.obsolete or record.alternative_ids or record.related_synonyms:
        plain = False
    else:
        plain = not (record.narrow_synonyms or record.broad_synonyms or record.replaced_by)
    if plain:
        more = _NOTHING_MORE
    else:
        lists = (
            record.semantic_types,
            record.narrow_synonyms,
            record.broad_synonyms,
            record.related_synonyms,
            record.xrefs,
            record.alternative_ids,
            record.replaced_by,
        )
        more = COMMA.join((*map(texts, lists), "true" if record.obsolete else ""))
    return (
        f"{QUOTE}{record.id}{QUOTE}{COMMA}{record.label}{COMMA}{QUOTE}{record.name}{QUOTE}{COMMA}{definition}{COMMA}"
        f"{texts(record.synonyms)}{COMMA}{more}{COMMA}{QUOTE}{source}{QUOTE}{COMMA}{hashed}{COMMA}{load}{COMMA}{load}"
    )


_NOTHING_MORE: Final = COMMA * 7


def concept_link(record: Entity, cui: str, source: str) -> str:
    """Write that an entity stands for a concept.

    Args:
        record: The entity.
        cui: The concept.
        source: The id of the source that says so.

    Returns:
        A line of the book `cui`.
    """
    return COMMA.join((text(record.id), text(cui), text(source), texts(record.semantic_types)))


def relation(record: Relation, source: str, hashed: int, load: int) -> str:
    """Write a relation.

    Args:
        record: The relation.
        source: The id of the source that states it.
        hashed: Its fingerprint.
        load: The id of the load.

    Returns:
        A line of the book `relation`, without properties.

    Raises:
        OddError: The importer would not store it as a statement does.
    """
    score = record.score
    if score is None:
        said = ""
    elif type(score) is float:
        said = repr(score)
    else:
        raise OddError
    method = f"{QUOTE}{record.method}{QUOTE}" if record.method else ""
    return (
        f"{QUOTE}{record.subject}{QUOTE}{COMMA}{QUOTE}{record.object}{QUOTE}{COMMA}{record.type}{COMMA}{QUOTE}{source}"
        f"{QUOTE}{COMMA}{QUOTE}{record.predicate}{QUOTE}{COMMA}{hashed}{COMMA}{load}{COMMA}{load}{COMMA}{method}{COMMA}"
        f"{texts(record.evidence)}{COMMA}{said}"
    )


def names(record: Record) -> list[tuple[str, str]]:
    """List what no other document of a file may be called.

    Args:
        record: A document, or a withdrawal of one.

    Returns:
        Names of the document and its parts.
    """
    if isinstance(record, Document):
        return [("document", record.id), *(("part", part) for part in as_rows.parts(record))]
    return [("document", getattr(record, "document", ""))]


def document(record: Document, source: str, about: Sequence[str], load: int) -> list[tuple[str, str]]:
    """Write a document with everything in it.

    Args:
        record: The document.
        source: The id of the source that has it.
        about: The entities it is about that the graph will hold.
        load: The id of the load.

    Returns:
        Lines, each with the name of its book.

    Raises:
        OddError: The importer would not store it as a statement does.
    """
    positions = {entity: position for position, entity in enumerate(record.about, 1)}
    links = [COMMA.join((text(record.id), text(e), text(source), str(positions[e]))) for e in about]
    where = COMMA.join(map(text, (source, record.collection, record.published)))
    pages = [
        ("document", _page(record, source, load)),
        *(("section", line) for line in _sections(record, where)),
        *(("answered", line) for line in _answered(record, where)),
        *(("open", line) for line in _open(record, where)),
        *(("about", line) for line in links),
    ]
    if any(len(line) > LONGEST for _, line in pages):
        raise OddError
    return pages


def _page(record: Document, source: str, load: int) -> str:
    always = (record.id, record.title, record.url, record.collection, record.published, source)
    known = (record.journal, record.doi)
    return COMMA.join(
        (
            *map(text, always),
            str(content_hash(record)),
            str(load),
            str(load),
            *map(texts, (record.about, record.aliases, record.authors)),
            *(text(said) if said else "" for said in known),
            "true" if record.retracted else "",
            text(record.revision) if record.revision else "",
        )
    )


def _sections(record: Document, where: str) -> Iterator[str]:
    title, aliases = text(record.title), texts(record.aliases)
    for position, section in enumerate(record.sections, 1):
        said = map(text, (record.id, section.id, section.text, section.type, section.heading, section.question))
        yield COMMA.join((*said, title, aliases, str(position), where))


def _answered(record: Document, where: str) -> Iterator[str]:
    for section in record.sections:
        if section.question.strip():
            said = map(text, (section.id, section.question, section.type))
            yield COMMA.join((*said, "false", where, text(section.id)))


def _open(record: Document, where: str) -> Iterator[str]:
    for position, question in enumerate(record.questions, 1):
        said = map(text, (question.id, question.text, question.type))
        yield COMMA.join((*said, "false", where, str(position), text(record.id)))
