"""Questions over the graph alone: what stands in a relation to something, and which relations two things have."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 # the service reads the annotations
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..graph import catalogue
from ..schema.vocabulary import INVERSES, RELATION_TYPES
from .concepts import concept_named
from .voices import BackedRelation, Backing, Voices

if TYPE_CHECKING:
    from ..graph.database import Database, Row
    from ..linking.linker import Linker
    from .voices import Said

ANY: Final = "?"  # what is asked for
# By how many methods a fact may be known: each gives a row, and what it is worth is told by all of them.
_METHODS: Final = 4


@dataclass(frozen=True, slots=True)
class Fact(BackedRelation):
    """A relation between two concepts, with who says so.

    Attributes:
        head: Id of the concept that it starts at.
        head_name: What that is called.
        relation: Its type.
        tail: Id of the concept, or of the term, that it points to.
        tail_name: What that is called.
        sources: Ids of the sources that state or predict it, or of the texts that tell it.
        method: `stated`; `predicted`; `section` where texts tell it, or `term` where they tell it in words that no
            vocabulary has.
        score: How sure it is, from 0 to 1.
        evidence: Ids of sections, or of publications.
        backing: Who states it and who tells it, by this and by other methods, and what that is worth.
    """

    head: str
    head_name: str
    relation: str
    tail: str
    tail_name: str
    sources: Sequence[str]
    method: str
    score: float
    evidence: Sequence[str]
    backing: Backing


def find_facts(database: Database, linker: Linker, head: str, relation: str, tail: str, limit: int = 50) -> list[Fact]:
    """Find facts of which one or two parts are `?`, the surest first.

    Raises:
        InputError: Neither head nor tail is given, a name is not known, or there is no such relation.
    """
    if head == tail == ANY:
        raise InputError(
            "give a head or a tail: everything would be too much; such as: medgraph facts gout HAS_SYMPTOM ?"
        )
    kind = relation.upper().replace(" ", "_")
    if relation != ANY and kind not in RELATION_TYPES:
        raise InputError(f"there is no relation {relation!r}; known are {', '.join(RELATION_TYPES)}")
    if kind in INVERSES:
        head, kind, tail = tail, INVERSES[kind], head
    rows = database.read(
        catalogue.get("facts"),
        head=_concept(database, linker, head),
        relation="" if relation == ANY else kind,
        tail=_concept(database, linker, tail),
        limit=limit * _METHODS,
    )
    voices = Voices.read(database, (source for row in rows for source in row["sources"]))
    said: dict[tuple[str, ...], list[Said]] = {}
    for row in rows:
        said.setdefault(_ends(row), []).append((row["method"], row["sources"], len(row["evidence"])))
    backings = {ends: voices.backing(several) for ends, several in said.items()}
    return [Fact(**row, backing=backings[_ends(row)]) for row in rows[:limit]]


def _ends(row: Row) -> tuple[str, ...]:
    return row["head"], row["relation"], row["tail"]


def _concept(database: Database, linker: Linker, name: str) -> str:
    return "" if name == ANY else concept_named(database, lambda: linker, name)
