"""Writers: two at once beside one, in speed, and in small runs over and over that must not lock each other out.

    python lab/benchmarks/writers.py [--pages 16] [--rounds 3] [--runs 100]

Vectors are finished shards that the engine stores with one transaction at a time or two. Loads are two sources whose
things mean the same concepts, one after the other or both at once. The server is on this machine, so that both share
its processors with it; `of the server` says how many of them it used meanwhile. A deadlock is one that the server
reports; the driver tries such a transaction again, so that only the count tells.
"""

from __future__ import annotations

import logging
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import harness
import numpy as np
import psutil
from harness import own_home, table

from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.graph.database import Database, as_vector
from medgraph.graph.engine import Step
from medgraph.graph.ray_engine import RayEngine, Worker
from medgraph.loaders.base import Row, Source
from medgraph.loaders.commands import unload_named
from medgraph.loaders.life import load
from medgraph.schema import migrate
from medgraph.schema.records import Document, Entity, Section, SourceInfo
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

DIMENSION = 384
CHUNKS = harness.statement("UNWIND range(1, $n) AS n CREATE (:Chunk {id: 'c' + n, text: 'x', position: 0})")
CLEARED = harness.statement("MATCH (c:Chunk) CALL (c) { REMOVE c.embedding } IN TRANSACTIONS OF 1000 ROWS")


class Deadlocks(logging.Handler):
    """Counts what the driver tries again because of a deadlock."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += "eadlock" in record.getMessage()


class Here(RayEngine):
    """The engine without Ray: this process computes."""

    def _finished(self, shards: list[Path], step: Step) -> Any:
        worker = Worker(step, self.load)
        for shard in shards:
            yield worker({"shard": [str(shard)]})


def drawn(page: list[dict[str, Any]], _: None) -> list[dict[str, Any]]:
    rows = np.random.default_rng(len(page)).normal(size=(len(page), DIMENSION)).astype("<f4")
    return [{"id": row["id"], "vector": vector.tobytes()} for row, vector in zip(page, rows, strict=True)]


def vectors(database: Database, folder: Path, sizes: list[int], writers: int) -> float:
    step, engine = Step("vectors", "drawn", drawn, writers), Here(folder)
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    pages = [[{"id": f"c{start + n + 1}"} for n in range(size)] for start, size in zip(starts, sizes, strict=True)]
    database.run(CLEARED)
    for _ in engine.rows(step, None, pages):
        pass
    query = catalogue.get("write_chunk_embeddings")

    def write(rows: list[dict[str, Any]]) -> None:
        stored = [row | {"vector": as_vector(np.frombuffer(row["vector"], dtype="<f4"))} for row in rows]
        database.write(query, rows=stored, model="drawn")

    begun = time.perf_counter()
    for _ in engine.store(step, None, pages, write):
        pass
    return time.perf_counter() - begun


def loads(settings: Settings, databases: list[Database], count: int, writers: int) -> float:
    """Load a source of so many things by each database, one after the other or at once; gives seconds."""
    sources = [f"source-{place}" for place in range(len(databases))]

    def load_one(place: int) -> None:
        info = SourceInfo(sources[place], sources[place], "1", "CC0-1.0", "", minimum=1)
        rows = [Row(record, "file", n) for n, record in enumerate(things(sources[place], count))]
        source = Source(info, lambda _: iter(rows), lambda _: len(rows))
        path = settings.home / f"{sources[place]}.txt"
        path.write_text(str(time.monotonic_ns()))
        load.load(databases[place], load.Task(source, path, info, settings.home / "rejects"))

    begun = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:
        for _ in pool.map(load_one, range(len(sources))):
            pass
    seconds = time.perf_counter() - begun
    for database, source in zip(databases, sources, strict=True):
        unload_named(database, settings, source)
    return seconds


def things(source: str, count: int) -> Iterator[Entity | Document]:
    """Give diseases and documents about them; the diseases of every source mean the same concepts."""
    for n in range(count):
        concepts = (f"C{n % 50:07}",)
        yield Entity(f"{source}:{n}", "Disease", f"Disease {n}", concepts=concepts)
    for n in range(count):
        section = Section(f"{source}:d{n}#1", f"Disease {n} is seen often. " * 20, "causes")
        yield Document(f"{source}:d{n}", f"Disease {n}", sections=(section,), about=(f"{source}:{n}",))


def compared(what: str, once: Callable[[int], float], rounds: int, server: psutil.Process) -> list[str]:
    """Let one writer and two take turns; gives a row of a table."""
    once(2)
    spent: dict[int, list[float]] = {1: [], 2: []}
    busy: dict[int, float] = {1: 0.0, 2: 0.0}
    for _ in range(rounds):
        for writers in (1, 2):
            before = sum(server.cpu_times()[:2])
            begun = time.perf_counter()
            spent[writers].append(once(writers))
            busy[writers] += (sum(server.cpu_times()[:2]) - before) / (time.perf_counter() - begun) / rounds
    ratios = [one / two for one, two in zip(spent[1], spent[2], strict=True)]
    return [
        what,
        *(f"{statistics.median(spent[writers]):.2f}" for writers in (1, 2)),
        f"{statistics.median(ratios):.2f}",
        f"{min(ratios):.2f} to {max(ratios):.2f}",
        *(f"{busy[writers]:.2f}" for writers in (1, 2)),
    ]


def main() -> None:
    options = harness.options(
        __doc__,
        pages=(16, 2, "pages of 1,024 vectors"),
        documents=(2000, 20, "documents of each of two sources, and things that they are about"),
        rounds=(3, 1, "rounds"),
        runs=(100, 3, "small runs that count deadlocks"),
    )
    deadlocks = Deadlocks()
    logging.getLogger("neo4j").addHandler(deadlocks)
    with own_home() as (settings, _), tempfile.TemporaryDirectory() as scratch, connect(settings) as database:
        folder, sizes = Path(scratch), [1024] * options.pages
        migrate.apply(database, "drawn", DIMENSION, lambda _: None)
        database.run(CHUNKS, n=sum(sizes))
        server = psutil.Process(EmbeddedNeo4j(settings).status().pid)
        with connect(settings) as other:
            both = [database, other]
            rows = [
                compared("vectors", lambda n: vectors(database, folder, sizes, n), options.rounds, server),
                compared("two loads", lambda n: loads(settings, both, options.documents, n), options.rounds, server),
            ]
            deadlocks.count = 0
            for _ in range(options.runs):
                vectors(database, folder, [16] * 8, 2)
                loads(settings, both, 8, 2)
    columns = ["what", "one, s", "two, s", "one / two", "least to most", "processors of the server, one", "two"]
    table(
        f"Two writers at once beside one; {deadlocks.count} deadlocks in {options.runs} small runs of each:",
        columns,
        rows,
    )


if __name__ == "__main__":
    main()
