"""Filters by what documents are: by whom and where they came out, their MeSH headings, and the concepts in them.

An author may have written thousands of documents, and a vector index takes one value a property: what these filters let
pass is found first, as the sections, and the searches look among these.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NoReturn

from ..errors import NotInGraphError
from ..graph import catalogue
from ..schema.folding import folded
from ..schema.vocabulary import STUDIES
from ..text import did_you_mean, sendable
from . import lucene
from .concepts import concept_named, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..graph.database import Database
    from .entities import LinkerOf

_DESCRIPTOR: Final = re.compile(r"(?:MESH:)?(D\d{6,9})", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_INITIALS: Final = re.compile(r"[A-Z]{2,3}|\w")
_SUGGESTED: Final = 5  # journals or authors that an error names as meant, perhaps
# Headings below one that documents are looked for by their names, at most; by id they are all looked for.
_MAX_HEADINGS: Final = 400


def passing(
    database: Database,
    linker: LinkerOf,
    *,
    authors: Sequence[str] = (),
    journals: Sequence[str] = (),
    headings: Sequence[str] = (),
    concepts: Sequence[str] = (),
    notices: Sequence[str] = (),
    studies: Sequence[str] = (),
) -> list[str] | None:
    """Find what filters by author, journal and so on let pass: of each, any may hold; of several, all must.

    Returns:
        Ids of sections, and of pages that answer questions without a section; None where there are no such filters.

    Raises:
        NotInGraphError: The graph has no such author, journal, heading or concept, or it is not a name.
    """
    kinds: list[tuple[Sequence[str], Callable[[str], set[str]]]] = [
        (journals, lambda name: _of_journal(database, name)),
        (authors, lambda name: _of_author(database, name)),
        (headings, lambda name: _under_heading(database, name)),
        (concepts, lambda name: _with_concept(database, linker, name)),
        (notices, lambda name: _with_notice(database, name)),
        (studies, lambda name: _of_study(database, name)),
    ]
    found = [set[str]().union(*map(find, names)) for names, find in kinds if names]
    return sorted(set.intersection(*found)) if found else None


def _of_journal(database: Database, name: str) -> set[str]:
    plain = " ".join(folded(sendable(name)).lower().split()).removeprefix("the ")
    words = _words(name, "journal")
    sought = f"journal:{lucene.quoted(plain)} folded:{lucene.quoted(plain)}"
    found = _ids(database, "sections_by_origin", lucene=sought, journal=plain, author=[])
    return found or _unknown(database, "journal", "journal", "is from", name, words)


def _of_author(database: Database, name: str) -> set[str]:
    words = _words(name, "author")
    given = _WORD.findall(folded(sendable(name)))
    initials = [word for word in given if _INITIALS.fullmatch(word)] if len(given) > 1 else []
    whole = [word.lower() for word in given if word not in initials and len(word) > 1]
    if not whole:
        raise NotInGraphError(f"the author {quoted(name)} is given by initials alone; give a name, such as Smith J")
    # JA may stand for itself in a name or begin two words of one.
    begun = [[word.lower() for word in initials], [letter for word in initials for letter in word.lower()]]
    variants = [[*(f"{word} " for word in whole), *letters] for letters in begun]
    sought = " ".join(f"+(authors:{lucene.quoted(word)} folded:{lucene.quoted(word)})" for word in whole)
    found = _ids(database, "sections_by_origin", lucene=sought, journal="", author=variants)
    return found or _unknown(database, "author", "authors", "is by", name, words)


def _under_heading(database: Database, name: str) -> set[str]:
    words = _words(name, "MeSH heading")
    plain = " ".join(sendable(name).lower().split())
    identifier = found[1].upper() if (found := _DESCRIPTOR.fullmatch(plain)) else ""
    called = lucene.quoted(plain)
    rows = database.read(
        catalogue.get("headings"), id=f"MESH:{identifier}", name=plain, lucene=f"name:{called} synonyms:{called}"
    )
    names = list(dict.fromkeys([plain, *(row["name"] for row in rows)]))[:_MAX_HEADINGS]
    ids = _ids(
        database,
        "sections_by_heading",
        ids=[row["id"] for row in rows],
        names=names,
        lucene=f"mesh_headings:({' '.join(map(lucene.quoted, names))})",
    )
    return ids if ids or rows else _unknown(database, "MeSH heading", "mesh_headings", "stands under", name, words)


def _with_notice(database: Database, name: str) -> set[str]:
    _words(name, "notice")
    kind = sendable(name).lower()
    return _ids(database, "sections_by_notice", lucene=f"notices:{lucene.quoted(kind)}", kind=kind)


def _of_study(database: Database, name: str) -> set[str]:
    plain = " ".join(name.lower().split())
    words = next((words for words in STUDIES.values() if plain in words), ())
    if not words:
        raise NotInGraphError(f"there is no kind of study {quoted(name)}{did_you_mean(name, STUDIES)}")
    sought = " ".join(map(lucene.quoted, words))
    found = f"publication_types:({sought}) article_type:({sought})"
    return _ids(database, "sections_by_study", lucene=found, words=list(words))


def _with_concept(database: Database, linker: LinkerOf, name: str) -> set[str]:
    _words(name, "concept")
    return _ids(database, "sections_by_concept", id=concept_named(database, linker, name))


def _ids(database: Database, statement: str, **parameters: object) -> set[str]:
    return {row["id"] for row in database.read(catalogue.get(statement), **parameters)}


def _words(name: str, what: str) -> list[str]:
    if not (words := lucene.words(name)):
        raise NotInGraphError(f"the {what} {quoted(name)} has no word in it; give a name")
    return words


def _unknown(database: Database, what: str, field: str, relation: str, name: str, words: Sequence[str]) -> NoReturn:
    telling = [word for word in words if len(word) > 1 and word not in lucene.STOP] or list(words)
    rows = database.read(
        catalogue.get("origins_like"),
        lucene=f"{field}:({' '.join(map(lucene.quoted, telling))})",
        field=field,
        words=telling,
        limit=_SUGGESTED,
    )
    like = f"; did you mean {', '.join(row['name'] for row in rows)}?" if rows else ""
    article = "an" if what == "author" else "a"
    raise NotInGraphError(f"no document {relation} {article} {what} called {quoted(name)}{like}")
