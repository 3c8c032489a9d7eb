"""Search against neo4j-graphrag's HybridRetriever on the same graph, and the vector index against exact search.

    python benchmarks/search.py [--sample 150] [--rounds 3] [--top-k 10]

Needs a graph with MedQuAD loaded and indexed where the usual settings point (`medgraph load medquad FILE` and
`medgraph index`). The peer is installed into a virtual environment of its own on first use, by default below the
temporary folder; for the run it gets a full-text index over the chunks' text, which is dropped afterwards. Both get the
same questions and the same vectors, encoded beforehand, and take turns by 25 questions. A question that the peer cannot
parse is left out on both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections import defaultdict
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from report import quantile, sampled, statement, table

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.graph.database import as_vector
from medgraph.linking.names import GraphNames
from medgraph.queries.modes import MODES
from medgraph.queries.retriever import FETCH, Retriever
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medgraph.graph.database import Database

INDEX = "benchmark_chunk_text"
BLOCK = 25
ENCODING, WHOLE, UNREAD = "encoding", "learned", "learned, without reading"
PEER = Path(tempfile.gettempdir()) / "medgraph-peers" / "neo4j-graphrag"


class KnownVectors:
    """Stands in for the encoder: the questions were encoded beforehand, for the peer too."""

    def __init__(self, questions: list[str], vectors: Any) -> None:
        self._vectors = dict(zip(questions, vectors, strict=True))

    def encode(self, texts: list[str]) -> Any:
        return np.stack([self._vectors[text] for text in texts])

    encode_questions = encode

    def read(self, question: str, passages: list[str]) -> None:
        """Nothing is read: what reading takes is measured with the encoder itself."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=150, help="questions of each style")
    parser.add_argument("--rounds", type=int, default=3, help="times that each question is asked")
    parser.add_argument("--top-k", type=int, default=10)
    parser.add_argument("--peer", type=Path, default=PEER, help="the peer's virtual environment")
    options = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database, tempfile.TemporaryDirectory() as folder:
        questions = sampled(database, options.sample)
        encoder = load_encoder(settings)
        vectors = np.concatenate([encoder.encode([question]) for question in questions])
        known = KnownVectors(questions, vectors)
        linker = GraphNames(settings, database)
        retriever, live = (Retriever(database, lambda gives=gives: gives, linker) for gives in (known, encoder))
        with peer_index(database), peer(settings, database, options, Path(folder), questions, vectors) as ask_peer:
            spent, unparsed = alternate(ways_of(retriever, live, encoder, options), ask_peer, questions, options)
        print_times(spent, unparsed, len(questions), options)
        print_recall(database, vectors)


@contextmanager
def peer_index(database: Database) -> Iterator[None]:
    """Give the peer its full-text index, and drop it if it was not there before."""
    names = {row["name"] for row in database.run(statement("SHOW FULLTEXT INDEXES YIELD name"))}
    if INDEX not in names:
        database.run(statement(f"CREATE FULLTEXT INDEX {INDEX} FOR (n:Chunk) ON EACH [n.text]"))
    try:
        database.wait_for_indexes()
        yield
    finally:
        if INDEX not in names:
            database.run(statement(f"DROP INDEX {INDEX}"))


def install(folder: Path) -> Path:
    """Install the peer into a virtual environment, unless it is there; gives its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing neo4j-graphrag into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "neo4j-graphrag"], check=True)
    return python


@contextmanager
def peer(
    settings: Settings, database: Database, options: Any, folder: Path, questions: list[str], vectors: Any
) -> Iterator[Any]:
    """Start the peer; gives a function that has it answer questions from one number to another."""
    python = install(options.peer)
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    np.save(folder / "vectors.npy", vectors)
    embedded = settings.neo4j_uri is None
    environment = os.environ | {
        "NEO4J_URI": database.uri,
        "NEO4J_USERNAME": settings.neo4j_username,
        "NEO4J_PASSWORD": EmbeddedNeo4j(settings).password() if embedded else settings.neo4j_password or "",
        "NEO4J_DATABASE": settings.neo4j_database,
    }
    script = Path(__file__).with_name("search_peer.py")
    command = [python, script, folder / "questions.json", folder / "vectors.npy", INDEX, str(options.top_k)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def ask(start: int, end: int) -> list[float | None]:
            process.stdin.write(f"{start} {end}\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


def ways_of(retriever: Retriever, live: Retriever, encoder: Any, options: Any) -> dict[str, Any]:
    """Name what is timed beside the peer: each mode with vectors that are known, and the default with all its work."""
    ways: dict[str, Any] = {
        mode: partial(retriever.search, mode=mode, top_k=options.top_k) for mode in ("hybrid", *MODES)
    }
    learned = partial(live.search, mode="learned", top_k=options.top_k)
    return ways | {
        ENCODING: lambda question: encoder.encode_questions([question]),
        WHOLE: learned,
        UNREAD: partial(learned, without=["reading"]),
    }


def alternate(
    ways: dict[str, Any], ask_peer: Any, questions: list[str], options: Any
) -> tuple[dict[str, list[float]], set[int]]:
    """Let each way and the peer take turns; the first round warms up and does not count."""
    spent: dict[str, list[float]] = defaultdict(list)
    unparsed: set[int] = set()
    # Hybrid stands beside the peer, and each goes first half of the time.
    orders = [["hybrid", "peer"], ["peer", "hybrid"]]
    others = [name for name in ways if name != "hybrid"]
    turn = 0
    for counts in [False] + [True] * options.rounds:
        for start in range(0, len(questions), BLOCK):
            end = min(start + BLOCK, len(questions))
            turn += 1
            for name in [*orders[turn % 2], *others]:
                if name == "peer":
                    times = ask_peer(start, end)
                    unparsed |= {start + i for i, value in enumerate(times) if value is None}
                else:
                    times = [milliseconds(ways[name], questions[i]) for i in range(start, end)]
                if counts:
                    spent[name] += [t for i, t in enumerate(times, start) if i not in unparsed and t is not None]
    return spent, unparsed


def milliseconds(search: Any, question: str) -> float:
    """Time one search."""
    start = time.perf_counter()
    search(question)
    return (time.perf_counter() - start) * 1000


def print_times(spent: dict[str, list[float]], unparsed: set[int], count: int, options: Any) -> None:
    """Print milliseconds and ratios to the peer's median."""
    floor = quantile(spent["peer"], 0.5)
    names = {"peer": "neo4j-graphrag HybridRetriever", "hybrid": "**hybrid**"}
    rows = []
    for name in ("peer", "hybrid", *(mode for mode in MODES if mode != "hybrid")):
        p50, p95 = quantile(spent[name], 0.5), quantile(spent[name], 0.95)
        rows.append([names.get(name, name), f"{p50:.1f}", f"{p95:.1f}", f"{p95 / p50:.1f}", f"{p50 / floor:.2f}"])
    told = f"{count} questions, {options.rounds} times each, top {options.top_k}"
    table(
        f"{told}, encoding apart. The peer could not parse {len(unparsed)} of them ({len(unparsed) / count:.0%}).",
        ["search", "p50 ms", "p95 ms", "p95 / p50", "p50 / peer's p50"],
        rows,
    )
    encoding = quantile(spent[ENCODING], 0.5)
    table(
        f"{told}, encoding in.",
        ["search", "p50 ms", "p95 ms", "p95 / p50", "p50 / (peer + encoding)"],
        [["peer + encoding", f"{floor + encoding:.1f}", "", "", "1.00"]]
        + [
            [name, f"{p50:.1f}", f"{p95:.1f}", f"{p95 / p50:.1f}", f"{p50 / (floor + encoding):.2f}"]
            for name in (WHOLE, UNREAD)
            for p50, p95 in [(quantile(spent[name], 0.5), quantile(spent[name], 0.95))]
        ],
    )


def print_recall(database: Database, vectors: Any) -> None:
    """Print how many of the truly nearest chunks the vector branch finds, as it searches."""
    rows = [
        row
        for page in database.pages(
            statement(
                "MATCH (c:Chunk) WHERE c.id > $after AND c.embedding IS NOT NULL "
                "RETURN c.id AS id, c.embedding AS vector ORDER BY id LIMIT $limit"
            ),
            2000,
        )
        for row in page
    ]
    ids = np.array([row["id"] for row in rows])
    chunks = np.array([row["vector"] for row in rows], dtype=np.float32)
    chunks /= np.linalg.norm(chunks, axis=1, keepdims=True)
    ways = {
        "index, 10 asked for": lambda vector: _asked(database, vector, 10),
        f"index, {FETCH} asked for, as search does": lambda vector: _asked(database, vector, FETCH),
    } | {
        f"index, {wide} asked for and rescored": lambda vector, wide=wide: _rescored(database, vector, wide)
        for wide in (FETCH, 50, 100, 200)
    }
    found: dict[str, list[float]] = defaultdict(list)
    first: dict[str, list[bool]] = defaultdict(list)
    spent: dict[str, list[float]] = defaultdict(list)
    for turn, vector in enumerate(vectors):
        exact = chunks @ vector
        best = set(ids[exact >= np.partition(exact, -10)[-10] - 1e-6])
        nearest = set(ids[exact >= exact.max() - 1e-6])
        for name, search in list(ways.items())[:: 1 if turn % 2 else -1]:
            start = time.perf_counter()
            names = search(as_vector(vector))
            spent[name].append((time.perf_counter() - start) * 1000)
            found[name].append(sum(name in best for name in names) / 10)
            first[name].append(names[0] in nearest)
    base = quantile(spent[f"index, {FETCH} asked for, as search does"], 0.5)
    table(
        f"Neighbours by the quantised index, against exact search over {len(ids):,} chunks.",
        ["way", "recall@10", "the nearest is first", "p50 ms", "p50 / search's"],
        [
            [
                name,
                f"{np.mean(found[name]):.3f}",
                f"{np.mean(first[name]):.3f}",
                f"{quantile(spent[name], 0.5):.1f}",
                f"{quantile(spent[name], 0.5) / base:.2f}",
            ]
            for name in ways
        ],
    )


def _asked(database: Database, vector: Any, fetch: int) -> list[str]:
    """Ask the index alone."""
    branch = statement(
        "CYPHER 25 MATCH (c) SEARCH c IN (VECTOR INDEX chunk_embedding FOR $vector LIMIT $fetch) SCORE AS score "
        "RETURN c.id AS id ORDER BY score DESC LIMIT 10"
    )
    return [row["id"] for row in database.read(branch, vector=vector, fetch=fetch)]


def _rescored(database: Database, vector: Any, wide: int) -> list[str]:
    """Ask the index, and the stored vectors which of what it gives are nearest."""
    rows = database.read(catalogue.get("nearest"), vector=vector, wide=wide, limit=10)
    return [row["chunk"] for row in rows]


if __name__ == "__main__":
    main()
