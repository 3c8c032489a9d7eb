"""Search in graphs of 30,000 to a million chunks: time by mode, what the index misses, and what it all takes.

    python benchmarks/scale.py HOME FOLDER [--sizes 30000 100000 300000 1000000] [--questions 100] [--rounds 2]

HOME is the data folder of a stopped server with MedQuAD loaded, indexed and linked; FOLDER keeps a copy of it, which
grows from size to size (scale_made.py says how), and the figures. HOME itself stays as it is, and is asked the same
questions by turns, so that what else the machine does slows both alike: ratios are those to HOME in the same minutes.
What is interrupted goes on when it is run again; a size that was measured is not measured again. At the end
FOLDER/scale.svg is drawn. A million chunks take some 12 GB of disk; FOLDER can be deleted afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil
from report import quantile, sampled, statement, table
from scale_made import Real, made_blocks, name_source, read_real, write_blocks
from search import KnownVectors, milliseconds

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.graph.database import as_vector
from medgraph.linking.names import GraphNames
from medgraph.pictures.plot import Line, Plot, draw
from medgraph.progress import progress
from medgraph.queries.retriever import FETCH, Retriever
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medgraph.graph.database import Database

MODES = ("lexical", "semantic", "hybrid", "learned")
WIDE = (FETCH, 100, 200, 400)
SIZES = (30_000, 100_000, 300_000, 1_000_000)
EXACT = 10
PARTS = {"p50": 0.5, "p95": 0.95}
INDEX = "chunk_embedding"
MOST_RATIO = 100.0


def main() -> None:
    """Measure each size, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path, help="data folder of a stopped server")
    parser.add_argument("folder", type=Path, help="where the copy grows and figures are kept")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="chunks")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2, help="times that each question is asked")
    parser.add_argument("--again", action="store_true", help="measure the largest size again")
    options = parser.parse_args()
    folder = options.folder.absolute()
    if not (folder / "home").exists():
        shutil.copytree(options.home, folder / "copied")
        (folder / "copied").rename(folder / "home")
    kept = folder / "figures.json"
    figures = json.loads(kept.read_text()) if kept.exists() else {}
    settings = replace(Settings.from_environment(), home=folder / "home", neo4j_uri=None)
    ports = {"bolt_port": settings.bolt_port + 1000, "http_port": settings.http_port + 1000}
    beside = replace(settings, home=options.home.absolute(), **ports)
    try:
        for size in sorted(options.sizes):
            told = figures.setdefault(str(size), {})
            if "p50" not in told or (options.again and size == max(options.sizes)):
                grown(settings, folder, size, told, options, lambda: kept.write_text(json.dumps(figures, indent=1)))
                measured(settings, beside, folder, told, options)
                kept.write_text(json.dumps(figures, indent=1))
    finally:
        for server in (settings, beside):
            EmbeddedNeo4j(server).stop()
    sizes = {int(size): told for size, told in figures.items() if "p50" in told}
    show(dict(sorted(sizes.items())))
    (folder / "scale.svg").write_text(draw(plotted(dict(sorted(sizes.items())))), encoding="utf-8")


def grown(settings: Settings, folder: Path, size: int, told: dict[str, Any], options: Any, keep: Any) -> None:
    """Let the graph grow to a size; `keep` is called when something is known."""
    with connect(settings) as database:
        real = read_real(database, folder)
        asked(settings, database, folder, options.questions)
        name_source(database, real)
        grow(database, real, size, told, keep)


def measured(settings: Settings, beside: Settings, folder: Path, told: dict[str, Any], options: Any) -> None:
    """Measure the graph as it is, by turns with the one that it grew from."""
    with connect(settings) as database, connect(beside) as small:
        real = read_real(database, folder)
        questions, vectors = asked(settings, database, folder, options.questions)
        known = KnownVectors(questions, vectors)
        sides = [
            (Retriever(graph, lambda: known, GraphNames(where, graph)), server_of(where))
            for where, graph in ((settings, database), (beside, small))
        ]
        told |= times(sides, questions, options.rounds)
        told |= recalls(database, real, vectors)
        told["memory"] = server_of(settings).memory_info().rss / 1e9
        files = (settings.home / "neo4j" / "data").rglob("*")
        told["disk"] = sum(file.stat().st_size for file in files if file.is_file()) / 1e9
        told["busy"] = os.getloadavg()[0]


def asked(settings: Settings, database: Database, folder: Path, count: int) -> tuple[list[str], Any]:
    """Give the questions with their vectors, the same for each size."""
    path = folder / "questions.json"
    if not path.exists():
        questions = sampled(database, count)
        np.random.default_rng(0).shuffle(questions)
        path.write_text(json.dumps(questions[:count]), encoding="utf-8")
        encoder = load_encoder(settings)
        vectors = np.concatenate([encoder.encode_questions([question]) for question in questions[:count]])
        np.save(folder / "questions.npy", vectors)
    return json.loads(path.read_text(encoding="utf-8"))[:count], np.load(folder / "questions.npy")[:count]


def grow(database: Database, real: Real, size: int, told: dict[str, Any], keep: Any) -> None:
    """Write what is lacking with the vector index away, and make it anew; both are timed."""
    first = int(count(database)) - sum(len(real.rows(block)) for block in range(made_blocks(database)))
    target = real.blocks(max(0, size - first))
    model = database.read(catalogue.get("encoder"))[0]
    states = {row["name"] for row in database.run(catalogue.get("index_states")) if row["state"] == "ONLINE"}
    if made_blocks(database) < target or INDEX not in states or "index s" not in told:
        database.run(catalogue.get("drop_chunk_embedding_index"))
        before, started = count(database), time.perf_counter()
        with progress(f"growing to {size:,} chunks", "block", target - made_blocks(database)) as bar:
            write_blocks(database, real, made_blocks(database), target, model["name"], bar.update)
        database.write(catalogue.get("refresh_fulltext"))
        added, spent = count(database) - before, time.perf_counter() - started
        told["load s"] = told.get("load s", 0.0) + (spent if added else 0.0)
        told["added"] = told.get("added", 0) + added
        keep()
        started = time.perf_counter()
        for migration in migrate.migrations():
            for made in migration.statements:
                if INDEX in made.text and made.parameters:
                    migrate.create(database, made, model["dimension"])
        database.wait_for_indexes(timeout=7200)
        told["index s"] = time.perf_counter() - started
    told["chunks"] = int(count(database))
    keep()


def count(database: Database) -> int:
    """Count the chunks."""
    return database.read(statement("MATCH (c:Chunk) RETURN count(c) AS n"))[0]["n"]


def recalls(database: Database, real: Real, vectors: Any) -> dict[str, Any]:
    """Compare what the index and its rescored answers give with exact search over all vectors, and time them."""
    best = exact(database, real, vectors)
    found: dict[int, list[float]] = defaultdict(list)
    spent: dict[int, list[float]] = defaultdict(list)
    query = catalogue.get("nearest")
    for counts in (False, True):
        for vector, cut in zip(vectors, best, strict=True):
            for wide in WIDE:
                start = time.perf_counter()
                rows = database.read(query, vector=as_vector(vector), wide=wide, limit=EXACT)
                spent[wide] += [(time.perf_counter() - start) * 1000] * counts
                found[wide] += [sum(row["cosine"] >= cut for row in rows) / EXACT] * counts
    return {
        "recall": {str(wide): float(np.mean(found[wide])) for wide in WIDE},
        "nearest": {str(wide): quantile(spent[wide], 0.5) for wide in WIDE},
    }


def exact(database: Database, real: Real, vectors: Any) -> list[float]:
    """Give the cosine of each question's tenth nearest chunk, by numpy over all vectors, less what rounding takes."""
    tops = kept_best(np.full((len(vectors), EXACT), -1.0, dtype=np.float32), real.vectors, vectors)
    stored = statement(
        "MATCH (c:Chunk) WHERE c.id > $after AND NOT c.source IN ['medquad', 'made-up'] AND c.embedding IS NOT NULL "
        "RETURN c.id AS id, c.embedding AS vector ORDER BY id LIMIT $limit"
    )
    for page in database.pages(stored, 2000):
        tops = kept_best(tops, np.array([row["vector"] for row in page], dtype=np.float32), vectors)
    for block in range(made_blocks(database)):
        tops = kept_best(tops, real.moved(block), vectors)
    return [float(row.min()) - 1e-5 for row in tops]


def kept_best(tops: Any, part: Any, vectors: Any) -> Any:
    """Keep the ten best of what was best and of some more vectors."""
    cosines = vectors @ (part / np.linalg.norm(part, axis=1, keepdims=True)).T
    return -np.partition(-np.concatenate([tops, cosines], axis=1), EXACT - 1, axis=1)[:, :EXACT]


def server_of(settings: Settings) -> psutil.Process:
    """Find a server's process."""
    return psutil.Process(EmbeddedNeo4j(settings).status().pid)


def times(sides: Sequence[tuple[Retriever, psutil.Process]], questions: Sequence[str], rounds: int) -> dict[str, Any]:
    """Ask each question in each mode, in both graphs by turns; the first round warms up and does not count."""
    spent: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    busy: list[dict[str, float]] = [defaultdict(float), defaultdict(float)]
    for counts in [False] + [True] * rounds:
        for turn, question in enumerate(questions):
            for mode in MODES:
                for side in (0, 1) if turn % 2 else (1, 0):
                    retriever, server = sides[side]
                    before = sum(server.cpu_times()[:2])
                    taken = milliseconds(lambda text, one=retriever, mode=mode: one.search(text, mode=mode), question)
                    if counts:
                        spent[side][mode].append(taken)
                        busy[side][mode] += sum(server.cpu_times()[:2]) - before
    asked = len(questions) * rounds
    return {name: {mode: quantile(spent[0][mode], part) for mode in MODES} for name, part in PARTS.items()} | {
        "first": {mode: quantile(spent[1][mode], 0.5) for mode in MODES},
        "ratio": {mode: quantile(spent[0][mode], 0.5) / quantile(spent[1][mode], 0.5) for mode in MODES},
        "busy ms": {mode: 1000 * busy[0][mode] / asked for mode in MODES},
        "busy ratio": {mode: busy[0][mode] / busy[1][mode] for mode in MODES},
    }


def exponent(sizes: dict[int, Any], mode: str) -> float:
    """Fit the power of the size that a mode's median grows with, beside that of the first graph."""
    chunks, ratios = zip(*((told["chunks"], told["ratio"][mode]) for told in sizes.values()), strict=True)
    return float(np.polyfit(np.log(chunks), np.log(ratios), 1)[0]) if len(sizes) > 1 else 0.0


def show(sizes: dict[int, Any]) -> None:
    """Print the tables."""
    columns = [f"{told['chunks']:,} chunks" for told in sizes.values()]
    rows = [
        [
            mode,
            *(f"{t['p50'][mode]:.1f}, {t['p95'][mode]:.1f} ({t['ratio'][mode]:.2f})" for t in sizes.values()),
            f"{exponent(sizes, mode):.2f}",
        ]
        for mode in MODES
    ]
    table(
        "The server's processor time, ms a search on average, and beside that of the first graph",
        ["mode", *columns],
        [
            [mode, *(f"{t['busy ms'][mode]:.1f} ({t['busy ratio'][mode]:.2f})" for t in sizes.values())]
            for mode in MODES
        ],
    )
    title = "Search, encoding apart: ms, p50 and p95 (p50 / that of the first graph in the same minutes)"
    table(title, ["mode", *columns, "fitted exponent"], rows)
    rows = [
        [
            f"{wide} asked for, rescored",
            *(f"{t['recall'][wide]:.3f}, {t['nearest'][wide]:.1f} ms" for t in sizes.values()),
        ]
        for wide in map(str, WIDE)
    ]
    table("Neighbours: recall@10 of exact search, p50", ["", *columns], rows)
    told = {
        "chunks added": "{added:,}",
        "loading them, with text and full-text index, s": "{load s:.0f}",
        "making the vector index of all, s": "{index s:.0f}",
        "server's resident memory, GB": "{memory:.1f}",
        "disk, GB": "{disk:.1f}",
        "load of the machine": "{busy:.1f}",
    }
    rows = [[what, *(text.format_map(one) for one in sizes.values())] for what, text in told.items()]
    table("What it takes", ["", *columns], rows)


def plotted(sizes: dict[int, Any]) -> Plot:
    """Lay the medians out, both ways by powers of ten."""
    ends = np.log10([min(SIZES), max(SIZES)])

    def place(told: dict[str, Any], mode: str) -> tuple[float, float]:
        across = (np.log10(told["chunks"]) - ends[0]) / (ends[1] - ends[0])
        return float(across), float(np.log(told["ratio"][mode]) / np.log(MOST_RATIO))

    lines = [
        Line(
            f"{mode}: grows with the size to the power of {exponent(sizes, mode):.2f}",
            points,
            said=told_of(sizes, mode),
        )
        for mode in MODES
        for points in [[place(told, mode) for told in sizes.values()]]
    ]
    return Plot(
        "How much longer a search takes in a larger graph",
        "chunks",
        "median / median at 30,000",
        lines,
        across_at=[(float((np.log10(n) - ends[0]) / (ends[1] - ends[0])), f"{n:,}") for n in SIZES],
        up_at=[(float(np.log(n) / np.log(MOST_RATIO)), f"{n}") for n in (1, 3, 10, 30, 100)],
    )


def told_of(sizes: dict[int, Any], mode: str) -> str:
    """Say a line in words."""
    return ", ".join(f"{told['ratio'][mode]:.2f} times at {told['chunks']:,}" for told in sizes.values())


if __name__ == "__main__":
    main()
