"""Equivalences that curators decide on: what was proposed, what it rests on, and what they said."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..graph import catalogue
from ..schema.prefixes import is_list
from ..text import did_you_mean, sendable
from .pairing import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database, Row

# What an equivalence may be: one that waits, what a curator said, or one that vocabularies contradict.
STATUSES: Final = ("proposed", "accepted", "rejected", "refused")
MAX_LISTED: Final = 1000  # equivalences listed, at most


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two entities that may mean the same."""

    id: str  # ids of both with | between
    one: str
    one_name: str | None
    other: str
    other_name: str | None
    method: str
    evidence: str  # what it rests on: an id or a name; two names with ~ between, where these are near to each other
    score: float  # how sure it is, from 0 to 1
    status: str
    chain: Sequence[str]  # for a refused one, the pairs that would have joined two terms of one vocabulary


def listed(database: Database, status: str = "proposed", limit: int = 25, method: str = "") -> list[Equivalence]:
    """List equivalences, the surest first, of a `method` or any; InputError for a strange status or limit."""
    if status not in STATUSES:
        raise InputError(f"there is no status {status!r}{did_you_mean(status, STATUSES)}")
    if not 1 <= limit <= MAX_LISTED:
        raise InputError(f"the limit is {limit}; set it from 1 to {MAX_LISTED}")
    rows = database.read(catalogue.get("waiting_for_review"), status=status, limit=limit, method=sendable(method))
    return [Equivalence(**row) for row in rows]


def decide(database: Database, one: str, other: str, *, same: bool) -> str:
    """Note whether two entities mean the same, and give what was said before; InputError if not two of the graph."""
    first, second = _pair(one, other)
    found = {row["id"] for row in database.read(catalogue.get("known_entities"), ids=[first, second])}
    if missing := [key for key in (first, second) if key not in found]:
        raise InputError(f"the graph has no entity {missing[0]}; look it up with: medgraph entity NAME")
    status = "accepted" if same else "rejected"
    rows = database.write(catalogue.get("decide"), id=f"{first}|{second}", one=first, other=second, status=status)
    return rows[0]["former"] or ""


def undo(database: Database, one: str, other: str) -> str:
    """Take a decision back; InputError where nothing had been decided."""
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


def model_relations(database: Database, status: str = "proposed", limit: int = 25) -> list[Row]:
    """List relations that language models told of sections, of a status: one of `STATUSES`, told, or denied."""
    return database.read(catalogue.get("told_for_review"), status=status, limit=limit)


def decide_relation(database: Database, head: str, relation: str, tail: str, status: str | None) -> str:
    """Note what a curator says of a told relation, or nothing more, and give what held; InputError for none such."""
    rows = database.write(
        catalogue.get("decide_told"),
        head=sendable(head),
        relation=sendable(relation),
        tail=sendable(tail),
        status=status,
    )
    if not rows:
        raise InputError(f"no model told {head} {relation} {tail}; see: medgraph review list --relations")
    former: str = rows[0]["former"]
    return former


MAX_TITLES: Final = 10  # documents of an entity that are named, at most


@dataclass(frozen=True, slots=True)
class Side:
    """One of two entities that may mean the same."""

    id: str
    label: str
    name: str
    obsolete: bool
    synonyms: Sequence[str]
    other_names: Sequence[str]  # narrower, broader and related words
    definition: str
    xrefs: Sequence[str]
    concepts: Sequence[str]  # CUIs that sources state for it
    sources: Sequence[str]
    documents: int
    titles: Sequence[Row]  # the first of these: `title`, `url` and `source`
    concept: str
    concept_name: str
    # What stands for it too: `id`, `name`, `label`, and by what it was joined (`method`, `score`, `evidence`).
    members: Sequence[Row]

    @property
    def group(self) -> list[str]:
        """Ids of all that stands for its concept, its own first."""
        return [self.id, *(member["id"] for member in self.members)]


@dataclass(frozen=True, slots=True)
class EquivalenceCard:
    """An equivalence with all that is known of both."""

    equivalence: Equivalence
    sides: Sequence[Side]  # both entities; fewer where one has left the graph
    in_common: Sequence[str]  # names, ids elsewhere and CUIs that both have
    joined: bool
    # What else would mean the same if the pair were accepted: ids of the entities now joined with either.
    gains: Sequence[str]
    clashes: dict[str, list[str]]  # terms of one vocabulary that would become one by it, by prefix
    # Other equivalences of the same two groups: `id`, `method`, `evidence`, `score` and `status`.
    between: Sequence[Row]


def equivalence_card(database: Database, key: str, other: str = "") -> EquivalenceCard:
    """Gather what tells whether two entities mean the same, by `ONE|OTHER` or both ids; InputError if there is none."""
    given = [part.strip() for part in (*key.split("|"), *([other] if other.strip() else []))]
    if len(given) != 2 or not all(given):
        raise InputError("name two entities, as ONE OTHER or 'ONE|OTHER'; medgraph review list shows which wait")
    name = "|".join(sorted(map(sendable, given)))
    rows = database.read(catalogue.get("review"), id=name)
    if not rows:
        raise InputError(f"nothing was proposed or decided on {name}; see: medgraph review list")
    found = Equivalence(**rows[0])
    ids = [found.one, found.other]
    sides = [Side(**row) for row in database.read(catalogue.get("review_sides"), ids=ids, limit=MAX_TITLES)]
    between: Sequence[Row] = ()
    if len(sides) == len(ids):
        groups = [side.group for side in sides]
        between = database.read(catalogue.get("reviews_between"), ones=groups[0], others=groups[1], id=found.id)
    joined = len({side.concept for side in sides}) < len(sides)
    both = len(sides) > 1
    mine, theirs = map(_known, sides) if both else ({}, {})
    in_common = [said for key, said in mine.items() if key in theirs]
    gains = dict.fromkeys(key for side in sides for key in side.group) if both and not joined else {}
    return EquivalenceCard(
        equivalence=found,
        sides=sides,
        in_common=in_common,
        joined=joined,
        gains=[key for key in gains if key not in (found.one, found.other)],
        clashes=_clashes(gains),
        between=between,
    )


def _known(side: Side) -> dict[str, str]:
    """Map what an entity is called, in the form in which names are compared, and numbered to how it is written."""
    names = {key_of(name): name for name in (*reversed(side.synonyms), side.name)}
    return names | {key: key for key in (*side.xrefs, *(f"UMLS:{cui}" for cui in side.concepts), side.id)}


def _clashes(ids: Sequence[str] | dict[str, None]) -> dict[str, list[str]]:
    """Find the terms that their vocabulary tells apart; lists, whose ids are titles, tell nothing apart."""
    terms: dict[str, list[str]] = defaultdict(list)
    for key in ids:
        prefix = key.partition(":")[0]
        if not is_list(prefix):
            terms[prefix].append(key)
    return {prefix: keys for prefix, keys in terms.items() if len(keys) > 1}
