"""Entities looked up by id or by any of their names, and one entity's card."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..graph import catalogue
from ..schema.prefixes import standard
from ..schema.records import RESERVED
from . import lucene
from .entities import find_mentions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Database

    Row = dict[str, Any]

MAX_TEXT: Final = 10_000
MAX_FOUND: Final = 100
BOUND: Final = 25
"""The most relations of each direction, documents, concepts and others of the same concepts that a card lists."""

MATCHED: Final = {
    "id": "",
    "alternative_id": "an id that its source gave up for",
    "name": "",
    "synonym": "",
    "xref": "an id elsewhere of",
    "concept": "a concept of",
    "narrow_synonym": "a narrower word for",
    "broad_synonym": "a broader word for",
    "related_synonym": "a related word for",
}
"""What a text may be to an entity, the closest first → how people are told; empty where it is its own id or name."""

_SAME: Final = ("id", "alternative_id", "name", "synonym")
_ELSEWHERE: Final = ("xref", "concept")
_NAMES: Final = ("name", "synonyms")
_OTHER_NAMES: Final = ("narrow_synonyms", "broad_synonyms", "related_synonyms")
_IDS: Final = ("alternative_ids", "xrefs")
_NOTHING: Final = {
    "lucene": "name:nothing AND NOT name:nothing",
    "lucene_others": "broad_synonyms:nothing AND NOT broad_synonyms:nothing",
    "lucene_ids": "xrefs:nothing AND NOT xrefs:nothing",
}
_NOT_EXACT: Final = 0.99
_OTHERS_WEIGHT: Final = 0.8
_SUGGESTED: Final = 5
_EVIDENCE: Final = 3
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

    What is called exactly so comes first, in whatever case; then what has it as a cross-reference, or a word for
    something narrower, broader or related. Where there is nothing of this, what the text names as a question would,
    misspellings included. Then entities with all the words in their names; the last word may be a beginning.

    Args:
        database: The graph.
        text: What a user typed.
        limit: How many at most.

    Returns:
        Rows of `id`, `label`, `name`, `synonyms`, `matched` (the id or name that was recognised), `matched_by` (what
        that is, a key of `MATCHED`), `documents` (how many are about it), `concepts` (CUIs), `obsolete` and `score`: 1
        for what is called exactly so, less for others.

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
        `id`, `label`, `name`, `synonyms`, `narrow_synonyms`, `broad_synonyms`, `related_synonyms`, `definition`,
        `obsolete`, `replaced_by` (id, name), `alternative_ids`, `xrefs`, `properties`, `sources` (source, licence,
        version, and the name that it gives), `concepts` (cui, name, semantic_types), `relations` (relation, direction
        `out` or `in`, id, label, name, source, predicate, method, evidence, score, properties), `kinds` of relations
        (relation, direction, count), `documents` (id, title, url, source, collection, sections), `same_concept` (other
        entities: id, label, name, concepts, sources), these but `kinds` cut at `BOUND`, and `counts` of them all. None
        when there is no such entity.

    Raises:
        DatabaseError: The database refused or went away.
    """
    rows = database.read(catalogue.get("entity"), id=_sendable(entity_id), limit=BOUND, reserved=sorted(RESERVED))
    for row in rows:
        for told in (row, *row["relations"]):
            told["properties"] = dict(sorted(told["properties"]))
    return next(iter(rows), None)


def relation_details(row: Mapping[str, Any]) -> list[str]:
    """Say what a source adds to a relation, for people.

    Args:
        row: A relation of a card.

    Returns:
        The source, its own word, how it came by it, its confidence, evidence and whatever else it says.
    """
    said = [row["source"], row["predicate"], "" if row["method"] == "stated" else row["method"]]
    said.append("" if row["score"] is None else f"score {row['score']:g}")
    more = [f"and {len(row['evidence']) - _EVIDENCE:,} more"] if len(row["evidence"]) > _EVIDENCE else []
    said += [*row["evidence"][:_EVIDENCE], *more, *property_texts(row["properties"])]
    return [text for text in said if text]


def property_texts(properties: Mapping[str, Any]) -> list[str]:
    """Write what a source says beyond the graph's own words, for people.

    Args:
        properties: Names and values.

    Returns:
        A text for each.
    """
    return [f"{name}: {_value(value)}" for name, value in properties.items()]


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def resolve(database: Database, text: str) -> Resolved:
    """Choose the one entity that a text names.

    Entities of one concept are one thing of which several sources tell: that with most documents is taken, and the
    others are noted. What a source gave up is taken only where nothing else is called so.

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
    notes = [_understood(shown, first)] if not exact or MATCHED[first["matched_by"]] else []
    if others:
        notes.append(f"{first['id']} is shown; of the same concept: {', '.join(row['id'] for row in others)}")
    return Resolved(first["id"], tuple(notes))


def _understood(shown: str, row: Row) -> str:
    what = MATCHED[row["matched_by"]]
    return f"{shown} is {what} {row['name']}" if what else f"{shown} is understood as {row['name']}"


def _ranked(database: Database, text: str) -> tuple[list[Row], list[Row], list[Row]]:
    """Find what is called so, or else what the text names as a question would; and what has its words in a name."""
    if len(text) > MAX_TEXT:
        raise InputError(f"the name has {len(text):,} characters; {MAX_TEXT:,} are the most")
    plain = " ".join(text.split())
    if not plain:
        raise InputError("nothing to look up; give an id or a name, such as Gout")
    text, plain = _sendable(text), _sendable(plain)
    rows = _read(database, _ids(text), plain, _asked(text, plain))
    exact = [row | {"score": 1.0 if row["matched_by"] in _SAME else _NOT_EXACT} for row in rows if row["matched"]]
    exact.sort(key=lambda row: (*_rank(row), -row["documents"], row["id"]))
    named = [] if exact else _named(database, plain)
    known = {row["id"] for row in named}
    near = [_nearest(row, plain) for row in rows if not row["matched"] and row["id"] not in known]
    near.sort(key=lambda row: (-row["score"], -row["documents"], row["id"]))
    return _without_other_names(exact), _without_other_names(named), _without_other_names(near)


def _sendable(text: str) -> str:
    """Replace halves of characters, which a command line or a request may hold and no database can take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _ids(text: str) -> list[str]:
    """Give a text as an id, and as the standard one where it is an id in another spelling."""
    return list(dict.fromkeys(filter(None, (text.strip(), standard(text), standard(text.upper())))))


def _asked(text: str, plain: str) -> dict[str, str]:
    ids = " ".join(f"{field}:{lucene.quoted(name)}" for name in _ids(text) for field in _IDS)
    return {"lucene": _terms(plain, _NAMES), "lucene_others": _terms(plain, _OTHER_NAMES), "lucene_ids": ids}


def _rank(row: Row) -> tuple[int, bool]:
    """Prefer an id to a name, a name to a synonym, and what is not obsolete."""
    return list(MATCHED).index(row["matched_by"].replace("broad", "narrow").replace("related", "narrow")), row[
        "obsolete"
    ]


def _named(database: Database, text: str) -> list[Row]:
    mentions = find_mentions(database, lucene.all_words(text))
    rows = {row["id"]: row for row in _read(database, [mention.entity for mention in mentions], "", _NOTHING)}
    return [
        _told(rows[m.entity], m.matched, min(round(m.similarity, 3), _NOT_EXACT)) for m in mentions if m.entity in rows
    ]


def _nearest(row: Row, text: str) -> Row:
    """Compare a text with the name most like it, one that holds it first; much described entities count for more."""
    from rapidfuzz import fuzz

    plain = text.lower()
    names = [row["name"], *row["synonyms"], *itertools.chain.from_iterable(row["other_names"].values())]
    _, likeness, matched = max((plain in name.lower(), fuzz.ratio(plain, name.lower()) / 100, name) for name in names)
    described = row["documents"] / (row["documents"] + 2)
    own = 1.0 if matched in (row["name"], *row["synonyms"]) else _OTHERS_WEIGHT
    return _told(row, matched, round(_NOT_EXACT * likeness * own * (0.6 + 0.4 * described), 3))


def _told(row: Row, matched: str, score: float) -> Row:
    """Say by which of its names an entity was found; what a question says may be short for one."""
    others = (kind for kind, names in row["other_names"].items() if matched in names and matched not in row["synonyms"])
    by = "name" if matched == row["name"] else next(others, "synonym")
    return row | {"matched": matched, "matched_by": by, "score": score}


def _without_other_names(rows: Sequence[Row]) -> list[Row]:
    return [{key: value for key, value in row.items() if key != "other_names"} for row in rows]


def _read(database: Database, ids: Sequence[str], text: str, terms: Mapping[str, str]) -> list[Row]:
    return database.read(catalogue.get("find_entities"), ids=list(ids), text=text, limit=MAX_FOUND, **terms)


def _terms(text: str, fields: Sequence[str]) -> str:
    """Ask Lucene for the text as a phrase, and for names with all its words; only words pass, never syntax."""
    *whole, last = lucene.words(text) or [""]
    if not last:
        return f"{fields[0]}:nothing AND NOT {fields[0]}:nothing"
    words = " ".join([*(f"+{lucene.quoted(word)}" for word in whole), f"+({lucene.quoted(last)} {_beginning(last)})"])
    return " ".join(f"{field}:({lucene.quoted(text)}^4 ({words}))" for field in fields)


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
