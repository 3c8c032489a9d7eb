"""Loading MedQuAD into an empty graph, against writing the bare ids of the same nodes.

    python benchmarks/load.py [MEDQUAD.ZIP]

Needs medquad.zip, by default in the folder MEDGRAPH_DATA or `../shared/data`, and about 1 GB of room in the temporary
folder: servers of the benchmark's own are started there and stopped again. The floor is `UNWIND … MERGE` of every node
by its id alone, five hundred a transaction, under the same constraints. On one server the floor comes first, cold and
warm, and the load after it; on another, the load itself is the first thing the server does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from report import command, own_home, statement, table

from medgraph.graph.connect import connect
from medgraph.loaders import registry
from medgraph.loaders.base import Reject
from medgraph.schema import migrate
from medgraph.schema.records import Document, Entity
from medgraph.settings import DEFAULT_ENCODER

if TYPE_CHECKING:
    from medgraph.graph.database import Database

BATCH = 500
EVERYTHING = "1000000"
"""A limit that no file reaches: with any, a load compares every record instead of trusting the file's checksum."""


def main() -> None:
    """Measure and print."""
    data = Path(os.environ.get("MEDGRAPH_DATA") or Path(__file__).parents[2] / "shared" / "data")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", default=data / "medquad.zip")
    file = parser.parse_args().file
    if not file.exists():
        sys.exit(f"there is no {file}; name MedQuAD's zip file, or set MEDGRAPH_DATA to its folder")
    ids = node_ids(file)
    nodes = sum(map(len, ids.values()))
    with own_home() as (settings, environment), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        cold = merge_ids(database, ids)
        empty(database)
        warm = merge_ids(database, ids)
        empty(database)
        load_warm = load(environment, file)
    with own_home() as (settings, environment), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        load_cold = load(environment, file)
        again = load(environment, file)
        compared = load(environment, file, "--limit", EVERYTHING)
    rows = [
        ["ids alone, fresh server (floor)", f"{cold:.1f}", f"{nodes / cold:,.0f}", "1.0", "-"],
        ["**load**, fresh server", *figures(load_cold, nodes, cold)],
        ["ids alone, warm server (floor)", f"{warm:.1f}", f"{nodes / warm:,.0f}", "1.0", "-"],
        ["load, warm server", *figures(load_warm, nodes, warm)],
        ["the same file again", *figures(again, 0, 0)],
        ["again, every record compared", *figures(compared, 0, 0)],
    ]
    added = load_cold["report"]["added"]
    table(
        f"{nodes:,} nodes of {added:,} records with all text and relations; no embeddings. "
        f"The comparison found {compared['report']['unchanged']:,} records unchanged.",
        ["what", "seconds", "nodes/s", "time / floor", "Python's peak MB"],
        rows,
    )


def node_ids(file: Path) -> dict[str, list[str]]:
    """List the ids of the nodes that a load makes, by label."""
    ids: dict[str, dict[str, None]] = defaultdict(dict)
    for row in registry.get("medquad").records(file):
        if isinstance(row, Reject):
            continue
        record = row.record
        if isinstance(record, Entity):
            ids["Entity"][record.id] = None
            ids["Concept"].update(dict.fromkeys(record.concepts))
        elif isinstance(record, Document):
            ids["Document"][record.id] = None
            ids["Section"].update((s.id, None) for s in record.sections)
            ids["Question"].update((s.id, None) for s in record.sections if s.question.strip())
            ids["Question"].update((q.id, None) for q in record.questions)
    return {label: list(found) for label, found in ids.items()}


def merge_ids(database: Database, ids: dict[str, list[str]]) -> float:
    """Write nodes with nothing but an id; gives the seconds."""
    start = time.perf_counter()
    for label, every in ids.items():
        key = "cui" if label == "Concept" else "id"
        merge = statement(f"UNWIND $ids AS id MERGE (n:{label} {{{key}: id}})")
        for at in range(0, len(every), BATCH):
            database.write(merge, ids=every[at : at + BATCH])
    return time.perf_counter() - start


def empty(database: Database) -> None:
    """Remove everything but what the schema keeps of itself."""
    database.run(
        statement(
            "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder "
            "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
        )
    )


def load(environment: dict[str, str], file: Path, *options: str) -> dict[str, Any]:
    """Run the command as people do; gives seconds, megabytes and what it reports."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [*command(), "load", "medquad", file, "--json", *options], env=environment, stdout=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit("the load failed")
        output.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return {"seconds": seconds, "mb": usage.ru_maxrss * unit / 1e6, "report": json.load(output)}


def figures(run: dict[str, Any], nodes: int, floor: float) -> list[str]:
    """Format a run for the table."""
    seconds = run["seconds"]
    speed = [f"{nodes / seconds:,.0f}", f"{seconds / floor:.1f}"] if floor else ["-", "-"]
    return [f"{seconds:.1f}", *speed, f"{run['mb']:.0f}"]


if __name__ == "__main__":
    main()
