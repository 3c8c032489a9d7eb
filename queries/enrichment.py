"""Tells which concepts some phenotypes, drugs or genes have in common more often than chance would have it.

For each relation, a concept is tested by Fisher's exact test, one-sided: how many of the given concepts stand in the
relation to it, of those that stand in it to anything, against all that do or a background of the caller's own.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 # the service reads the annotations
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from ..errors import InputError, NotInGraphError, install_line
from ..graph import catalogue
from ..linking.linked import AS_IT_STANDS
from ..patterns import threshold
from ..schema.checks import Count, Share  # noqa: TC001 # the service reads the annotations
from ..schema.vocabulary import INVERSES, RELATION_TYPES, SYMMETRIC
from ..text import did_you_mean, sendable
from .concepts import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..graph.database import Database, Row
    from .entities import LinkerOf

MOST_NAMES: Final = 2_000  # names that are given, at most
MOST_BACKGROUND: Final = 50_000  # names of a background, at most
MOST: Final = 500  # concepts that are told, at most
SHOWN: Final = 25  # concepts that are told where nobody asks for another number
LIKELY: Final = threshold("queries.enrichment.likely")
_ALL: Final = 1_000_000_000  # groups that are tested: all of them, since the correction takes each
_NEAR: Final = 5  # concepts that an ambiguous or unknown name may mean, at most
# Why a name is left out.
Reason = Literal["unknown", "ambiguous", "repeated", "outside"]
REASONS: Final[dict[Reason, str]] = {
    "unknown": "nothing is called exactly so",
    "ambiguous": "several things are called so: give an id",
    "repeated": "another line means the same",
    "outside": "it is not in the background",
}


@dataclass(frozen=True, slots=True)
class NamedConcept:
    """A concept, and the name or id that was given for it."""

    given: str  # what was given
    concept: str  # its id
    name: str  # what it is called
    label: str  # its category


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A name that was not used."""

    given: str  # what was given
    reason: Reason
    may_be: Sequence[NamedConcept]  # what it may mean, or what another line gave


@dataclass(frozen=True, slots=True)
class Tested:
    """What was tested by a relation."""

    relation: str  # its type
    direction: Literal["out", "in", "either"]  # `out` where it starts at what is tested, `in` where it ends there
    given: Count  # how many of the given concepts stand in it to anything
    background: Count  # how many concepts of the background do
    groups: Count  # how many concepts were tested


@dataclass(frozen=True, slots=True)
class EnrichedHit:
    """A given concept that stands in the relation."""

    concept: str
    name: str
    sources: Sequence[str]  # ids of the sources that state or tell it


@dataclass(frozen=True, slots=True)
class Enriched:
    """A concept that has given ones."""

    concept: str  # its id
    name: str
    label: str  # its category
    relation: str  # the relation that it has to them
    direction: Literal["out", "in", "either"]  # `out` where that starts at the concept, `in` where it ends there
    hits: Count  # how many of the given ones it has
    given: Count  # how many of these stand in the relation to anything
    having: Count  # how many of the background it has
    background: Count  # how many of the background stand in the relation to anything
    expected: float  # how many of the given ones it would have by chance
    p: Share  # how likely that many or more are by chance
    q: Share  # the same, corrected for all tests (Benjamini and Hochberg)
    members: Sequence[EnrichedHit]  # the given ones that it has


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What some concepts have in common more often than expected."""

    concepts: Sequence[NamedConcept]  # what was used
    left_out: Sequence[LeftOut]  # what was not, and why
    background: str  # what they are compared with, in words
    background_left_out: Sequence[LeftOut]  # names of the background that were not used
    tested: Sequence[Tested]
    likely: Count  # how many concepts have two or more of the given ones and a `q` of at most .05
    results: Sequence[Enriched]  # those with two or more of the given ones, the least likely by chance first


def enrich(
    database: Database,
    linker: LinkerOf,
    names: Sequence[str],
    *,
    relations: Sequence[str] = (),
    background: Sequence[str] | None = None,
    limit: int = SHOWN,
) -> Enrichment:
    """Test what has more of some concepts than expected.

    A name counts only where exactly one concept is called so; others are left out, and told.

    Args:
        names: Names, ids or CUIs.
        relations: Types of relations that are tested; empty for all.
        background: Names, ids or CUIs that the given ones were drawn from; None for all that the graph holds.
        limit: Concepts that are told, at most.

    Raises:
        InputError: A number or a relation cannot be used, or scipy is missing.
        NotInGraphError: No name is one of a concept of the graph, or of the background.
    """
    kinds = _checked(names, relations, background, limit)
    concepts, left_out = _named(database, linker, names)
    drawn, drawn_left_out = _named(database, linker, background or ())
    if background is not None:
        inside = {one.concept for one in drawn}
        left_out += [LeftOut(one.given, "outside", (one,)) for one in concepts if one.concept not in inside]
        concepts = [one for one in concepts if one.concept in inside]
    if not concepts:
        raise NotInGraphError(f"none of the {len(names):,} names can be used; {_first(left_out)}")
    ids = [one.concept for one in concepts]
    rows = database.read(
        catalogue.get("over_represented"),
        concepts=ids,
        relations=kinds,
        background=[one.concept for one in drawn],
        symmetric=list(SYMMETRIC),
        limit=_ALL,
    )
    tested = {(row["relation"], row["direction"]): Tested(**{n: row[n] for n in Tested.__slots__}) for row in rows}
    rows = [
        row for row in rows if row["hits"]
    ]  # of a relation by which nothing has any, the row says how many there are
    _test(rows, sum(one.groups for one in tested.values()))
    rows = [row for row in rows if row["hits"] > 1]
    rows.sort(key=lambda row: (row["p"], -row["hits"], row["name"].casefold(), row["concept"]))
    return Enrichment(
        concepts,
        left_out,
        f"{len(drawn):,} concepts of a list, of which" if background is not None else "all concepts of the graph that",
        drawn_left_out,
        sorted(tested.values(), key=lambda one: (one.relation, one.direction)),
        sum(row["q"] <= LIKELY for row in rows),
        _with_members(database, rows[:limit], ids),
    )


def _checked(names: Sequence[str], relations: Sequence[str], background: Sequence[str] | None, limit: int) -> list[str]:
    """Check what is asked, and give the types of relations as concepts have them."""
    for what, given, most in (("names", names, MOST_NAMES), ("names of a background", background, MOST_BACKGROUND)):
        if given is not None and not 1 <= len(given) <= most:
            raise InputError(f"from 1 to {most:,} {what} are taken, not {len(given):,}")
    if not 1 <= limit <= MOST:
        raise InputError(f"from 1 to {MOST} concepts are given, not {limit}")
    kinds = [relation.strip().upper().replace(" ", "_") for relation in relations]
    if unknown := next((kind for kind in kinds if kind not in RELATION_TYPES), ""):
        raise InputError(f"there is no relation {quoted(unknown)}{did_you_mean(unknown, RELATION_TYPES)}")
    return [INVERSES.get(kind, kind) for kind in kinds]


def _named(database: Database, linker: LinkerOf, names: Sequence[str]) -> tuple[list[NamedConcept], list[LeftOut]]:
    """Find the concepts of names: of those that have several, or none, nothing is guessed."""
    texts = {name: " ".join(sendable(name).split()) for name in names}
    ids = {text: text.removeprefix("UMLS:") for text in texts.values()}
    by_id = _of_ids(database, ids.values())
    called = {text: linker().name(text, _NEAR) for text, one in ids.items() if one not in by_id}
    concept_of = {
        one.entity: linker().holdings.concept_id(one.entity) for several in called.values() for one in several
    }
    by_concept = _of_ids(database, set(concept_of.values()))
    used: dict[str, NamedConcept] = {}
    left_out = []
    for name in names:
        may_be = [(row, True) for row in by_id.get(ids[texts[name]], ())]
        for one in called.get(texts[name], ()):
            exact = one.method == AS_IT_STANDS and one.score == called[texts[name]][0].score
            may_be += [(row, exact) for row in by_concept.get(concept_of[one.entity], ())]
        exactly = [row for row, exact in may_be if exact]
        concepts = [
            NamedConcept(name, row["concept"], row["name"], row["label"])
            for row in exactly or map(itemgetter(0), may_be)
        ]
        if len(exactly) != 1:
            left_out.append(LeftOut(name, "ambiguous" if exactly else "unknown", concepts))
        elif (before := used.setdefault(concepts[0].concept, concepts[0])) is not concepts[0]:
            left_out.append(LeftOut(name, "repeated", (before,)))
    return list(used.values()), left_out


def _of_ids(database: Database, ids: Iterable[str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in database.read(catalogue.get("concepts_of"), ids=sorted(set(ids))):
        found.setdefault(row["id"], []).append(row)
    return found


def _first(left_out: Sequence[LeftOut]) -> str:
    """Say of the first name why it was left out."""
    one = left_out[0]
    return f"{quoted(one.given)}: {REASONS[one.reason]}"


def _test(rows: Sequence[Row], tests: int) -> None:
    """Give each row `p` and `q`; of the tests those without a row have no hit, so that their `p` is 1."""
    try:
        from scipy.stats import false_discovery_control, hypergeom
    except ModuleNotFoundError as error:
        raise InputError(f"the test needs scipy; {install_line('enrich')}") from error
    counts = np.array([[row[name] for name in ("hits", "background", "having", "given")] for row in rows]).reshape(
        -1, 4
    )
    found = np.clip(hypergeom.sf(counts[:, 0] - 1, *counts[:, 1:].T), 0, 1)
    corrected = false_discovery_control(np.concatenate([found, np.ones(tests - len(rows))])) if rows else ()
    for row, p, q in zip(rows, found, corrected, strict=False):
        row |= {"p": float(p), "q": float(q)}


def _with_members(database: Database, rows: Sequence[Row], concepts: Sequence[str]) -> list[Enriched]:
    members: list[list[EnrichedHit]] = [[] for _ in rows]
    for one in database.read(catalogue.get("members_of"), groups=list(rows), concepts=list(concepts)) if rows else ():
        members[one.pop("place")].append(EnrichedHit(**one))
    kept = set(Enriched.__slots__)
    return [
        Enriched(
            **{name: value for name, value in row.items() if name in kept} | {"label": row["label"] or ""}, members=hits
        )
        for row, hits in zip(rows, members, strict=True)
    ]
