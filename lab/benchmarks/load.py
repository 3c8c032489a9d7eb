"""Loads, against bare `UNWIND … MERGE` statements; bulk loads, against `neo4j-admin` alone; and memory by file size.

    python lab/benchmarks/load.py [--entities 200000] [--bulk 2000000] [--mb 1000] [--medquad medquad.zip] [--makers 3]

MedQuAD is loaded by the command into an empty graph, beside a dry run, which writes nothing; then again, as the file is
and with each record compared. Entities are made up, with twice as many relations; their floor makes the same nodes and
relations with provenance, five hundred a transaction in one thread, and keeps no account of what changed. Both meet one
server by turns, which each has warmed with a tenth of its records; processor time says more where other programs use
the machine. Memory is that of Python while entities with definitions
of 4,000 characters are loaded, a tenth of the file and the whole. Labels are loaded as one maker has them, then as
several that say the same have them, and indexed by a stub in place of the encoder, which counts what it is to encode:
of what another label says word for word nothing. A size of 0 leaves its part out. Servers of the
benchmark's own are started in the temporary folder, which needs about 2 GB for a million entities. Linux.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import harness
import numpy as np
import psutil
from harness import COMMAND, DATA, SMALL, own_home, peak_mb, run, statement, table
from kills import Stub
from numpy.typing import NDArray

from medgraph.embeddings.index import index
from medgraph.graph.connect import connect
from medgraph.graph.database import Database
from medgraph.loaders.base import Row, Source
from medgraph.loaders.commands import load_named
from medgraph.loaders.life.load import Task, load
from medgraph.queries.retriever import Retriever
from medgraph.schema import migrate
from medgraph.schema.records import Entity, Relation, SourceInfo
from medgraph.schema.rows import entity_row, relation_row
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import DEFAULT_ENCODER, Settings

BATCH = 500
LABELS = "labels/drug-label-common.json.gz"
CHILD = "--child"
INFO = SourceInfo("made-up", "Made up", "1", "CC0-1.0", "")
MERGE_NODES = (
    "MATCH (s:Source {id: 'made-up'}) UNWIND $rows AS row MERGE (n:Entity {id: row.id}) SET n += row.statement "
    "MERGE (n)-[f:FROM]->(s) SET f.hash = row.hash, f.load = 1, f.seen = 1"
)
MERGE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {id: row.subject}) MATCH (b:Entity {id: row.object}) "
    "MERGE (a)-[r:RELATED_TO {source: row.source, predicate: row.predicate}]->(b) "
    "SET r += row.statement, r.hash = row.hash, r.load = 1, r.seen = 1"
)
TEXT = "What it is, in a sentence of some length. " * 95
OBO = "http://purl.obolibrary.org/obo/"
# Loader → name of a file, how it begins, and an entity.
FORMATS = {
    "kgx": ("made_nodes.tsv", "id\tcategory\tname\tdescription\n", "DOID:{n}\tbiolink:Disease\tdisease {n}\t{text}\n"),
    "obo": (
        "made.obo",
        "format-version: 1.2\nontology: made-up\n\n",
        '[Term]\nid: DOID:{n}\nname: disease {n}\ndef: "{text}" []\n\n',
    ),
    "rdf": (
        "made.nt",
        "",
        f"<{OBO}DOID_{{n}}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .\n"
        f'<{OBO}DOID_{{n}}> <http://www.w3.org/2000/01/rdf-schema#label> "disease {{n}}" .\n'
        f'<{OBO}DOID_{{n}}> <{OBO}IAO_0000115> "{{text}}" .\n',
    ),
}


def main() -> None:
    if CHILD in sys.argv:
        one_load(sys.argv[2], int(sys.argv[3]))
        return
    options = harness.options(
        __doc__,
        {"medquad": (DATA / "medquad.zip", SMALL / "medquad")},
        entities=(200_000, 200, "entities of the ordinary load and its floor"),
        bulk=(2_000_000, 300, "entities of the bulk load"),
        mb=(1000, 1, "size of the large files"),
        labels=(400, 3, "drug labels"),
        makers=(3, 2, "makers of each of them in the end"),
    )
    if options.labels and (DATA / LABELS).exists():
        load_labels(options.labels, options.makers)
    with own_home() as (settings, environment), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        load_medquad(environment, options.medquad)
        empty(database)
        if options.entities:
            load_made_up(settings, database, environment, options.entities)
        if options.mb:
            memory(environment, options.mb)
    if options.bulk:
        load_in_bulk(options.bulk)


def load_medquad(environment: dict[str, str], file: Path) -> None:
    words = [*COMMAND, "load", "medquad", file]
    every = [*words, "--limit", 1_000_000]  # with any limit each record is compared, whatever the file's checksum
    loads = {
        "dry run (floor)": [*words, "--dry-run"],
        "**load**": words,
        "the same file again": words,
        "again, every record compared": every,
    }
    told = {name: run(one, environment) for name, one in loads.items()}
    base = told["dry run (floor)"].seconds
    rows = [[name, f"{one.seconds:.2f}", f"{one.seconds / base:.2f}", f"{one.mb:.0f}"] for name, one in told.items()]
    table("MedQuAD into an empty graph", ["what", "seconds", "time / floor", "Python's peak MB"], rows)


def empty(database: Database) -> None:
    text = "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
    database.run(statement(text))


def load_made_up(settings: Settings, database: Database, environment: dict[str, str], size: int) -> None:
    server = psutil.Process(EmbeddedNeo4j(settings).status().pid)
    ways = {
        "UNWIND MERGE (floor)": lambda count: merge(database, count),
        "**load**": lambda count: harness.child(__file__, CHILD, "ordinary", count, environment=environment),
    }
    told: dict[str, dict[str, float]] = {name: defaultdict(float) for name in ways}
    for way in ways.values():
        way(max(1, size // 10))
        empty(database)
    floor = next(iter(ways))
    for name in (*ways, *reversed(ways)):  # by turns, for the server becomes faster all the time
        before = sum(server.cpu_times()[:2])
        for what, value in ways[name](size).items():
            told[name][what] += value
        told[name]["server"] += sum(server.cpu_times()[:2]) - before
        empty(database)
    rows = []
    for name, one in told.items():
        each = [f"{one[side] * 1e6 / (6 * size):.0f}" for side in ("python", "server")]
        rate = f"{6 * size / one['seconds']:,.0f}"
        rows.append([name, rate, f"{told[floor]['seconds'] / one['seconds']:.2f}", *each])
    columns = ["what", "records/s", "speed / floor", "Python, us a record", "server, us a record"]
    table(f"Made up, twice {3 * size:,} records; processor time apart for both sides", columns, rows)


def made_up(size: int) -> Iterator[Row]:
    """Make up entities, and twice as many relations, no two alike."""
    for n in range(size):
        name, said = f"made-up disease {n}", f"What made-up disease {n} is, in a sentence or two."
        yield Row(Entity(f"MADE:{n:07}", "Disease", name, (f"{n}th made-up disease",), said), "made-up", n + 1)
    for n in range(2 * size):
        ends = f"MADE:{n * 7919 % size:07}", f"MADE:{(n * 104_729 + n // size + 1) % size:07}"
        yield Row(Relation(ends[0], "RELATED_TO", ends[1], f"made:{n % 7}"), "made-up", size + n + 1)


def merge(database: Database, size: int) -> dict[str, float]:
    database.run(statement("MERGE (:Source {id: 'made-up'})"))
    rows, start, python = [row.record for row in made_up(size)], time.perf_counter(), time.process_time()
    nodes = [entity_row(record, "made-up") for record in rows if isinstance(record, Entity)]
    relations = [relation_row(record, "made-up") for record in rows if isinstance(record, Relation)]
    for text, every in ((MERGE_NODES, nodes), (MERGE_RELATIONS, relations)):
        for at in range(0, len(every), BATCH):
            database.write(statement(text), rows=every[at : at + BATCH])
    return {"seconds": time.perf_counter() - start, "python": time.process_time() - python}


class Counting(Stub):
    """A stub of the usual encoder's size that counts the texts which it is to encode."""

    name, dimension, max_tokens, texts = DEFAULT_ENCODER, 384, 256, 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        drawn = [hashlib.shake_128(text.encode()).digest(self.dimension) for text in texts]
        rows = np.array([[*digest] for digest in drawn], dtype=np.float32).reshape(-1, self.dimension) - 127.5
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    encode_questions = encode


def load_labels(size: int, makers: int) -> None:
    """Load labels of one maker each, then of several, and ask for a section of each."""
    labels = json.loads(gzip.decompress((DATA / LABELS).read_bytes()))["results"][:size]
    encoder, rows = Counting(), []
    with own_home() as (settings, _), connect(settings) as database:
        migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        for count in (1, makers):
            path = settings.home / "labels.json"
            made = [made_by(maker, number, label) for maker in range(count) for number, label in enumerate(labels)]
            path.write_text(json.dumps({"meta": {}, "results": made}), encoding="utf-8")
            before, start = encoder.texts, time.perf_counter()
            report = load_named(database, settings, "openfda", path)
            loaded = time.perf_counter()
            index(database, encoder, "all")  # type: ignore[arg-type]
            spent = [loaded - start, time.perf_counter() - loaded]
            retriever = Retriever(database, lambda: encoder, lambda: None)  # type: ignore[arg-type,return-value]
            asked = [f"side effects of {label['openfda']['generic_name'][0].lower()}" for label in labels[:50]]
            found = harness.by_turns({"": partial(retriever.search, mode="hybrid")}, asked, 1)[""]
            held = database.read(
                statement("MATCH (c:Chunk) RETURN count(c) AS chunks, count(DISTINCT c.text) AS texts")
            )[0]
            each = [f"{1000 * seconds / (report.added or 1):.1f}" for seconds in spent]
            rows.append([count, len(made), held["chunks"], held["texts"], encoder.texts - before, *each])
            rows[-1].append(f"{harness.quantile(found, 0.5):.1f}")
    columns = ["makers", "labels", "chunks", "different", "texts to encode", "load", "index", "hybrid search p50"]
    table("Labels; loads and indexing in ms a record that is new, without encoding", columns, rows)


def made_by(maker: int, number: int, label: dict[str, Any]) -> dict[str, Any]:
    """Give a label as another maker has it: its own id, name, date and address, all else word for word."""
    own, name = f"00000000-0000-0000-{maker:04}-{number:012}", f"Maker{maker} Pharma"
    panel = [f"Distributed by {name}, {maker} Main Street. Call 1-800-555-{maker:04} with questions on its products."]
    told = {"set_id": own, "id": own, "version": "1", "effective_time": f"20{10 + maker % 15}0301"}
    facts = {**label.get("openfda", {}), "manufacturer_name": [name]}
    return label | told | {"openfda": facts, "package_label_principal_display_panel": panel}


def load_in_bulk(size: int) -> None:
    with own_home() as (settings, environment):
        with connect(settings) as database:
            migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        told = harness.child(__file__, CHILD, "bulk", size, environment=environment)
    steps = ("before it", "neo4j-admin", "the server afterwards")
    admin = told["neo4j-admin"]
    rows = [[f"{name}{' (floor)' * (name == steps[1])}", f"{told[name]:.1f}"] for name in steps]
    rows = [[*row, f"{told[name] / admin:.2f}"] for row, name in zip(rows, steps, strict=True)]
    rows.append(["**whole bulk load**", f"{told['seconds']:.1f}", f"{told['seconds'] / admin:.2f}"])
    title = f"Bulk load of {3 * size:,} records; Python's peak {told['mb']:.0f} MB, its sorting process apart"
    table(title, ["what", "seconds", "time / neo4j-admin"], rows)


def one_load(kind: str, size: int) -> None:
    from medgraph.loaders.bulk.load import load_in_bulk as bulk
    from medgraph.server import store

    admin = {"begun": 0.0, "seconds": 0.0}

    def noted(tool: store.AdminTool, arguments: Sequence[str], call: Any = store.import_staged) -> None:
        begun = time.perf_counter()
        call(tool, arguments)
        admin.update(begun=begun, seconds=time.perf_counter() - begun)

    store.import_staged = noted
    settings = Settings.from_environment()
    with tempfile.TemporaryDirectory() as folder, connect(settings) as database:
        path = Path(folder) / "made-up"
        path.write_text(str(size), encoding="utf-8")
        task = Task(Source(INFO, lambda _: made_up(size), lambda _: 3 * size), path, INFO, settings.home / "rejects")
        start, python = time.perf_counter(), time.process_time()
        report = bulk(settings, database, task) if kind == "bulk" else load(database, task)
        seconds, python = time.perf_counter() - start, time.process_time() - python
    if report.added != 3 * size:
        sys.exit(f"{report.added:,} records were added, not {3 * size:,}")
    told = {"seconds": seconds, "python": python, "mb": peak_mb()}
    if kind == "bulk":
        before = admin["begun"] - start
        told |= {"before it": before, "neo4j-admin": admin["seconds"]}
        told["the server afterwards"] = seconds - before - admin["seconds"]
    print(json.dumps(told))


def memory(environment: dict[str, str], mb: int) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, head, line) in FORMATS.items():
            ran = []
            for size in (mb / 10, mb):
                path = Path(folder) / file
                with path.open("w", encoding="utf-8") as output:
                    output.write(head)
                    output.writelines(line.format(n=f"{n:07}", text=TEXT) for n in range(int(size * 1e6 / len(TEXT))))
                words = [*COMMAND, "load", name, path, "--as", "made-up", "--licence", "CC0-1.0"]
                ran.append(run(words, environment))
                run([*COMMAND, "unload", "made-up"], environment)
                path.unlink()
            few, many = ran
            rows.append([name, f"{many.seconds:.0f}", f"{few.mb:.0f}", f"{many.mb:.0f}", f"{many.mb / few.mb:.2f}"])
    table(f"Python's peak, {mb / 10:,} and {mb:,} MB", ["format", "seconds", "tenth, MB", "whole, MB", "ratio"], rows)


if __name__ == "__main__":
    main()
