"""Paths between two concepts, beside what one would write first: a variable-length match with a limit.

    python benchmarks/paths.py [--pairs 200] [--naive 60] [--small 50]

Needs a graph with all sources loaded and indexed where the usual settings point. Pairs are drawn by seed from concepts
that have ten relations or more; of every ten one has one of the concepts with the most. Both run by turns, warmed by
ten pairs; the naive match is stopped after 10 seconds, and runs on the first `--naive` pairs alone, as it takes long.
Recall is that of the ten best of all paths of small pairs (5 to 15 relations each), found without any bound and ranked
by the same formula in Python.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import sys
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from report import quantile, statement, table

from medgraph.errors import QueryTimeoutError
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.linking.names import GraphNames
from medgraph.queries.paths import find_paths
from medgraph.settings import Settings

if TYPE_CHECKING:
    from medgraph.graph.database import Database
    from medgraph.queries.entities import LinkerOf

SEED: Final = 17
NAIVE_LIMIT: Final = 10.0
HUBS: Final = 20
LEAST: Final = 10
"""Relations of a concept that is drawn: of what has fewer there are hardly any paths."""

TEXT: Final = catalogue.get("paths").text
TYPES: Final = re.sub(r"\s", "", re.search(r"\[r:(IS_A[^\]]*)\]", TEXT)[1])
"""The relations that paths take, as their statement has them."""

CONCEPTS: Final = f"""
MATCH (x:Concept)
WITH x, COUNT {{ (x)-[:{TYPES}]-() }} AS typed, COUNT {{ (x)--() }} AS all
WHERE typed > 0
RETURN x.cui AS id, typed, all ORDER BY typed DESC, id
"""
NAIVE: Final = f"""
MATCH (a:Concept {{cui: $first}}), (b:Concept {{cui: $second}})
MATCH path = (a)-[:{TYPES}*1..9]-(b)
RETURN [n IN nodes(path) | coalesce(n.cui, n.id)] AS nodes LIMIT 50
"""
DEGREES: Final = f"""
UNWIND $ids AS id
MATCH (x:Concept|Term) WHERE x.cui = id OR x.id = id
RETURN id, COUNT {{ (x)-[:{TYPES}]-() }} AS degree
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200, help="pairs that are timed")
    parser.add_argument("--naive", type=int, default=60, help="how many of them the naive match runs on, too")
    parser.add_argument("--small", type=int, default=50, help="small pairs whose paths are all looked for")
    options = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database:
        concepts = database.read(statement(CONCEPTS))
        if len(concepts) <= HUBS:
            sys.exit("this graph has hardly any relations; load sources and run: medgraph index")
        linker = GraphNames(settings, database)
        times(database, linker, concepts, options.pairs, options.naive)
        recall(database, linker, concepts, options.small)


def drawn(concepts: list[dict[str, Any]], number: int) -> list[tuple[str, str]]:
    """Draw pairs: of every ten the last has one of the hubs."""
    rng = random.Random(SEED)
    ids = [row["id"] for row in concepts if row["typed"] >= LEAST]
    pairs = []
    for i in range(number):
        first = ids[(i // 10) % HUBS] if i % 10 == 9 else rng.choice(ids)
        pairs.append((first, rng.choice([name for name in ids if name != first])))
    return pairs


def times(database: Database, linker: LinkerOf, concepts: list[dict[str, Any]], number: int, naive: int) -> None:
    """Time paths and the naive match by turns."""
    pairs = drawn(concepts, number + 10)
    ours: list[float] = []
    theirs: list[float] = []
    limited, query, stopped, found = database.within(NAIVE_LIMIT), statement(NAIVE), 0, 0
    for turn, pair in enumerate(pairs[-10:] + pairs[:-10]):
        started = time.perf_counter()
        (one,) = find_paths(database, linker, pair)
        spent = (time.perf_counter() - started) * 1000
        if turn >= 10:
            ours.append(spent)
            found += bool(one.paths)
        if not 10 <= turn < 10 + naive:
            continue
        started = time.perf_counter()
        try:
            limited.read(query, first=pair[0], second=pair[1])
        except QueryTimeoutError:
            stopped += 1
        theirs.append((time.perf_counter() - started) * 1000)
    rows = [
        [name, len(spent), *(f"{quantile(spent, part):,.0f}" for part in (0.5, 0.95)), f"{max(spent):,.0f}"]
        for name, spent in (
            ("**paths**", ours),
            ("**paths**, the pairs of the naive match", ours[:naive]),
            ("**paths**, pairs with a hub", ours[9::10]),
            (f"naive match, limit 50; {stopped} stopped after {NAIVE_LIMIT:.0f} s", theirs),
        )
    ]
    top = concepts[:HUBS]
    title = (
        f"Paths of up to 3 hops; {found} of {len(ours)} pairs have some. Hubs: {top[-1]['typed']:,} to "
        f"{top[0]['typed']:,} relations that paths take, {min(r['all'] for r in top):,} to "
        f"{max(r['all'] for r in top):,} of any kind."
    )
    table(title, ["what", "pairs", "p50 ms", "p95 ms", "longest ms"], rows)
    ratio = quantile(theirs, 0.95) / quantile(ours[:naive], 0.95)
    print(f"\nThe naive match takes {ratio:.0f} times as long at p95 of the same pairs.")


def all_paths(hops: int) -> str:
    """Write the statement that finds all paths of so many hops: one match a hop, without any bound."""
    lines = ["MATCH (c0:Concept {cui: $first}), (end:Concept {cui: $second})"]
    lines += [
        f"MATCH (c{i})-[r{i}:{TYPES}]-(c{i + 1}:Concept|Term) "
        f"WHERE NOT c{i + 1} IN [{', '.join(f'c{j}' for j in range(i + 1))}] "
        f"AND c{i + 1} {'=' if i + 1 == hops else '<>'} end"
        for i in range(hops)
    ]
    columns = ", ".join(f"coalesce(c{i}.cui, c{i}.id)" for i in range(hops + 1))
    steps = ", ".join(f"[elementId(r{i}), startNode(r{i}) = c{i}, type(r{i}), r{i}.score]" for i in range(hops))
    return "\n".join([*lines, f"RETURN [{columns}] AS nodes, [{steps}] AS steps"])


def worth(kind: str, score: float) -> float:
    """Weigh a relation as the statement says that it does."""
    kinds = re.search(r"\{(IS_A: [^}]*)\}", TEXT)[1]
    known = {name.strip(): float(value) for name, value in (pair.split(":") for pair in kinds.split(","))}
    return known.get(kind, 1.0) * score


def ranked(database: Database, pair: tuple[str, str]) -> list[tuple[float, tuple[str, ...], tuple[bool, ...]]]:
    """Find all paths of a pair and rank them."""
    voices: dict[tuple[Any, ...], list[dict[str, float]]] = {}
    for hops in (1, 2, 3):
        for row in database.read(statement(all_paths(hops)), first=pair[0], second=pair[1]):
            key = tuple(row["nodes"]), tuple(step[1] for step in row["steps"])
            said = voices.setdefault(key, [defaultdict(float) for _ in range(hops)])
            for one, step in zip(said, row["steps"], strict=True):
                one[step[0]] = worth(*step[2:])
    middle = {name for nodes, _ in voices for name in nodes[1:-1]}
    degrees = {row["id"]: row["degree"] for row in database.read(statement(DEGREES), ids=sorted(middle))}
    rows = []
    for (nodes, outs), said in voices.items():
        if sum(a != b for a, b in itertools.pairwise(outs)) > 1:
            continue
        score = 1.0
        for one in said:
            doubt = 1.0
            for weight in one.values():
                doubt *= 1 - weight
            score *= 1 - doubt
        for name in nodes[1:-1]:
            score *= (degrees[name] + 1) ** -0.4
        rows.append((score, nodes, outs))
    return sorted(rows, key=lambda row: (-round(row[0], 9), len(row[1]), row[1], row[2]))


def recall(database: Database, linker: LinkerOf, concepts: list[dict[str, Any]], number: int) -> None:
    """Count how many of the ten best paths of small pairs are found."""
    rng = random.Random(SEED)
    small = [row["id"] for row in concepts if 5 <= row["typed"] <= 15]
    best = found = tried = 0
    while tried < number:
        pair = tuple(sorted(rng.sample(small, 2)))
        wanted = ranked(database, pair)
        if not wanted:
            continue
        tried += 1
        (given,) = find_paths(database, linker, pair, limit=50)
        scores = sorted((path.score for path in given.paths), reverse=True)
        best_given = given.paths[:10]
        ours = {(tuple(n.id for n in path.nodes), tuple(h.forward for h in path.hops)) for path in best_given}
        # What has the same rank as the last of the ten may stand in for it.
        last = scores[min(10, len(scores)) - 1] if scores else 0.0
        for score, nodes, outs in wanted[:10]:
            best += 1
            found += (nodes, outs) in ours or (len(scores) > 10 and abs(score - last) < 1e-9)
    print(f"\nOf the {best} best paths of {tried} small pairs, ten a pair at most, {found} are found.")


if __name__ == "__main__":
    main()
