"""Equivalences that curators decide on: what was proposed, what it rests on, and what they said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..graph import catalogue
from ..text import sendable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database

STATUSES: Final = ("proposed", "accepted", "rejected", "refused")
"""What an equivalence may be: one that waits, what a curator said, or one that vocabularies contradict."""

MAX_LISTED: Final = 1000
"""Equivalences listed, at most."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two entities that may mean the same.

    Attributes:
        id: Ids of both with | between.
        one: Id of the first.
        one_name: Its name; None where it is not in the graph now.
        other: Id of the second.
        other_name: Its name; None where it is not in the graph now.
        method: How the pair was found.
        evidence: What it rests on: an id or a name; two names with ~ between, where these are near to each other.
        score: How sure it is, from 0 to 1.
        status: One of `STATUSES`.
        chain: For a refused one, the pairs that would have joined two terms of one vocabulary.
    """

    id: str
    one: str
    one_name: str | None
    other: str
    other_name: str | None
    method: str
    evidence: str
    score: float
    status: str
    chain: Sequence[str]


def listed(database: Database, status: str = "proposed", limit: int = 25, method: str = "") -> list[Equivalence]:
    """List equivalences, the surest first.

    Args:
        status: One of `STATUSES`.
        limit: How many at most.
        method: How they were found, such as `embedding`; in any way where it is empty.

    Raises:
        InputError: There is no such status, or the limit is out of bounds.
    """
    if status not in STATUSES:
        raise InputError(f"there is no status {status!r}; known are {', '.join(STATUSES)}")
    if not 1 <= limit <= MAX_LISTED:
        raise InputError(f"the limit is {limit}; set it from 1 to {MAX_LISTED}")
    rows = database.read(catalogue.get("waiting_for_review"), status=status, limit=limit, method=sendable(method))
    return [Equivalence(**row) for row in rows]


def decide(database: Database, one: str, other: str, *, same: bool) -> str:
    """Note whether two entities mean the same; it takes effect when concepts are indexed.

    Returns:
        What was said of the pair before; an empty string where nothing was.

    Raises:
        InputError: They are one, or not in the graph.
    """
    first, second = _pair(one, other)
    found = {row["id"] for row in database.read(catalogue.get("known_entities"), ids=[first, second])}
    if missing := [key for key in (first, second) if key not in found]:
        raise InputError(f"the graph has no entity {missing[0]}; look it up with: medgraph entity NAME")
    status = "accepted" if same else "rejected"
    rows = database.write(catalogue.get("decide"), id=f"{first}|{second}", one=first, other=second, status=status)
    return rows[0]["former"] or ""


def undo(database: Database, one: str, other: str) -> str:
    """Take a decision back.

    Raises:
        InputError: Nothing had been.
    """
    first, second = _pair(one, other)
    rows = database.write(catalogue.get("undecide"), id=f"{first}|{second}")
    if not rows:
        raise InputError(f"nothing was decided on {first} and {second}; see medgraph review list --status accepted")
    former: str = rows[0]["former"]
    return former


def _pair(one: str, other: str) -> tuple[str, str]:
    first, second = sorted((sendable(one.strip()), sendable(other.strip())))
    if first == second:
        raise InputError(f"{first} is one entity; name two")
    return first, second
