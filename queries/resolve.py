"""The one entity that a text names, with others that are called the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..graph import catalogue
from .find import MATCHED, find_matches, one_a_concept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Database
    from .entities import LinkerOf
    from .find import FoundEntity, Matches

_BY_NAME: Final = ("name", "synonym")
"""Keys of `MATCHED` by which an entity is called so, rather than numbered."""

_SUGGESTED: Final = 5
"""Entities that an error names as meant, perhaps."""

_SHOWN: Final = 80
"""Characters of a text that messages repeat."""


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another entity that is called the same.

    Attributes:
        id: Its id.
        name: Its preferred name.
        label: Its category.
        sources: Ids of the sources that tell of it.
    """

    id: str
    name: str
    label: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entity that a text names.

    Attributes:
        entity: Its id.
        notes: What to tell people about the choice, a line each; empty where there was none.
        others: Others that are called the same and mean something else, the best described of each meaning first.
    """

    entity: str
    notes: tuple[str, ...] = ()
    others: tuple[Namesake, ...] = ()


def resolve(database: Database, linker: LinkerOf, text: str) -> Resolved:
    """Choose the entity that a text names.

    Several may have one name, as sources tell of the same thing, or of different ones. What has the text as its id goes
    before what has it as its name, then as a synonym, as an id elsewhere, as a narrower, broader or related word; what
    a source gave up goes behind. Of several that are level, the best described is chosen: what is more than a `Topic`,
    has the most documents, a definition, the most relations and the most sources, in this order (`best_described`).

    Args:
        linker: Gives what finds names in texts when it is needed.
        text: An id, a name, or words that name it.

    Returns:
        The entity, what to tell about the choice, and the others.

    Raises:
        InputError: Nothing is called so, or the text names several things of different meanings one beside the other;
            the message says which may be meant.
    """
    matches = find_matches(database, linker, text)
    level, behind = _level(matches, _quoted(text))
    described = _described(database, [*level, *behind]) if len(level) + len(behind) > 1 else []
    means = {row["id"]: row.pop("concept") for row in described}
    if not matches.exact and len({words for words, _ in matches.named}) > 1 and not _one_meaning(means):
        raise InputError(f"{_quoted(text)} names {len(level)} entities" + _did_you_mean(_one_each(level, means)))
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


def _one_meaning(means: Mapping[str, str | None]) -> bool:
    return len(_apart(list(means), means)) == 1


def _one_each(entities: Sequence[FoundEntity], means: Mapping[str, str | None]) -> list[FoundEntity]:
    kept = set(_apart([entity.id for entity in entities], means))
    return [entity for entity in entities if entity.id in kept]


def _level(matches: Matches, shown: str) -> tuple[list[FoundEntity], list[FoundEntity]]:
    """Find the entities to choose from, and others with the same name that are not level with them."""
    if matches.exact:
        best = matches.exact[0]
        level = [entity for entity in matches.exact if entity.rank == best.rank]
        if best.matched_by not in _BY_NAME:
            return level, []
        return level, [e for e in matches.exact if e.matched_by in _BY_NAME and e.rank != best.rank]
    named = [entity for _, entity in matches.named]
    if not named:
        raise InputError(f"no entity has the id or name {shown}" + _did_you_mean(one_a_concept(matches.near)))
    return named, []


def _described(database: Database, entities: Sequence[FoundEntity]) -> list[dict[str, Any]]:
    return database.read(catalogue.get("best_described"), ids=[entity.id for entity in entities])


def _understood(text: str, entity: FoundEntity) -> str:
    what = MATCHED[entity.matched_by]
    return f"{_quoted(text)} is {what} {entity.name}" if what else f"{_quoted(text)} is understood as {entity.name}"


def _did_you_mean(entities: Sequence[FoundEntity]) -> str:
    if not entities:
        return ""
    names = [f"{entity.name} ({entity.id})" for entity in entities[:_SUGGESTED]]
    more = f" and {len(entities) - _SUGGESTED} more" if len(entities) > _SUGGESTED else ""
    return f"; did you mean {', '.join(names)}{more}?"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
