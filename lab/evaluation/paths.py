"""Measures the share of pairs with a useful path among the first ones, by pairs and paths that people judged."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from medgraph.queries.paths import MAX_PATHS, find_paths

from .sets.grades import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path as File

    from medgraph.graph.database import Database
    from medgraph.queries.entities import LinkerOf
    from medgraph.queries.paths import Path

FIRST: Final = 5  # paths of a pair that are looked at
_PAIRS: Final = ("part", "kind", "first", "first_name", "second", "second_name", "wanted")
_USEFUL: Final = ("first", "second", "path")
# How paths are ordered: by rank, or naively, the shortest first.
_ORDERS: Final[dict[str, Callable[[Path], tuple[Any, ...]]]] = {
    "rank": lambda path: (-path.score,),
    "length": lambda path: (len(path.hops), path.text),
}


def measure_paths(database: Database, linker: LinkerOf, pairs: File, useful: File) -> list[dict[str, Any]]:
    """Measure of how many pairs one of the first paths is useful.

    Returns:
        A row an order of paths: the share of judged pairs of which one of the first `FIRST` is useful, of all and of
        those that have no direct relation; and how many have no path.
    """
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
