"""Entities found by id, by any of their names, or as a question names them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence  # noqa: TC003 - the service describes what is found from its fields
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from ..errors import InputError
from ..graph import catalogue
from ..linking.asked import is_everyday
from ..linking.curated import is_brand
from ..linking.lexicon import ACRONYM
from ..patterns import read_pairs, threshold
from ..schema.checks import Count, Share  # noqa: TC001
from ..schema.prefixes import standard
from ..text import sendable
from . import lucene
from .concepts import called_nearly, quoted
from .entities import find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..graph.database import Database, Row
    from .entities import LinkerOf

MAX_TEXT: Final = 10_000  # characters of a text to look up, at most
MAX_FOUND: Final = 100  # entities found for a text, at most
# What a text may be to an entity, the closest first → how people are told; empty where it is its own id or name.
MATCHED: Final = dict(read_pairs(Path(__file__).with_name("matched.tsv")))
_SAME: Final = ("id", "alternative_id", "name", "synonym")  # keys of `MATCHED` by which an entity is called exactly so
_NAMES: Final = ("name", "synonyms")
_OTHER_NAMES: Final = ("narrow_synonyms", "broad_synonyms", "related_synonyms")
_TRANSLATIONS: Final = ("translations",)
_IDS: Final = ("alternative_ids", "xrefs")
_NO_TERMS: Final = {
    "lucene": "name:nothing AND NOT name:nothing",
    "lucene_others": "broad_synonyms:nothing AND NOT broad_synonyms:nothing",
    "lucene_ids": "xrefs:nothing AND NOT xrefs:nothing",
    "lucene_translations": "translations:nothing AND NOT translations:nothing",
}
_UNDERSCORED: Final = re.compile(r"[A-Za-z]\w*?_\w+")
_NOT_EXACT: Final = threshold("queries.find.not_exact")
_OTHERS_WEIGHT: Final = threshold("queries.find.others")


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity that a text finds."""

    id: str  # its id
    label: str  # its category
    name: str  # its preferred name
    synonyms: Sequence[str]  # its other names
    matched: str  # the id or name that was recognised
    matched_by: Annotated[str, Meta(extra_json_schema={"enum": list(MATCHED)})]  # what that is, a key of `MATCHED`
    documents: Count  # how many documents are about it, or about what means the same
    concepts: Sequence[str]  # CUIs of the concepts that it stands for
    obsolete: bool  # whether its source gave it up
    score: Share  # 1 for what is called exactly so, less for others
    concept: str  # id of the concept at which entities that mean the same meet; its own where it has met none
    sources: Sequence[str]  # ids of the sources that tell of it, or of what means the same

    @property
    def rank(self) -> tuple[int, bool]:
        """What goes first, the lowest: an id before a name, a name before a synonym, and what is not obsolete."""
        by = self.matched_by.replace("broad", "narrow").replace("related", "narrow")
        return list(MATCHED).index(by), self.obsolete


@dataclass(frozen=True, slots=True)
class Matches:
    """What a text finds."""

    exact: Sequence[FoundEntity]  # what has it as an id, a name or another word, the closest first
    # where nothing has: what the text names as a question would, each after the words that name it
    named: Sequence[tuple[str, FoundEntity]]
    near: Sequence[FoundEntity]  # what has the text's words in a name, the likest first


def find_entities(database: Database, linker: LinkerOf, text: str, limit: int = 10) -> list[FoundEntity]:
    """Find entities by id, by any of their names, or as a question names them.

    Entities that mean the same are one, with the sources of all. What is called exactly so comes first, in whatever
    case; then what has it as a cross-reference, or a word for something narrower, broader or related. Where there is
    nothing of this, what the text names as a question would, misspellings included. Then entities with all the words
    in their names; the last word may be a beginning.

    Raises:
        InputError: The text is empty or too long, or the limit is out of bounds.
    """
    if not 1 <= limit <= MAX_FOUND:
        raise InputError(f"the limit is {limit}; set it from 1 to {MAX_FOUND}")
    matches = find_matches(database, linker, text)
    return one_a_concept((*matches.exact, *(entity for _, entity in matches.named), *matches.near))[:limit]


def one_a_concept(entities: Iterable[FoundEntity]) -> list[FoundEntity]:
    """Leave out what means the same as another entity before it."""
    concepts: dict[str, FoundEntity] = {}
    for entity in entities:
        concepts.setdefault(entity.concept, entity)
    return list(concepts.values())


def find_matches(database: Database, linker: LinkerOf, text: str) -> Matches:
    """Find what a text may mean: an id, a name, or words that name an entity; InputError if empty or too long."""
    if len(text) > MAX_TEXT:
        raise InputError(f"the name has {len(text):,} characters; {MAX_TEXT:,} are the most")
    plain = " ".join(text.split())
    if not plain:
        raise InputError("nothing to look up; give an id or a name, such as Gout")
    text, plain = sendable(text), sendable(plain)
    rows = _find_rows(database, _spellings(text), plain, _terms_of(text, plain))
    for row in rows:
        row["matched"] = row["matched"] if _is_called(row, plain) else None
    own = {row["id"]: row["documents"] for row in rows}
    how = ((row, row["matched_by"]) for row in rows if row["matched"])
    exact = [_entity(row, row["matched"], by, 1.0 if by in _SAME else _NOT_EXACT) for row, by in how]
    exact.sort(key=lambda entity: (*entity.rank, -own[entity.id], entity.id))
    branded = _named(database, linker, plain) if is_brand(plain) else []
    # Lists give pages the brands of what they are about: Tylenol is no page on doses.
    exact = [entity for entity in exact if not branded or entity.matched_by == "name"]
    named = [] if exact else branded or _named(database, linker, plain)
    known = {entity.id for _, entity in named}
    near = [_nearest(row, plain) for row in rows if not row["matched"] and row["id"] not in known]
    if exact:  # what is typed is a name already, and no beginning: gout is not Goutieres
        near = [entity for entity in near if set(lucene.words(plain)) <= set(lucene.words(entity.matched))]
    near.sort(key=lambda entity: (-entity.score, -own[entity.id], entity.id))
    return Matches(exact, named, near)


def _find_rows(database: Database, ids: Sequence[str], text: str, terms: Mapping[str, str]) -> list[Row]:
    return database.read(catalogue.get("find_entities"), ids=list(ids), text=text, limit=MAX_FOUND, **terms)


def _spellings(text: str) -> list[str]:
    """Give a text as an id, and as the standard one where it is an id in another spelling."""
    given = [text.strip()]
    if _UNDERSCORED.fullmatch(given[0]):  # as in the last part of an ontology's URIs: DOID_1485
        given.append(given[0].replace("_", ":", 1))
    spellings = (spelling for one in given for spelling in (one, standard(one), standard(one.upper())))
    return list(dict.fromkeys(filter(None, spellings)))


def _terms_of(text: str, plain: str) -> dict[str, str]:
    ids = " ".join(f"{field}:{lucene.quoted(name)}" for name in _spellings(text) for field in _IDS)
    return {
        "lucene": _terms(plain, _NAMES),
        "lucene_others": _terms(plain, _OTHER_NAMES),
        "lucene_translations": _terms(plain, _TRANSLATIONS),
        "lucene_ids": ids,
    }


def _terms(text: str, fields: Sequence[str]) -> str:
    """Ask Lucene for the text as a phrase, and for names with all its words; only words pass, never syntax."""
    *whole, last = lucene.words(text) or [""]
    if not last:
        return f"{fields[0]}:nothing AND NOT {fields[0]}:nothing"
    beginning = f"{last}*" if len(last) > 1 and last.isalnum() else ""
    words = " ".join([*(f"+{lucene.quoted(word)}" for word in whole), f"+({lucene.quoted(last)} {beginning})"])
    return " ".join(f"{field}:({lucene.quoted(text)}^4 ({words}))" for field in fields)


def _is_called(row: Row, text: str) -> bool:
    """Tell whether what a text says is an entity's: nobody who looks up `all` means ALL, a leukaemia."""
    short = row["matched_by"] in _SAME and text.islower() and bool(ACRONYM.fullmatch(row["matched"] or ""))
    return bool(row["matched"]) and not (short and is_everyday(text))


def _named(database: Database, linker: LinkerOf, text: str) -> list[tuple[str, FoundEntity]]:
    named = [
        (mention.surface, meant.entity, mention.matched, mention.similarity)
        for mention in find_mentions(database, linker(), text)
        for meant in mention.level()
    ]
    rows = {row["id"]: row for row in _find_rows(database, [entity for _, entity, *_ in named], "", _NO_TERMS)}
    return [
        (surface, _by_name(rows[entity], matched, min(round(similarity, 3), _NOT_EXACT)))
        for surface, entity, matched, similarity in named
        if entity in rows
    ]


def _nearest(row: Row, text: str) -> FoundEntity:
    """Compare a text with the name most like it, one that holds it first; much described entities count for more."""
    from rapidfuzz import fuzz

    plain = text.lower()
    names = [row["name"], *row["synonyms"], *itertools.chain.from_iterable(row["other_names"].values())]
    _, likeness, matched = max((plain in name.lower(), fuzz.ratio(plain, name.lower()) / 100, name) for name in names)
    described = row["documents"] / (row["documents"] + 2)
    own = 1.0 if matched in (row["name"], *row["synonyms"]) else _OTHERS_WEIGHT
    return _by_name(row, matched, round(_NOT_EXACT * likeness * own * (0.6 + 0.4 * described), 3))


def _by_name(row: Row, matched: str, score: float) -> FoundEntity:
    others = (kind for kind, names in row["other_names"].items() if matched in names and matched not in row["synonyms"])
    by = "name" if matched == row["name"] else next(others, "synonym")
    return _entity(row, matched, by, score)


def _entity(row: Row, matched: str, by: str, score: float) -> FoundEntity:
    names = ("id", "label", "name", "synonyms", "concepts", "obsolete", "concept", "sources")
    same = {name: row[name] for name in names}
    return FoundEntity(**same, matched=matched, matched_by=by, documents=row["told"], score=score)


_BY_NAME: Final = ("name", "synonym")  # keys of `MATCHED` by which an entity is called so, rather than numbered
_SUGGESTED: Final = 5  # entities that an error names as meant, perhaps


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another entity that is called the same."""

    id: str
    name: str
    label: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entity that a text names."""

    entity: str
    notes: tuple[str, ...] = ()  # what to tell people about the choice, a line each; empty where there was none
    # others that are called the same and mean something else, the best described of each meaning first
    others: tuple[Namesake, ...] = ()


def resolve(database: Database, linker: LinkerOf, text: str) -> Resolved:
    """Choose the entity that an id, a name, or words that name it stand for.

    Several may have one name, as sources tell of the same thing, or of different ones. What has the text as its id goes
    before what has it as its name, then as a synonym, as an id elsewhere, as a narrower, broader or related word; what
    a source gave up goes behind. Of several that are level, the best described is chosen: what is more than a `Topic`,
    has the most documents, a definition, the most relations and the most sources, in this order (`best_described`).

    Raises:
        InputError: Nothing is called so, or the text names several things of different meanings one beside the other;
            the message says which may be meant.
    """
    matches = find_matches(database, linker, text)
    if not (matches.exact or matches.named):
        meant = _did_you_mean(one_a_concept(matches.near)) or called_nearly(database, text)
        raise InputError(f"no entity has the id or name {quoted(text)}{meant}")
    level, behind = _level(matches)
    several = [entity.id for entity in (*level, *behind)]
    described = database.read(catalogue.get("best_described"), ids=several) if len(several) > 1 else []
    means = {row["id"]: row.pop("concept") for row in described}
    if not matches.exact and len({words for words, _ in matches.named}) > 1 and len(_apart(list(means), means)) != 1:
        raise InputError(f"{quoted(text)} names {len(level)} entities" + _did_you_mean(_one_each(level, means)))
    order = [row["id"] for row in described]
    level = sorted(level, key=lambda entity: order.index(entity.id)) if order else level
    first = level[0]
    notes = () if matches.exact and not MATCHED[first.matched_by] else (_understood(text, first),)
    # What was joined with it means the same, and is no other; of others that mean the same, the best described is one.
    entities = [first.id, *(row["id"] for row in described if row["id"] != first.id)]
    apart = _apart(entities, means)[1:]
    others = [row for row in described if row["id"] in apart]
    return Resolved(first.id, notes, tuple(Namesake(**row) for row in others))


def _apart(entities: Sequence[str], means: Mapping[str, str | None]) -> list[str]:
    """Keep the first entity of each meaning; what was not joined with anything means itself."""
    first: dict[str, str] = {}
    for entity in entities:
        first.setdefault(means.get(entity) or f"entity {entity}", entity)
    return list(first.values())


def _one_each(entities: Sequence[FoundEntity], means: Mapping[str, str | None]) -> list[FoundEntity]:
    kept = set(_apart([entity.id for entity in entities], means))
    return [entity for entity in entities if entity.id in kept]


def _level(matches: Matches) -> tuple[list[FoundEntity], list[FoundEntity]]:
    """Find the entities to choose from, and others with the same name that are not level with them."""
    if matches.exact:
        best = matches.exact[0]
        level = [entity for entity in matches.exact if entity.rank == best.rank]
        if best.matched_by not in _BY_NAME:
            return level, []
        return level, [e for e in matches.exact if e.matched_by in _BY_NAME and e.rank != best.rank]
    return [entity for _, entity in matches.named], []


def _understood(text: str, entity: FoundEntity) -> str:
    what = MATCHED[entity.matched_by]
    return f"{quoted(text)} is {what} {entity.name}" if what else f"{quoted(text)} is understood as {entity.name}"


def _did_you_mean(entities: Sequence[FoundEntity]) -> str:
    if not entities:
        return ""
    names = [f"{entity.name} ({entity.id})" for entity in entities[:_SUGGESTED]]
    more = f" and {len(entities) - _SUGGESTED} more" if len(entities) > _SUGGESTED else ""
    return f"; did you mean {', '.join(names)}{more}?"
