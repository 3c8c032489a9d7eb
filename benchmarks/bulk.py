"""Made-up entities and relations by the ordinary path and in bulk, against bare statements.

    python benchmarks/bulk.py [--ordinary 200000] [--bulk 2000000]

Twice as many relations as entities, written to the disk before anything is timed. The floor is what a script of ten
lines does: `UNWIND … MERGE` of the nodes with the same names and definitions, each with a `FROM` to its source that has
fingerprint and loads, and then of the relations with source and fingerprint, five hundred a transaction in one thread,
under the same constraints and indexes, on a server that is warm; it keeps no account of what changed. The bulk load is
told beside the time of `neo4j-admin` alone. It needs about 2 GB of room in the temporary folder for every million
entities; servers of the benchmark's own are started there and stopped again. Each load runs in a process of its own,
whose memory is told.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from report import own_home, peak_mb, statement, table

from medgraph.graph.connect import connect
from medgraph.loaders.base import Row, Source
from medgraph.loaders.life.kinds.kind import BATCH_ROWS
from medgraph.loaders.life.load import Task, load
from medgraph.schema import migrate
from medgraph.schema.records import Entity, Relation, SourceInfo
from medgraph.schema.rows import entity_row, relation_row
from medgraph.settings import DEFAULT_ENCODER, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medgraph.graph.database import Database

BATCH = 500
MERGE_NODES = (
    "MATCH (s:Source {id: 'made-up'}) UNWIND $rows AS row MERGE (n:Entity {id: row.id}) SET n += row.statement "
    "MERGE (n)-[f:FROM]->(s) SET f.hash = row.hash, f.load = 1, f.seen = 1"
)
MERGE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {id: row.subject}) MATCH (b:Entity {id: row.object}) "
    "MERGE (a)-[r:RELATED_TO {source: row.source, predicate: row.predicate}]->(b) "
    "SET r += row.statement, r.hash = row.hash, r.load = 1, r.seen = 1"
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ordinary", type=int, default=200_000, help="Entities of the ordinary path and the floor.")
    parser.add_argument("--bulk", type=int, default=2_000_000, help="Entities of the bulk load.")
    parser.add_argument("--child", choices=("ordinary", "bulk"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        one_load(given.child, given.bulk if given.child == "bulk" else given.ordinary)
        return
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    with own_home() as (settings, environment), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        merge(database, given.ordinary // 10)  # which warms the server
        floor = merge(database, given.ordinary)
        ordinary = child("ordinary", environment, given)
    with own_home() as (settings, environment):
        with connect(settings) as database:
            migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        bulk = child("bulk", environment, given)
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")
    rows = [["UNWIND MERGE (floor)", *rates(given.ordinary, *floor), "1.0", "1.0", ""]]
    for name, size, told in (("load", given.ordinary, ordinary), ("load --bulk", given.bulk, bulk)):
        nodes = size / told["nodes"] / (given.ordinary / floor[0])
        every = size / told["seconds"] / (given.ordinary / sum(floor))
        own = rates(size, told["nodes"], told["relations"], told["seconds"])
        if name != "load":  # which writes both at once, in the end
            own[:2], nodes = ["", ""], 0.0
        rows.append(
            [f"**`{name}`, {3 * size:,}**", *own, f"{nodes:.2f}" if nodes else "", f"{every:.2f}", f"{told['mb']:.0f}"]
        )
    table(
        "Records a second, end to end",
        ["what", "nodes", "relations", "all, end to end", "nodes / floor", "all / floor", "Python's peak MB"],
        rows,
    )
    print(f"\n`load --bulk`: {bulk['seconds']:.0f} s, {bulk['seconds'] / bulk['admin']:.2f} x neo4j-admin alone")


def rates(size: int, nodes: float, relations: float, whole: float | None = None) -> list[str]:
    """Give records a second: of nodes, of relations, and of all."""
    parts = ((size, nodes), (2 * size, relations or nodes), (3 * size, whole or nodes + relations))
    return [f"{count / seconds:,.0f}" for count, seconds in parts]


def made_up(size: int) -> Iterator[Row]:
    """Make entities, and twice as many relations."""
    for n in range(size):
        name, said = f"made-up disease {n}", f"What made-up disease {n} is, in a sentence or two."
        yield Row(Entity(f"MADE:{n:07}", "Disease", name, (f"{n}th made-up disease",), said), "made-up", n + 1)
    for n, (subject, object_) in enumerate(pairs(size)):
        yield Row(Relation(subject, "RELATED_TO", object_, f"made:{n % 7}"), "made-up", size + n + 1)


def write(path: Path, size: int) -> None:
    """Write the records to a file, a batch at a time."""
    with path.open("wb") as file:
        rows = made_up(size)
        while batch := list(islice(rows, BATCH_ROWS)):
            pickle.dump(batch, file, pickle.HIGHEST_PROTOCOL)


def read(path: Path) -> Iterator[Row]:
    """Read them back."""
    with path.open("rb") as file:
        while file.peek(1):
            yield from pickle.load(file)


def marked(path: Path, size: int, marks: list[float]) -> Iterator[Row]:
    """Read them, and note when the first relations were asked for, which is when a load is done with entities."""
    for row in read(path):
        # A load asks for one batch more than it stores at a time.
        if not marks and isinstance(row.record, Relation) and row.line > size + 2 * BATCH_ROWS:
            marks.append(time.perf_counter())
        yield row


def pairs(size: int) -> Iterator[tuple[str, str]]:
    """Choose the ends of relations, no two alike."""
    for n in range(2 * size):
        yield f"MADE:{n * 7919 % size:07}", f"MADE:{(n * 104_729 + n // size + 1) % size:07}"


def merge(database: Database, size: int) -> tuple[float, float]:
    """Write bare nodes and relations, and remove them; gives the seconds of both."""
    seconds = []
    database.run(statement("MERGE (:Source {id: 'made-up'})"))
    rows = [row.record for row in made_up(size)]
    nodes = [entity_row(record, "made-up") for record in rows if isinstance(record, Entity)]
    relations = [relation_row(record, "made-up") for record in rows if isinstance(record, Relation)]
    for text, every in ((MERGE_NODES, nodes), (MERGE_RELATIONS, relations)):
        start = time.perf_counter()
        for at in range(0, len(every), BATCH):
            database.write(statement(text), rows=every[at : at + BATCH])
        seconds.append(time.perf_counter() - start)
    database.run(statement("MATCH (n:Entity|Source) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"))
    return seconds[0], seconds[1]


def child(kind: str, environment: dict[str, str], given: argparse.Namespace) -> dict[str, Any]:
    """Load in a process of its own."""
    sizes = ["--ordinary", str(given.ordinary), "--bulk", str(given.bulk)]
    command = [sys.executable, __file__, "--child", kind, *sizes]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def one_load(kind: str, size: int) -> None:
    """Load, and print what it took."""
    from medgraph.loaders.bulk.load import load_in_bulk
    from medgraph.server import store

    alone = [0.0]

    def timed(admin: store.AdminTool, arguments: Sequence[str], call: Any = store.import_beside) -> None:
        start = time.perf_counter()
        call(admin, arguments)
        alone[0] = time.perf_counter() - start

    store.import_beside = timed
    settings = Settings.from_environment()
    info = SourceInfo("made-up", "Made up", "1", "CC0-1.0", "")
    with tempfile.TemporaryDirectory() as folder, connect(settings) as database:
        path = Path(folder) / "made-up"
        write(path, size)
        marks: list[float] = []
        source = Source(info, lambda path: marked(path, size, marks), lambda _: 3 * size)
        task = Task(source, path, info, settings.home / "rejects")
        start = time.perf_counter()
        report = load_in_bulk(settings, database, task) if kind == "bulk" else load(database, task)
        end = time.perf_counter()
    if report.added != 3 * size:
        sys.exit(f"{report.added:,} records were added, not {3 * size:,}")
    half = marks[0] if marks else end  # a small file is read whole before much of it is stored
    told = {
        "seconds": end - start,
        "nodes": half - start,
        "relations": end - half,
        "admin": alone[0],
        "mb": peak_mb(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
