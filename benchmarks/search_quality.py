"""How good neo4j-graphrag's HybridRetriever is on MEDIQA's graded answers, beside medgraph and the plain blend.

    python benchmarks/search_quality.py FOLDER [--keep FOLDER] [--peer FOLDER]

FOLDER has MEDIQA's files; the graph that the settings point at should have everything loaded, since what questions
name is found with its names. The peer searches the same chunks with the same vectors (questions encoded as passages),
and a full-text index of each chunk below its title, which it gets for the run. Both of its rankers are measured, the
linear one with a weight that is chosen for each question on those of other folds, as the blend's is. A question that it
cannot parse is asked again without the characters that Lucene understands.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from report import statement, table
from search import PEER, install

from medgraph.answers.assembly import Assembly
from medgraph.cli.shared import encoder_of, linker_of, require_schema
from medgraph.evaluation.retrieval import FLOOR, Bench, Way, chosen
from medgraph.evaluation.sets import mediqa
from medgraph.evaluation.statistics import Mean, compare, holm
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.graph.scratch import scratch_graph
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medgraph.evaluation.sets.mediqa import Judged
    from medgraph.graph.database import Database

INDEX = "benchmark_titled_chunk"
WEIGHTS = tuple(step / 10 for step in range(1, 10))
WAYS = (Way("medgraph hybrid", "hybrid"), Way("medgraph learned", "learned"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mediqa", type=Path)
    parser.add_argument("--keep", type=Path, help="where the answers' graph is kept")
    parser.add_argument("--peer", type=Path, default=PEER, help="the peer's virtual environment")
    options = parser.parse_args()
    settings = Settings.from_environment()
    questions, answers = mediqa.read(options.mediqa)
    with connect(settings) as database:
        asking = Assembly(database, encoder_of(settings), linker_of(settings, database))
        encoder = asking.encoder
        with scratch_graph(settings, options.keep) as (apart, own):
            require_schema(own, apart)
            mediqa.fill(apart, own, answers, encoder())
            vectors = encoder().encode([judged.text for judged in questions])
            peer = ask_peer(own, apart, install(options.peer), [judged.text for judged in questions], vectors)
            searching = Assembly(apart, encoder, asking.linker)
            opened = nullcontext((apart, searching.retriever))
            bench = Bench(database, asking.retriever, encoder(), options.mediqa, "", 0, lambda _: opened)
            ours = mediqa.measure(bench, questions, answers, WAYS)
    print_table(questions, {name: values["ndcg@10"] for name, values in ours.items()}, peer)


def ask_peer(settings: Settings, database: Database, python: Path, questions: list[str], vectors: Any) -> Any:
    """Have the peer search; gives sections by ranker and weight, and how many questions it could not parse."""
    owner = {row["id"]: row["section"] for page in database.pages(catalogue.get("chunk_vectors"), 2000) for row in page}
    database.run(
        statement("MATCH (d:Document)-->(:Section)-->(c:Chunk) SET c.titled = d.title + '\\n' + c.text RETURN count(c)")
    )
    database.run(statement(f"CREATE FULLTEXT INDEX {INDEX} IF NOT EXISTS FOR (n:Chunk) ON EACH [n.titled]"))
    database.wait_for_indexes()
    environment = os.environ | {
        "NEO4J_URI": database.uri,
        "NEO4J_USERNAME": settings.neo4j_username,
        "NEO4J_PASSWORD": EmbeddedNeo4j(settings).password(),
        "NEO4J_DATABASE": settings.neo4j_database,
    }
    plain = [" ".join(re.findall(r"[^\W_]+", text)) for text in questions]
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "questions.json"
        given.write_text(json.dumps({"texts": questions, "plain": plain, "vectors": vectors.tolist()}))
        script = Path(__file__).with_name("search_quality_peer.py")
        command = [python, script, given, INDEX, json.dumps(WEIGHTS)]
        found = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    database.run(statement(f"DROP INDEX {INDEX}"))
    database.run(statement("MATCH (c:Chunk) REMOVE c.titled RETURN count(c)"))
    for ranked in found["chunks"].values():
        ranked[:] = [list(dict.fromkeys(owner[chunk] for chunk in chunks))[: mediqa.DEPTH] for chunks in ranked]
    return found


def print_table(questions: Sequence[Judged], ours: dict[str, Any], peer: Any) -> None:
    """Print nDCG@10 of all, and how each differs from the peer's ranker that is better."""
    gains = {
        name: mediqa.ndcg(questions, [mediqa.Ranked(sections, {}) for sections in ranked]).tolist()
        for name, ranked in peer["chunks"].items()
    }
    linear = {weight: gains[str(weight)] for weight in WEIGHTS}
    peers = {
        "neo4j-graphrag, naive": np.array(gains["naive"]),
        "neo4j-graphrag, linear": np.array(chosen(linear, linear, [judged.id for judged in questions])),
    }
    best = max(peers, key=lambda name: float(peers[name].mean()))
    everything = peers | {FLOOR: ours.pop(FLOOR)} | ours
    others = [name for name in everything if name != best]
    differences = [compare(Mean(everything[name]), Mean(everything[best])) for name in others]
    told = {
        name: [f"{one.more:+.3f} ({one.low:+.3f} to {one.high:+.3f})", f"{p:.4f}"]
        for name, one, p in zip(others, differences, holm([one.p for one in differences]), strict=True)
    }
    table(
        f"{len(questions)} questions; the peer could not parse {peer['unparsed']}. Differences are to {best}.",
        ["search", "nDCG@10", "difference, 95 %", "p (Holm)"],
        [[name, f"{values.mean():.3f}", *told.get(name, ["", ""])] for name, values in everything.items()],
    )


if __name__ == "__main__":
    sys.exit(main())
