"""Search in a graph that grows to a million chunks, against the graph that it grew from, at the same time.

    python lab/benchmarks/scale.py --home HOME --folder FOLDER [--size 1000000] [--questions 100] [--rounds 2]

HOME is the data folder of a stopped server with MedQuAD loaded, indexed and linked; FOLDER keeps a copy of it, which
grows to the size; one size after another gives a curve. What is interrupted goes on when it is run again. HOME stays as
it is, and both are asked the same questions by turns, so that what else the machine does slows both alike. A million
chunks take some 12 GB. At the smallest size the built-in sample is loaded into both.

A made-up document is a copy of a real one's sections: every other sentence is one of another section of the same kind,
and it is about what the real one is about, so that words and entities become as frequent as in a large collection. A
chunk's vector is the real one's, moved by the difference of two neighbouring chunks drawn elsewhere, and normalised:
noise as large as the distance between neighbours, and of the shape that such distances have.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import harness
import numpy as np
import psutil
from harness import COMMAND, MODES, run, statement, table
from numpy.typing import NDArray
from search import FETCH, recalls, show_recalls

from medgraph.graph import catalogue
from medgraph.graph.connect import scratch_settings
from medgraph.graph.database import Database, as_vector
from medgraph.progress import progress
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

BLOCK = 400  # documents a transaction
NEIGHBOURS = 10
SOURCE = "made-up"
INDEX = "chunk_embedding"
READ = statement(
    "MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk) "
    "WHERE d.id > $after AND d.source <> $source AND s.question <> '' AND c.embedding IS NOT NULL "
    "WITH d, s, c ORDER BY s.position, c.position "
    "WITH d, s, collect({text: c.text, vector: c.embedding}) AS chunks "
    "WITH d, collect({told: s {.type, .heading, .question, .aliases, .chunked}, chunks: chunks}) AS sections "
    "ORDER BY d.id LIMIT $limit "
    "RETURN d.id AS id, d.title AS title, sections, COLLECT { MATCH (d)-[:ABOUT]->(e:Entity) RETURN e.id } AS about "
    "ORDER BY id"
)
NAME = statement(
    "MERGE (s:Source {id: $id}) SET s.name = 'Made up for a benchmark', s.collections = [], s.types = $types"
)
WRITE = statement(
    "CYPHER 25 MATCH (made:Source {id: $source}) UNWIND $rows AS row "
    "CREATE (d:Document {id: row.id, title: row.title, url: '', source: $source, collection: '', published: ''})"
    "-[:FROM]->(made) WITH d, row "
    "CALL (d, row) { UNWIND row.about AS id MATCH (e:Entity {id: id}) CREATE (d)-[:ABOUT]->(e) } "
    "UNWIND row.sections AS section CREATE (d)-[:HAS_SECTION]->(s:Section {source: $source, collection: '', "
    "published: '', title: row.title}) SET s += section.holds WITH s, section UNWIND section.chunks AS chunk "
    "CREATE (s)-[:HAS_CHUNK]->(c:Chunk {source: $source, collection: '', published: '', type: s.type, "
    "embedding_model: $model}) SET c += chunk.holds WITH c, chunk "
    "CALL db.create.setNodeVectorProperty(c, 'embedding', chunk.vector)"
)
COUNT = statement(
    "MATCH (c:Chunk) RETURN count(c) AS chunks, COUNT { MATCH (d:Document {source: $source}) } / $block AS blocks"
)


def main() -> None:
    options = harness.options(
        __doc__,
        {"home": (None, None), "folder": (None, None)},
        size=(1_000_000, 1000, "chunks"),
        questions=(100, 2, "questions"),
        rounds=(2, 1, "times that each question is asked"),
    )
    with tempfile.TemporaryDirectory(prefix="medgraph-benchmark-") as temporary:
        if options.smallest:
            options.home, options.folder = sample(Path(temporary)), Path(temporary)
        elif not (options.home and options.folder):
            sys.exit("name the data folder of a stopped server with --home, and one for the copy with --folder")
        if not (options.folder / "home").exists():
            shutil.copytree(options.home, options.folder / "copied")
            (options.folder / "copied").rename(options.folder / "home")
        usual = Settings.from_environment()
        homes = [scratch_settings(usual, path.absolute()) for path in (options.folder / "home", options.home)]
        try:
            with harness.opened(homes[0]) as large, harness.opened(homes[1]) as small:
                grow(large.database, options.size)
                measure([large, small], options)
        finally:
            for settings in homes:
                EmbeddedNeo4j(settings).stop()


def sample(folder: Path) -> Path:
    with harness.own_home() as (settings, environment):
        for words in ("schema apply", "load sample", "index", "neo4j stop"):
            run([*COMMAND, *words.split()], environment)
        return Path(shutil.copytree(settings.home, folder / "small"))


@dataclass(frozen=True)
class Real:
    """What documents are made up from: real ones, the vector of each chunk, and the rows of its neighbours."""

    documents: list[dict[str, Any]]
    vectors: NDArray[np.float32]
    near: NDArray[np.int64]
    sentences: dict[str, list[str]]

    def block(self, block: int) -> Iterator[dict[str, Any]]:
        """Make the documents of a block, the same ones each time; all real ones have their turn before one again."""
        chance = np.random.default_rng([0, block])
        for number in range(block * BLOCK, (block + 1) * BLOCK):
            document, name = self.documents[number * 7919 % len(self.documents)], f"{SOURCE}:{number}"
            parts = enumerate(document["sections"], 1)
            sections = [self._section(f"{name}#{place}", section, chance) for place, section in parts]
            yield {"id": name, "title": document["title"], "about": document["about"], "sections": sections}

    def _section(self, name: str, section: dict[str, Any], chance: np.random.Generator) -> dict[str, Any]:
        chunks, start, others = [], 0, self.sentences[section["told"]["type"]]
        for place, chunk in enumerate(section["chunks"], 1):
            own = re.split(r"(?<=[.!?])\s+", chunk["text"])
            own[1::2] = [others[chance.integers(len(others))] for _ in own[1::2]]
            text = " ".join(own)
            other = chance.integers(len(self.vectors))
            beside = self.near[other, chance.integers(self.near.shape[1])]
            moved = self.vectors[chunk["row"]] + self.vectors[other] - self.vectors[beside]
            holds = {"id": f"{name}.{place}", "position": place, "start": start, "end": start + len(text), "text": text}
            chunks.append({"holds": holds, "vector": as_vector(moved / np.linalg.norm(moved))})
            start += len(text) + 1
        text = "\n".join(chunk["holds"]["text"] for chunk in chunks)
        return {"holds": section["told"] | {"id": name, "position": 1, "text": text}, "chunks": chunks}


def read_real(database: Database) -> Real:
    """Read documents with their vectors, and find the nearest other chunks of each, those of the same vector apart."""
    documents = [row for page in database.pages(READ, 500, source=SOURCE) for row in page]
    vectors, sentences = [], defaultdict(list)
    for section in (section for document in documents for section in document["sections"]):
        for chunk in section["chunks"]:
            chunk["row"] = len(vectors)
            vectors.append(np.array(chunk.pop("vector"), dtype=np.float32))
            sentences[section["told"]["type"]] += re.split(r"(?<=[.!?])\s+", chunk["text"])
    rows, near = np.array(vectors), []
    for start in range(0, len(rows), 1000):
        cosines = rows[start : start + 1000] @ rows.T
        cosines[cosines > 1 - 1e-4] = -1
        near.append(np.argpartition(-cosines, NEIGHBOURS, axis=1)[:, :NEIGHBOURS])
    return Real(documents, rows, np.concatenate(near), sentences)


def grow(database: Database, size: int) -> None:
    """Write what is lacking with the vector index away, and make it anew."""
    real, model = read_real(database), database.read(catalogue.get("encoder"))[0]
    database.write(NAME, id=SOURCE, types=sorted(filter(None, real.sentences)))
    counted = partial(database.read, COUNT, source=SOURCE, block=BLOCK)
    before = now = counted()[0]
    started = time.perf_counter()
    database.run(catalogue.get("drop_chunk_embedding_index"))
    with progress(f"growing to {size:,} chunks", "chunk", max(0, size - now["chunks"])) as bar:
        while now["chunks"] < size:
            database.write(WRITE, rows=list(real.block(now["blocks"])), source=SOURCE, model=model["name"])
            last, now = now, counted()[0]
            bar.update(now["chunks"] - last["chunks"])
    database.write(catalogue.get("refresh_fulltext"))
    written = time.perf_counter()
    for made in (made for migration in migrate.migrations() for made in migration.statements):
        if INDEX in made.text and made.parameters:
            migrate.create(database, made, model["dimension"])
    database.wait_for_indexes(timeout=7200)
    rows = [
        [f"{now['chunks'] - before['chunks']:,} chunks added", f"{written - started:.0f}"],
        [f"vector index of {now['chunks']:,} chunks", f"{time.perf_counter() - written:.0f}"],
    ]
    table("Growing", ["what", "seconds"], rows)


def measure(graphs: list[harness.Graph], options: argparse.Namespace) -> None:
    questions = harness.sampled(graphs[1].database, options.questions)[: options.questions]
    known = harness.Remembering(graphs[0].encoder)
    servers = [psutil.Process(EmbeddedNeo4j(graph.settings).status().pid) for graph in graphs]
    for mode in MODES:
        large, small = (partial(graph.retriever(known).search, mode=mode) for graph in graphs)
        ways = {"grown": large, "as it was": small}
        before = [sum(server.cpu_times()[:2]) for server in servers]
        spent = harness.by_turns(ways, questions, options.rounds)
        large, small = (sum(server.cpu_times()[:2]) - was for server, was in zip(servers, before, strict=True))
        title = f"{mode}, encoding and reading apart; the server's processor time grew {large / max(small, 1e-3):.2f}"
        harness.times(f"{title} times", spent, "as it was")
    show_recalls(recalls(graphs[0].database, known.encode_questions(questions), (FETCH, 100, 200, 400)))
    data = [file for file in (graphs[0].settings.home / "neo4j" / "data").rglob("*") if file.is_file()]
    disk = sum(file.stat().st_size for file in data)
    rows = [["memory of the server", servers[0].memory_info().rss], ["disk", disk]]
    table("What it takes", ["what", "GB"], [[what, f"{size / 1e9:.1f}"] for what, size in rows])


if __name__ == "__main__":
    main()
