"""Entities looked up by id or by any of their names, and one entity's card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .. import cypher
from ..errors import InputError
from . import lucene
from .entities import find_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..database import Database

    Row = dict[str, Any]

MAX_TEXT: Final = 10_000
MAX_FOUND: Final = 100
BOUND: Final = 25
"""The most relations of each direction, documents, concepts and others of the same concepts that a card lists."""

_NOTHING: Final = "name:nothing AND NOT name:nothing"
_NOT_EXACT: Final = 0.99
_SUGGESTED: Final = 5
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entity that a text names.

    Attributes:
        entity: Its id.
        notes: What to tell people about the choice, a line each; empty where there was none.
    """

    entity: str
    notes: tuple[str, ...] = ()


def find_entities(database: Database, text: str, limit: int = 10) -> list[Row]:
    """Find entities by id, by any of their names, or as a question names them.

    What is called exactly so comes first, in whatever case; where nothing is, what the text names as a question would,
    misspellings included. Then entities with all the words in their names; the last word may be a beginning.

    Args:
        database: The graph.
        text: What a user typed.
        limit: How many at most.

    Returns:
        Rows of `id`, `label`, `name`, `synonyms`, `matched` (the id or name that was recognised), `documents` (how many
        are about it), `concepts` (CUIs) and `score`: 1 for what is called exactly so, less for others.

    Raises:
        InputError: The text is empty or too long, or the limit is out of bounds.
        DatabaseError: The database refused or went away.
    """
    if not 1 <= limit <= MAX_FOUND:
        raise InputError(f"the limit is {limit}; set it from 1 to {MAX_FOUND}")
    return [row for rows in _ranked(database, text) for row in rows][:limit]


def entity_card(database: Database, entity_id: str) -> Row | None:
    """Tell what the graph knows about one entity.

    Args:
        database: The graph.
        entity_id: Its id.

    Returns:
        `id`, `label`, `name`, `synonyms`, `definition`, `sources` (source, licence, version), `concepts` (cui, name,
        semantic_types), `relations` (relation, direction `out` or `in`, id, label, name, source), `documents` (id,
        title, url, source, collection, sections), `same_concept` (other entities: id, label, name, concepts, sources),
        each cut at `BOUND`, and `counts` of them all. None when there is no such entity.

    Raises:
        DatabaseError: The database refused or went away.
    """
    return next(iter(database.read(cypher.get("entity"), id=_sendable(entity_id), limit=BOUND)), None)


def resolve(database: Database, text: str) -> Resolved:
    """Choose the one entity that a text names.

    Entities of one concept are one thing of which several sources tell: that with most documents is taken, and the
    others are noted.

    Args:
        database: The graph.
        text: An id, a name, or words that name it.

    Returns:
        The entity, and what to say about the choice.

    Raises:
        InputError: Nothing is called so, or several different things are; the message names what may be meant.
        DatabaseError: The database refused or went away.
    """
    exact, named, near = _ranked(database, text)
    shown = _quoted(text)
    preferred = [row for row in exact if _rank(row) == _rank(exact[0])] or named
    if not preferred:
        raise InputError(f"no entity has the id or name {shown}" + _did_you_mean(near))
    first, *others = preferred
    if any(not set(row["concepts"]) & set(first["concepts"]) for row in others):
        raise InputError(f"{shown} names {len(preferred)} entities" + _did_you_mean(preferred))
    notes = [] if exact else [f"{shown} is understood as {first['name']}"]
    if others:
        notes.append(f"{first['id']} is shown; of the same concept: {', '.join(row['id'] for row in others)}")
    return Resolved(first["id"], tuple(notes))


def _ranked(database: Database, text: str) -> tuple[list[Row], list[Row], list[Row]]:
    """Find what is called so, or else what the text names as a question would; and what has its words in a name."""
    if len(text) > MAX_TEXT:
        raise InputError(f"the name has {len(text):,} characters; {MAX_TEXT:,} are the most")
    plain = " ".join(text.split())
    if not plain:
        raise InputError("nothing to look up; give an id or a name, such as Gout")
    text, plain = _sendable(text), _sendable(plain)
    rows = _read(database, [text.strip()], plain, _terms(plain))
    exact = [row | {"score": 1.0} for row in rows if row["matched"] is not None]
    exact.sort(key=lambda row: (_rank(row), -row["documents"], row["id"]))
    named = [] if exact else _named(database, plain)
    known = {row["id"] for row in named}
    near = [_nearest(row, plain) for row in rows if row["matched"] is None and row["id"] not in known]
    near.sort(key=lambda row: (-row["score"], -row["documents"], row["id"]))
    return exact, named, near


def _sendable(text: str) -> str:
    """Replace halves of characters, which a command line or a request may hold and no database can take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _rank(row: Row) -> int:
    """Prefer an id to a name, and a name to a synonym."""
    return 0 if row["matched"] == row["id"] else 1 if row["matched"] == row["name"] else 2


def _named(database: Database, text: str) -> list[Row]:
    mentions = find_mentions(database, text)
    rows = {row["id"]: row for row in _read(database, [mention.entity for mention in mentions], "", _NOTHING)}
    return [
        rows[m.entity] | {"matched": m.matched, "score": min(round(m.similarity, 3), _NOT_EXACT)}
        for m in mentions
        if m.entity in rows
    ]


def _nearest(row: Row, text: str) -> Row:
    """Compare a text with the name most like it, one that holds it first; much described entities count for more."""
    from rapidfuzz import fuzz

    plain = text.lower()
    names = [row["name"], *row["synonyms"]]
    _, likeness, matched = max((plain in name.lower(), fuzz.ratio(plain, name.lower()) / 100, name) for name in names)
    described = row["documents"] / (row["documents"] + 2)
    return row | {"matched": matched, "score": round(_NOT_EXACT * likeness * (0.6 + 0.4 * described), 3)}


def _read(database: Database, ids: Sequence[str], text: str, terms: str) -> list[Row]:
    return database.read(cypher.get("find_entities"), ids=list(ids), text=text, lucene=terms, limit=MAX_FOUND)


def _terms(text: str) -> str:
    """Ask Lucene for the text as a phrase, and for names with all its words; only words pass, never syntax."""
    *whole, last = lucene.words(text) or [""]
    if not last:
        return _NOTHING
    words = " ".join([*(f"+{lucene.quoted(word)}" for word in whole), f"+({lucene.quoted(last)} {_beginning(last)})"])
    return " ".join(f"{field}:({lucene.quoted(text)}^4 ({words}))" for field in ("name", "synonyms"))


def _beginning(word: str) -> str:
    return f"{word}*" if len(word) > 1 and word.isalnum() else ""


def _did_you_mean(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    told = [f"{row['name']} ({row['id']})" for row in rows[:_SUGGESTED]]
    more = f" and {len(rows) - _SUGGESTED} more" if len(rows) > _SUGGESTED else ""
    return f"; did you mean {', '.join(told)}{more}?"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
