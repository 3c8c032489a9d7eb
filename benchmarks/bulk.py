"""Made-up entities and relations by the ordinary path and in bulk, against bare statements.

    python benchmarks/bulk.py [--ordinary 200000] [--bulk 2000000]

Twice as many relations as entities, written to the disk before anything is timed. The floor is what a script of ten
lines does: `UNWIND … MERGE` of the nodes with the same names and definitions, each with a `FROM` to its source that has
fingerprint and loads, and then of the relations with source and fingerprint, five hundred a transaction in one thread,
under the same constraints and indexes; it keeps no account of what changed. Floor and load meet one server by turns,
which each of them has warmed with a tenth of its records, and the processor time of its threads is told by what they
do; it says more than the time where other programs use the machine. The bulk load is told beside the time of
`neo4j-admin` alone. It needs about 2 GB of room in the temporary folder for every million entities; servers of the
benchmark's own are started there and stopped again. Each load runs in a process of its own. Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from report import own_home, peak_mb, statement, table

from medgraph.graph.connect import connect
from medgraph.loaders.base import Row, Source
from medgraph.loaders.life.kinds.kind import BATCH_ROWS
from medgraph.loaders.life.load import Task, load
from medgraph.schema import migrate
from medgraph.schema.records import Entity, Relation, SourceInfo
from medgraph.schema.rows import entity_row, relation_row
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import DEFAULT_ENCODER, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    parser.add_argument(
        "--ordinary", type=int, default=200_000, help="Entities of the ordinary path and the floor; 0: left out."
    )
    parser.add_argument("--bulk", type=int, default=2_000_000, help="Entities of the bulk load; 0: left out.")
    parser.add_argument("--child", choices=("ordinary", "bulk"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        one_load(given.child, given.bulk if given.child == "bulk" else given.ordinary)
        return
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    if given.ordinary:
        compare_ordinary(given.ordinary)
    if given.bulk:
        compare_bulk(given.bulk)
    print(f"\nload of the machine after: {os.getloadavg()[0]:.1f}")


def compare_ordinary(size: int) -> None:
    """Measure floor and ordinary load on one server, and print."""
    with own_home() as (settings, environment), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        server = psutil.Process(EmbeddedNeo4j(settings).status().pid)
        merge(database, size // 10)
        empty(database)
        child("ordinary", environment, size // 10)
        empty(database)
        floor, own, floor_threads, threads = (Counter[str]() for _ in range(4))
        # By turns and in this order, for the server becomes faster all the time.
        for name in ("floor", "load", "load", "floor"):
            if name == "floor":
                watched(server, lambda: merge(database, size), floor, floor_threads)
            else:
                watched(server, lambda: child("ordinary", environment, size), own, threads)
            empty(database)
    rows = []
    for name, told in (("UNWIND MERGE (floor)", floor), ("load", own)):
        parts = ((2 * size, told["nodes"]), (4 * size, told["relations"]), (6 * size, told["seconds"]))
        rates = [f"{count / seconds:,.0f}" for count, seconds in parts]
        ratios = [f"{floor[what] / told[what]:.2f}" for what in ("nodes", "relations", "seconds")]
        rows.append([f"{name}, twice {3 * size:,}", *rates, *ratios])
    columns = ["what", "nodes", "relations", "all, end to end", "nodes / floor", "relations / floor", "all / floor"]
    table("Records a second, end to end", columns, rows)
    each = 1e6 / (6 * size)
    rows = [["Python", *(f"{told['python'] * each:.0f}" for told in (floor, own))]]
    for name in sorted(threads.keys() | floor_threads.keys()):
        rows.append([f"server: {name}", *(f"{told.get(name, 0) * each:.0f}" for told in (floor_threads, threads))])
    table("Processor time, us a record", ["what", "floor", "load"], rows)
    print(f"\nPeak memory of Python in the load: {own['mb'] / 2:.0f} MB")


def compare_bulk(size: int) -> None:
    """Measure a bulk load, and print."""
    with own_home() as (settings, environment):
        with connect(settings) as database:
            migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        told = child("bulk", environment, size)
    names = ("reading", "sorting", "neo4j-admin", "the server afterwards")
    table("Bulk load, s", ["what", "processor time"], [[name, f"{told[name]:.0f}"] for name in names])
    print(
        f"\n{3 * size:,} records in {told['seconds']:.0f} s, {3 * size / told['seconds']:,.0f} a second: "
        f"{told['seconds'] / told['admin']:.2f} x neo4j-admin alone, which took {told['admin']:.0f} s. "
        f"{told['before']:.0f} s went before it. "
        f"Peak memory of Python: {told['mb']:.0f} MB, its sorting process not counted"
    )


WORK = {
    "statements": ("BoltWorker", "neo4j.Bolt"),
    "Java's compiler": ("C1 Compiler", "C2 Compiler"),
    "garbage collection": ("G1 ", "GC ", "VM Thread", "Parallel"),
    "full-text and other index work": ("Lucene", "neo4j.Index", "neo4j.Fulltext"),
}
"""What threads of the server do, by how their names begin."""


def watched(
    server: psutil.Process, work: Callable[[], dict[str, Any]], told: Counter[str], threads: Counter[str]
) -> None:
    """Do something; count what it tells, and the seconds of processor time that the server's threads took for it."""
    before = processor_times(server)
    told.update(work())
    for thread, (name, spent) in processor_times(server).items():
        kind = next((kind for kind, starts in WORK.items() if name.startswith(starts)), "the rest")
        threads[kind] += spent - before.get(thread, (name, 0.0))[1]


def processor_times(server: psutil.Process) -> dict[int, tuple[str, float]]:
    """Give name and seconds of each thread."""
    found = {}
    for thread in server.threads():
        name = Path(f"/proc/{server.pid}/task/{thread.id}/comm")
        if name.exists():
            found[thread.id] = (name.read_text().strip(), thread.user_time + thread.system_time)
    return found


def made_up(size: int) -> Iterator[Row]:
    """Make entities, and twice as many relations."""
    for n in range(size):
        name, said = f"made-up disease {n}", f"What made-up disease {n} is, in a sentence or two."
        yield Row(Entity(f"MADE:{n:07}", "Disease", name, (f"{n}th made-up disease",), said), "made-up", n + 1)
    for n, (subject, object_) in enumerate(pairs(size)):
        yield Row(Relation(subject, "RELATED_TO", object_, f"made:{n % 7}"), "made-up", size + n + 1)


def write(path: Path, size: int) -> None:
    """Write the records to a file, a line each."""
    with path.open("w", encoding="utf-8") as file:
        for row in made_up(size):
            record = row.record
            if isinstance(record, Entity):
                cells = (record.id, record.label, record.name, record.definition, *record.synonyms)
            else:
                cells = (record.subject, record.type, record.object, record.predicate)
            file.write("\t".join(cells) + "\n")


def read(path: Path) -> Iterator[Row]:
    """Read them back; every record is made and checked as those of any source."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 4:
                yield Row(Relation(*cells), "made-up", number)
            else:
                id_, label, name, definition, *synonyms = cells
                yield Row(Entity(id_, label, name, tuple(synonyms), definition), "made-up", number)


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


def merge(database: Database, size: int) -> dict[str, Any]:
    """Write bare nodes and relations; gives what `one_load` tells."""
    seconds, python = [], time.process_time()
    database.run(statement("MERGE (:Source {id: 'made-up'})"))
    rows = [row.record for row in made_up(size)]
    nodes = [entity_row(record, "made-up") for record in rows if isinstance(record, Entity)]
    relations = [relation_row(record, "made-up") for record in rows if isinstance(record, Relation)]
    for text, every in ((MERGE_NODES, nodes), (MERGE_RELATIONS, relations)):
        start = time.perf_counter()
        for at in range(0, len(every), BATCH):
            database.write(statement(text), rows=every[at : at + BATCH])
        seconds.append(time.perf_counter() - start)
    told = {"nodes": seconds[0], "relations": seconds[1], "seconds": sum(seconds)}
    return told | {"python": time.process_time() - python}


def empty(database: Database) -> None:
    """Remove all that was loaded."""
    database.run(statement("MATCH (n:Entity|Source|Load) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"))


def child(kind: str, environment: dict[str, str], size: int) -> dict[str, Any]:
    """Load in a process of its own."""
    command = [sys.executable, __file__, "--child", kind, f"--{kind}", str(size)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def one_load(kind: str, size: int) -> None:
    """Load, and print what it took."""
    from medgraph.loaders.bulk.load import load_in_bulk
    from medgraph.server import store

    admin = {"begun": 0.0, "seconds": 0.0, "processor": 0.0}

    def timed(tool: store.AdminTool, arguments: Sequence[str], call: Any = store.import_beside) -> None:
        start, spent = time.perf_counter(), ended_children()
        call(tool, arguments)
        admin.update(begun=start, seconds=time.perf_counter() - start, processor=ended_children() - spent)

    store.import_beside = timed
    settings = Settings.from_environment()
    info = SourceInfo("made-up", "Made up", "1", "CC0-1.0", "")
    with tempfile.TemporaryDirectory() as folder, connect(settings) as database:
        path = Path(folder) / "made-up"
        write(path, size)
        marks: list[float] = []
        source = Source(info, lambda path: marked(path, size, marks), lambda _: 3 * size)
        task = Task(source, path, info, settings.home / "rejects")
        start, python = time.perf_counter(), time.process_time()
        report = load_in_bulk(settings, database, task) if kind == "bulk" else load(database, task)
        end, python = time.perf_counter(), time.process_time() - python
        server = psutil.Process(EmbeddedNeo4j(settings).status().pid).cpu_times()
    if report.added != 3 * size:
        sys.exit(f"{report.added:,} records were added, not {3 * size:,}")
    half = marks[0] if marks else end  # a small file is read whole before much of it is stored
    told = {
        "seconds": end - start,
        "nodes": half - start,
        "relations": end - half,
        "admin": admin["seconds"],
        "before": admin["begun"] - start,
        "python": python,
        "reading": python,
        "sorting": ended_children() - admin["processor"],
        "neo4j-admin": admin["processor"],
        "the server afterwards": server.user + server.system,
        "mb": peak_mb(),
    }
    print(json.dumps(told))


def ended_children() -> float:
    """Give the processor time of processes that were waited for."""
    spent = os.times()
    return spent.children_user + spent.children_system


if __name__ == "__main__":
    main()
