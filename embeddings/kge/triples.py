"""Triples between concepts: read from the graph by ids, split by seed, and looked through for what leaks."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import InputError
from ...graph import catalogue
from ...patterns import threshold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ...graph.database import Database

    Rows = NDArray[np.int64]

# What of all triples is learned from, what is looked at meanwhile, and what is judged by at the end.
SHARES: Final = (0.85, 0.05, 0.10)
ALIKE: Final = threshold("embeddings.kge.triples.alike")
_FEW: Final = 20  # pairs that a relation has at least, to be told of


@dataclass(frozen=True, slots=True)
class Triples:
    """What is related to what: ids and types, and rows of numbers of head, relation and tail; all sorted."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    rows: Rows

    @property
    def fingerprint(self) -> str:
        """What tells these triples from others."""
        told = "\n".join((*self.entities, "", *self.relations)).encode()
        return hashlib.sha256(told + self.rows.tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Split:
    """Triples to learn from, which have every concept and relation, to choose by and to judge by."""

    triples: Triples
    train: Rows
    valid: Rows
    test: Rows


def load_triples(database: Database) -> Triples:
    """Read all triples between the concepts of a graph that is joined; there must be some, as `triples_of` says."""
    return triples_of(
        (row["head"], row["relation"], row["tail"]) for row in database.stream(catalogue.get("concept_triples"))
    )


def triples_of(named: Iterable[tuple[str, str, str]]) -> Triples:
    """Number triples of head, relation and tail by id; InputError where there are none."""
    found = sorted(set(named))
    if not found:
        raise InputError(
            "the graph has no relations between concepts to learn from; load sources that state some, "
            "and run: medgraph index"
        )
    entities = sorted({end for head, _, tail in found for end in (head, tail)})
    relations = sorted({relation for _, relation, _ in found})
    number, kind = ({name: i for i, name in enumerate(names)} for names in (entities, relations))
    rows = np.array([(number[h], kind[r], number[t]) for h, r, t in found], dtype=np.int64)
    return Triples(tuple(entities), tuple(relations), rows[np.lexsort(rows.T[::-1])])


def split(triples: Triples, seed: int) -> Split:
    """Split triples by chance, 85, 5 and 10 of 100, all kinds in the first part; InputError if there are too few."""
    rows = np.random.default_rng(seed).permutation(triples.rows)
    _, ends = np.unique(rows[:, [0, 2]].ravel(), return_index=True)
    _, kinds = np.unique(rows[:, 1], return_index=True)
    needed = np.zeros(len(rows), dtype=bool)
    needed[ends // 2] = True
    needed[kinds] = True
    free = rows[~needed]
    _, valid_share, test_share = SHARES
    tests = min(round(len(rows) * test_share), round(len(free) * test_share / (test_share + valid_share)))
    valids = min(round(len(rows) * valid_share), len(free) - tests)
    if not tests or not valids:
        raise InputError(
            f"{len(rows):,} relations between {len(triples.entities):,} concepts are too few to learn from and judge "
            "by: load more sources, and run: medgraph index"
        )
    test, valid, rest = np.split(free, [tests, tests + valids])
    return Split(triples, np.concatenate([rows[needed], rest]), valid, test)


def joined_in_training(parts: Split, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell of triples whether head and tail are joined by another relation in training; and the other way round."""
    size = len(parts.triples.entities)
    seen = parts.train[:, 0] * size + parts.train[:, 2]
    return np.isin(rows[:, 0] * size + rows[:, 2], seen), np.isin(rows[:, 2] * size + rows[:, 0], seen)


def leakage(parts: Split) -> dict[str, Any]:
    """Look for what makes triples easy to guess: pairs that are learned from by another relation, either way round.

    Relations are told whose pairs another one has, the same way round or the other (its own inverse, if it is one).
    """
    same, turned = joined_in_training(parts, parts.test)
    return {
        "judged": len(parts.test),
        "same pair learned by another relation": int(same.sum()),
        "pair learned the other way round": int(turned.sum()),
        "pair not learned": int((~(same | turned)).sum()),
        "alike": _alike(parts.triples),
    }


def _alike(triples: Triples) -> list[dict[str, Any]]:
    """List relations whose pairs another one has, or has turned."""
    size = len(triples.entities)
    found = []
    by_kind = [triples.rows[triples.rows[:, 1] == kind] for kind in range(len(triples.relations))]
    pairs = [rows[:, 0] * size + rows[:, 2] for rows in by_kind]
    turned = [rows[:, 2] * size + rows[:, 0] for rows in by_kind]
    for one, name in enumerate(triples.relations):
        if len(pairs[one]) < _FEW:
            continue
        for other, others in enumerate(triples.relations):
            for way, keys in (("same", pairs[other]), ("turned", turned[other])):
                share = 0.0 if way == "same" and one == other else float(np.isin(pairs[one], keys).mean())
                if share >= ALIKE:
                    found.append({"relation": name, "other": others, "way": way, "share": round(share, 3)})
    return found
