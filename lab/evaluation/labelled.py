"""The graph's mentions, relations of sections and paths, measured against human labels."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from medgraph.graph import catalogue
from medgraph.queries.paths import MAX_PATHS, find_paths

from .sets.grades import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.queries.entities import LinkerOf
    from medgraph.queries.paths import Path as Found

    Row = dict[str, Any]
    Judged = list[tuple[bool, bool]]  # whether each labelled one is right, and whether the graph holds it


FIRST: Final = 5  # paths of a pair that are looked at
_PAIRS: Final = ("part", "kind", "first", "first_name", "second", "second_name", "wanted")
_USEFUL: Final = ("first", "second", "path")
# How paths are ordered: by rank, or naively, the shortest first.
_ORDERS: Final[dict[str, Callable[[Found], tuple[Any, ...]]]] = {
    "rank": lambda path: (-path.score,),
    "length": lambda path: (len(path.hops), path.text),
}

_MENTIONS: Final = ("part", "section", "start", "end", "surface", "concept", "name", "label")
_RELATIONS: Final = ("set", "head", "relation", "tail", "section", "surface", "right")
_CURVE: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.01)  # where the bins of a reliability curve begin


def measure_paths(database: Database, linker: LinkerOf, pairs: Path, useful: Path) -> list[dict[str, Any]]:
    """Measure by each order of paths of how many pairs one of the first is useful, of all and of those not related."""
    judged: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows_of(useful, _USEFUL):
        judged[row["first"], row["second"]].add(row["path"])
    found = {
        pair: find_paths(database, linker, pair, limit=MAX_PATHS)[0].paths
        for pair in [(row["first"], row["second"]) for row in rows_of(pairs, _PAIRS) if row["part"] == "judged"]
    }
    far = [pair for pair, paths in found.items() if not any(len(path.hops) == 1 for path in paths)]
    rows = []
    for order, key in _ORDERS.items():
        good = {
            pair
            for pair, paths in found.items()
            if judged[pair] & {path.text for path in sorted(paths, key=key)[:FIRST]}
        }
        rows.append(
            {
                "order": order,
                "pairs": len(found),
                "useful": _share(len(good), len(found)),
                "not direct": len(far),
                "useful, not direct": _share(len(good & set(far)), len(far)),
                "without a path": sum(not paths for paths in found.values()),
            }
        )
    return rows


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def measure_mentions(database: Database, path: Path) -> list[Row]:
    """Measure labelled mentions by part: precision of those that the graph holds, and recall of the right ones."""
    rows: list[Row] = [
        {**row, "start": int(row["start"]), "end": int(row["end"])}
        for row in rows_of(path, _MENTIONS, ("right", "wrong", "unclear"))
        if row["label"] != "unclear"
    ]
    found = database.read(catalogue.get("found_mentions"), rows=rows)
    held = {(row["section"], row["start"], row["end"]): frozenset(row["ids"]) for row in found}
    judged: dict[str, Judged] = defaultdict(list)
    for row in rows:
        ids = held.get((row["section"], row["start"], row["end"]), frozenset())
        judged[row["part"]].append((row["label"] == "right", row["concept"] in ids))
    return [{"part": part, **_kept(pairs)} for part, pairs in judged.items()]


def measure_relations(database: Database, path: Path) -> list[Row]:
    """Measure how many of the relations that sections tell are right."""
    rows = rows_of(path, _RELATIONS, ("yes", "no"))
    found = database.read(catalogue.get("found_relations"), rows=rows)
    held = {(row["head"], row["relation"], row["tail"]) for row in found}
    judged: dict[str, Judged] = defaultdict(list)
    for row in rows:
        name = f"relations of sections, {row['set']}, {row['relation']}"
        judged[name].append((row["right"] == "yes", (row["head"], row["relation"], row["tail"]) in held))
    return [{"task": name, **_kept(pairs), "f1": None} for name, pairs in judged.items()]


def measure_labelled(path: Path) -> list[Row]:
    """Measure how many relations of a table with their scores are right: a row a type, and one a bin of scores."""
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for row in rows_of(path, ("relation", "score", "right"), ("yes", "no")):
        judged = (float(row["score"]), row["right"] == "yes")
        groups[row["relation"]].append(judged)
        groups[f"score from {max(edge for edge in _CURVE if edge <= judged[0]):g}"].append(judged)
    return [
        {
            "relations": name,
            "n": len(judged),
            "precision": _mean([right for _, right in judged]),
            "mean score": _mean([score for score, _ in judged]),
        }
        for name, judged in sorted(groups.items())
    ]


def _kept(judged: Judged) -> Row:
    kept, right = [right for right, held in judged if held], [held for right, held in judged if right]
    return {"n": len(kept), "precision": _mean(kept), "recall": _mean(right)}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
