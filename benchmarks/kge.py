"""Vectors learned from relations: how fast they are written back, and what is alike found.

    python benchmarks/kge.py [--dimension 128] [--asked 300] [--rounds 5]

Needs a graph whose concepts are joined and have relations where the usual settings point. Where it has vectors, what is
alike is found by these, and nothing is written. `--rebuild` replaces them; `medgraph index kge --rebuild` then brings
them back, without training anew. The vectors written are drawn by seed and taken out at the end: how fast they are
written does not depend on what they say, but how fast they are found does, as drawn ones are all equally far from each
other. Beside: Python's lists in their place, and the nearest found without an index. Vectors are written to concepts
that have none, and there is no index, as `medgraph index kge` does it.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import TYPE_CHECKING

import numpy as np
from report import quantile, statement, table

from medgraph.embeddings.kge import store
from medgraph.embeddings.kge.triples import read_triples
from medgraph.embeddings.kge.vectors import Shared, Vectors
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.queries.similar import find_similar
from medgraph.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medgraph.graph.database import Database

SEED = 17
EXACT = """
MATCH (c:Concept {cui: $concept})
MATCH (x:Concept)
WHERE x.kge IS NOT NULL AND x <> c
WITH x, vector.similarity.cosine(c.kge, x.kge) AS similarity
ORDER BY similarity DESC LIMIT 10
RETURN x.cui AS concept, similarity
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dimension", type=int, default=128, help="numbers of a vector")
    parser.add_argument("--asked", type=int, default=300, help="concepts for which others are looked for")
    parser.add_argument("--rounds", type=int, default=5, help="how often vectors are written each way")
    parser.add_argument("--rebuild", action="store_true", help="replace vectors that the graph has")
    options = parser.parse_args()
    with connect(Settings.from_environment()) as database:
        triples = read_triples(database)
        if (stored := database.read(catalogue.get("kge_model"))) and not options.rebuild:
            print(f"Vectors of {stored[0]['name']} with {stored[0]['dimension']} numbers; --rebuild replaces them\n")
            return ask(database, triples.entities, options.asked)
        try:
            write(database, triples.entities, triples.relations, options.dimension, options.rounds)
            ask(database, triples.entities, options.asked)
        finally:  # nobody should be shown what was drawn as if it had been learned
            clear(database)


def clear(database: Database) -> None:
    """Take vectors and their index out of the graph."""
    database.run(catalogue.get("drop_kge_index"))
    database.run(catalogue.get("clear_kge"))


def write(
    database: Database, entities: tuple[str, ...], relations: tuple[str, ...], dimension: int, rounds: int
) -> None:
    """Write vectors each way by turns; the middle round of each counts."""
    rng = np.random.default_rng(SEED)
    numbers = rng.normal(size=(len(entities), dimension)).astype(np.float32)
    weights = {"relations": numbers[: len(relations)]}
    vectors = Vectors(Shared("TransE", relations, False, weights), numbers)
    ways = {
        "Python's lists, in one transaction after another": lambda: write_lists(database, entities, numbers),
        "**vectors**": lambda: store.write_vectors(database, entities, vectors),
        "**all**: former ones cleared, vectors, index made and awaited": lambda: store.write(
            database, entities, vectors, {}, rebuild=True
        ),
    }
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            clear(database)
            began = time.perf_counter()
            way()
            spent[name].append(time.perf_counter() - began)
    middle = {name: quantile(seconds, 0.5) for name, seconds in spent.items()}
    floor = next(iter(middle.values()))
    table(
        f"Writing {len(entities):,} vectors of {dimension} numbers, the middle of {rounds} rounds",
        ["how", "seconds", "vectors/s", "of the first"],
        [
            [name, f"{seconds:.1f}", f"{len(entities) / seconds:,.0f}", f"{floor / seconds:.2f}"]
            for name, seconds in middle.items()
        ],
    )


def write_lists(database: Database, entities: tuple[str, ...], numbers: NDArray[np.float32]) -> None:
    """Write vectors as who knows no better does: rows of lists, and `SET`."""
    plain = statement("UNWIND $rows AS row MATCH (c:Concept {cui: row.id}) SET c.kge = row.vector")
    rows = [{"id": name, "vector": line.tolist()} for name, line in zip(entities, numbers, strict=True)]
    for start in range(0, len(rows), 2 * store.BATCH):
        database.write(plain, rows=rows[start : start + 2 * store.BATCH])


def ask(database: Database, entities: tuple[str, ...], number: int) -> None:
    """Time what is alike, with and without the index, and count how much of the nearest is found."""
    drawn = random.Random(SEED).sample(entities, min(number + 20, len(entities)))
    exact, indexed, without, found = statement(EXACT), [], [], 0
    for turn, name in enumerate(drawn):
        began = time.perf_counter()
        similar = find_similar(database, name)
        spent = (time.perf_counter() - began) * 1000
        began = time.perf_counter()
        wanted = database.read(exact, concept=name)
        if turn >= 20:
            indexed.append(spent)
            without.append((time.perf_counter() - began) * 1000)
            found += len({one.concept for one in similar.similar} & {row["concept"] for row in wanted})
    table(
        f"The 10 most similar of {len(indexed)} concepts; {found / len(indexed) / 10:.3f} of the nearest are found",
        ["how", "p50 ms", "p95 ms"],
        [
            [name, f"{quantile(spent, 0.5):.1f}", f"{quantile(spent, 0.95):.1f}"]
            for name, spent in (("**similar**", indexed), ("every vector compared", without))
        ],
    )


if __name__ == "__main__":
    main()
