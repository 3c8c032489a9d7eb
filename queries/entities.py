"""Finds the entities that a question names, and their concepts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..linking.linked import SYNONYM_SCORE, WORDING
from ..schema.checks import Count, Share  # noqa: TC001 # the service reads the annotations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ..graph.database import Database
    from ..linking.linked import Linked
    from ..linking.linker import Linker

    LinkerOf = Callable[[], Linker]  # gives what finds the names of a graph when it is needed

MAX_MENTIONS: Final = 20  # places of a question that count, at most: those with the longest and surest names
MAX_ALTERNATIVES: Final = 5  # other concepts that a name may stand for, at most


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another entity that a question may mean."""

    entity: str  # its id
    label: str  # its category
    name: str  # its preferred name
    similarity: Share  # how sure it is, from 0 to 1
    concepts: tuple[str, ...] = ()  # ids of the concepts it stands for


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a question names."""

    entity: str  # its id
    label: str  # its category, such as `Disease`
    name: str  # its preferred name
    matched: str  # which of its names was recognised
    surface: str  # what the question says, in small letters
    similarity: Share  # how sure it is, from 0 to 1
    concepts: tuple[str, ...]  # ids of the concepts it stands for
    documents: Count  # how many documents are about the concept
    start: Count = 0  # where the question says it, in characters
    end: Count = 0  # where that ends
    method: str = "name"  # how it was recognised, such as `name` or `spelling`
    alternatives: tuple[Alternative, ...] = ()  # what else may be meant, the likeliest first

    @property
    def reworded(self) -> bool:
        """Whether the question says it in other words than any of its names."""
        return self.method == WORDING

    def level(self) -> list[Mention | Alternative]:
        """Give all that may be meant as surely, itself first."""
        return [self, *(other for other in self.alternatives if other.similarity == self.similarity)]

    def called(self) -> list[Mention | Alternative]:
        """Give all that is called so, be it by its name or by another one that is as right, itself first.

        `Low blood pressure` is one thing's name, and another's synonym.
        """
        least = min(self.similarity, SYNONYM_SCORE)
        return [self, *(other for other in self.alternatives if other.similarity >= least)]


def find_mentions(
    database: Database, linker: Linker, text: str, sources: Collection[str] | None = None
) -> list[Mention]:
    """Find the entities that a question names, the longest and surest first, each concept once.

    Args:
        sources: Sources that alone may be told of: entities that others state, too, are left out, and nothing is said
            of concepts, which join what all sources say. None for all.
    """
    places = sorted(
        linker.question(text), key=lambda place: ((place[0].start - place[0].end) * place[0].score ** 4, place[0].start)
    )
    chosen = [place[: MAX_ALTERNATIVES + 1] for place in places]
    held = linker.holdings
    ids = list(dict.fromkeys(held.id(linked.entity) for place in chosen for linked in place))
    if not ids:
        return []
    rows = {row["id"]: row for row in database.read(catalogue.get("named_entities"), entities=ids)}
    if sources is not None:
        alone = {"concepts": (), "documents": 0}
        rows = {name: row | alone for name, row in rows.items() if row["sources"] and {*row["sources"]} <= {*sources}}
    mentions: dict[str, Mention] = {}
    for place in chosen:
        # What has been taken out of the graph since names were packed is nothing any more.
        there = [(linked, row) for linked in place if (row := rows.get(held.id(linked.entity)))]
        if there and len(mentions) < MAX_MENTIONS:
            mentions.setdefault(held.concept_id(there[0][0].entity), _mention(text, there))
    if sources is not None:  # a name may be what a page of another source adds to it
        return [replace(one, matched=one.surface) for one in mentions.values()]
    return list(mentions.values())


def _mention(text: str, there: Sequence[tuple[Linked, dict[str, Any]]]) -> Mention:
    (linked, row), *others = there
    return Mention(
        entity=row["id"],
        label=row["label"],
        name=row["name"],
        matched=linked.matched,
        surface=text[linked.start : linked.end].lower(),
        similarity=linked.score,
        concepts=tuple(row["concepts"]),
        documents=row["documents"],
        start=linked.start,
        end=linked.end,
        method=linked.method,
        alternatives=tuple(
            Alternative(r["id"], r["label"], r["name"], other.score, tuple(r["concepts"])) for other, r in others
        ),
    )
