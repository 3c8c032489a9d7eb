"""Queries of the graph: paths beside a variable-length match, and similar concepts beside every vector compared.

    python lab/benchmarks/queries.py [--pairs 200] [--naive 60] [--asked 300]

Needs a graph that is loaded, indexed and linked. Pairs are drawn from concepts that have ten relations or more, of
every ten one from those with the most; the match is stopped after 10 s, and runs on the first `--naive` pairs. That no
path is missed is tested in tests/queries/test_paths.py. Where the graph has no vectors learned from relations, some are
drawn for the run and taken out afterwards.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import harness
import numpy as np
from harness import statement

from medgraph.embeddings.kge import vectors as store
from medgraph.embeddings.kge.triples import load_triples
from medgraph.embeddings.kge.vectors import SharedParameters, Vectors
from medgraph.errors import QueryTimeoutError
from medgraph.graph import catalogue
from medgraph.graph.database import Database
from medgraph.queries.paths import find_paths
from medgraph.queries.similar import find_similar

NAIVE_LIMIT: Final = 10.0
HUBS: Final = 20
LEAST: Final = 10  # relations of a concept that is drawn: of what has fewer there are hardly any paths
DIMENSION: Final = 128
MATCHED, COMPARED = "naive match, limit 50", "every vector compared"
# The relations that paths take, as their statement has them.
TYPES: Final = re.sub(r"\s", "", re.search(r"\[r:(IS_A[^\]]*)\]", catalogue.get("paths").text)[1])
CONCEPTS: Final = f"""
MATCH (x:Concept)
WITH x, COUNT {{ (x)-[:{TYPES}]-() }} AS typed WHERE typed > 0
RETURN x.cui AS id, typed ORDER BY typed DESC, id
"""
NAIVE: Final = f"""
MATCH (a:Concept {{cui: $first}}), (b:Concept {{cui: $second}})
MATCH path = (a)-[:{TYPES}*1..9]-(b)
RETURN [n IN nodes(path) | coalesce(n.cui, n.id)] AS nodes LIMIT 50
"""
EXACT: Final = """
MATCH (c:Concept {cui: $concept})
MATCH (x:Concept)
WHERE x.kge IS NOT NULL AND x <> c
WITH x, vector.similarity.cosine(c.kge, x.kge) AS similarity
ORDER BY similarity DESC LIMIT 10
RETURN x.cui AS concept, similarity
"""


def main() -> None:
    options = harness.options(
        __doc__,
        pairs=(200, 10, "pairs between which paths are looked for"),
        naive=(60, 2, "pairs that the naive match runs on, too"),
        asked=(300, 5, "concepts for which similar ones are looked for"),
    )
    with harness.opened() as graph:
        paths(graph, options.pairs, options.naive)
        with vectors(graph.database) as entities:
            similar(graph.database, entities, options.asked)


def paths(graph: harness.Graph, count: int, naive: int) -> None:
    concepts = graph.database.read(statement(CONCEPTS))
    if len(concepts) <= HUBS:
        sys.exit("this graph has hardly any relations; load sources and run: medgraph index")
    rng, found = random.Random(17), []
    ids = [row["id"] for row in concepts if row["typed"] >= LEAST]
    ids = ids if len(ids) > HUBS else [row["id"] for row in concepts]
    firsts = [ids[(i // 10) % HUBS] if i % 10 == 9 else rng.choice(ids) for i in range(count)]
    pairs = [(first, rng.choice([name for name in ids if name != first])) for first in firsts]

    def ours(pair: tuple[str, str]) -> None:
        found.append(bool(find_paths(graph.database, graph.linker, pair)[0].paths))

    def match(pair: tuple[str, str]) -> None:
        try:
            graph.database.within(NAIVE_LIMIT).read(statement(NAIVE), first=pair[0], second=pair[1])
        except QueryTimeoutError:
            return

    spent = harness.by_turns({MATCHED: match, "paths": ours}, pairs[:naive], 1)
    every = harness.by_turns({"paths": ours}, pairs, 1)["paths"]
    stopped = sum(ms >= NAIVE_LIMIT * 1000 for ms in spent[MATCHED])
    title = f"Paths of up to 3 hops; {sum(found[-count:])} of {count} pairs have one; {stopped} matches were stopped"
    harness.times(title, spent | {"paths, all pairs": every, "paths, pairs with a hub": every[9::10]}, MATCHED)


@contextmanager
def vectors(database: Database) -> Iterator[tuple[str, ...]]:
    """Give the concepts that have relations, with vectors, which are drawn if the graph has none."""
    triples = load_triples(database)
    drawn = not database.read(catalogue.get("kge_model"))
    try:
        if drawn:
            print("\nThe graph has no learned vectors; some are drawn, all equally far from each other.")
            shape = len(triples.entities), DIMENSION
            numbers = np.random.default_rng(17).normal(size=shape).astype(np.float32)
            shared = SharedParameters(
                "TransE", triples.relations, False, {"relations": numbers[: len(triples.relations)]}
            )
            store.write(database, triples.entities, Vectors(shared, numbers), {}, rebuild=True)
        yield triples.entities
    finally:
        if drawn:  # nobody should be shown what was drawn as if it had been learned
            database.run(catalogue.get("drop_kge_index"))
            database.run(catalogue.get("clear_kge"))
            database.run(statement("MATCH (e:Encoder {id: 'kge'}) DELETE e"))


def similar(database: Database, entities: tuple[str, ...], number: int) -> None:
    asked = random.Random(17).sample(entities, min(number, len(entities)))
    ways = {
        COMPARED: lambda name: {row["concept"] for row in database.read(statement(EXACT), concept=name)},
        "similar": lambda name: {one.concept for one in find_similar(database, name).similar},
    }
    spent = harness.by_turns(ways, asked, 1)
    best, found = ([way(name) for name in asked] for way in ways.values())
    share = sum(len(one & two) for one, two in zip(found, best, strict=True)) / sum(map(len, best))
    title = f"The 10 most similar of {len(asked)} concepts; {share:.3f} of the nearest are found"
    harness.times(title, spent, COMPARED)


if __name__ == "__main__":
    main()
