"""Search, against neo4j-graphrag's HybridRetriever on the same graph with the same questions and vectors.

    python lab/benchmarks/search.py [--sample 150] [--rounds 3]        time by mode, and what the vector index misses
    python lab/benchmarks/search.py --quality [--mediqa FOLDER]        nDCG@10 on graded answers

Needs a graph that is loaded and indexed. Time: each way takes turns at each question; vectors are encoded beforehand,
and a question that the peer cannot parse is left out on all sides. The peer gets a full-text index over the chunks'
text, which is dropped afterwards. Quality: MEDIQA's answers are loaded into a graph of their own, where the peer's
index has each chunk below its title; the weight of its linear ranker is chosen on questions of other folds, and what it
cannot parse it is asked again in plain words. At the smallest size the peer is left out, and the floor is lexical.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import harness
import numpy as np
from harness import MODES, SMALL, quantile, statement, table
from peers import Peer, login

from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.graph.database import Database, as_vector
from medgraph.queries.retriever import FETCH
from medgraph.settings import Settings
from medgraph_lab.evaluation.sets import mediqa
from medgraph_lab.evaluation.statistics import Mean, compare, holm

TOP = 10
FOLDS = 5
INDEX, PEER = "benchmark_chunk_text", "neo4j-graphrag"
ENCODED, WHOLE = "encoding", "learned, encoding and reading in"
NAIVE, LINEAR = f"{PEER}, naive", f"{PEER}, linear"
# What the peer ranks by; numbers are the weight of the linear one.
RANKERS = {"naive": {}} | {str(step / 10): {"ranker": "linear", "alpha": step / 10} for step in range(1, 10)}


def main() -> None:
    options = harness.options(
        __doc__,
        {"mediqa": (harness.DATA / "mediqa", SMALL / "medquad")} if "--quality" in sys.argv else None,
        {"quality": "measure how good results are, and not how fast"},
        sample=(150, 2, "questions of each style"),
        rounds=(3, 1, "times that each question is asked"),
    )
    if options.smallest:
        harness.left_out(f"{PEER}, which is fetched")
    with harness.opened() as graph:
        (quality if options.quality else speed)(graph, options)


def speed(graph: harness.Graph, options: argparse.Namespace) -> None:
    database, questions = graph.database, harness.sampled(graph.database, options.sample)
    known = harness.Remembering(graph.encoder)
    vectors = known.encode_questions(questions)
    ways: dict[str, Any] = {mode: partial(graph.retriever(known).search, mode=mode, top_k=TOP) for mode in MODES}
    ways |= {
        ENCODED: lambda question: graph.encoder.encode_questions([question]) is None,
        WHOLE: partial(graph.retriever().search, mode="learned", top_k=TOP),
    }
    floor = "lexical"
    if options.smallest:
        spent = harness.by_turns(ways, questions, options.rounds)
    else:
        floor, places = PEER, {question: place for place, question in enumerate(questions)}
        words = {"environment": login(graph.settings, database)}
        with peer_index(database, "n.text"), Peer(PEER, "search", INDEX, **words) as peer:

            def asked(question: str) -> float:
                order = {"text": question, "vector": vectors[places[question]].tolist(), "top_k": TOP}
                return peer.ask(order | {"rankers": {"naive": {}}}).get("ms", math.nan)

            spent = harness.by_turns({PEER: asked} | ways, questions, options.rounds)
    parsed = [place for place, ms in enumerate(spent[floor]) if not math.isnan(ms)]
    spent = {name: [values[place] for place in parsed] for name, values in spent.items()}
    unparsed = len(questions) - len(parsed) // options.rounds
    whole = {f"{floor} and encoding": np.add(spent[floor], spent.pop(ENCODED)).tolist(), WHOLE: spent.pop(WHOLE)}
    title = f"{len(questions)} questions, top {TOP}" + f"; the peer could not parse {unparsed}" * (not options.smallest)
    harness.times(f"{title}; encoding and reading apart", spent, floor)
    harness.times(title, whole, next(iter(whole)))
    show_recalls(recalls(database, vectors, (10, FETCH, 50, 100, 200)))


@contextmanager
def peer_index(database: Database, text: str) -> Iterator[None]:
    database.run(statement(f"CREATE FULLTEXT INDEX {INDEX} IF NOT EXISTS FOR (n:Chunk) ON EACH [{text}]"))
    try:
        database.wait_for_indexes()
        yield
    finally:
        database.run(statement(f"DROP INDEX {INDEX}"))


def recalls(database: Database, vectors: Any, wides: Sequence[int]) -> dict[int, tuple[float, list[float]]]:
    """Compare what the index gives, rescored, with exact search: neighbours asked for → recall@10, and milliseconds."""
    cuts, query = tenth_cosines(database, vectors), catalogue.get("nearest")
    found: dict[int, list[float]] = defaultdict(list)
    spent: dict[int, list[float]] = defaultdict(list)
    for counts in (False, True):
        for vector, cut in zip(vectors, cuts, strict=True):
            for wide in wides:
                start = time.perf_counter()
                rows = database.read(query, vector=as_vector(vector), wide=wide, limit=TOP)
                spent[wide] += [(time.perf_counter() - start) * 1000] * counts
                found[wide].append(sum(row["cosine"] >= cut for row in rows) / TOP)
    return {wide: (float(np.mean(found[wide])), spent[wide]) for wide in wides}


def tenth_cosines(database: Database, vectors: Any) -> list[float]:
    """Give the cosine of each question's tenth nearest chunk, by numpy over all vectors, less what rounding takes."""
    stored = statement(
        "MATCH (c:Chunk) WHERE c.id > $after AND c.embedding IS NOT NULL "
        "RETURN c.id AS id, c.embedding AS vector ORDER BY id LIMIT $limit"
    )
    tops = np.full((len(vectors), TOP), -1.0, dtype=np.float32)
    for page in database.pages(stored, 2000):
        chunks = np.array([row["vector"] for row in page], dtype=np.float32)
        cosines = vectors @ (chunks / np.linalg.norm(chunks, axis=1, keepdims=True)).T
        tops = -np.partition(-np.concatenate([tops, cosines], axis=1), TOP - 1, axis=1)[:, :TOP]
    return [float(row.min()) - 1e-5 for row in tops]


def show_recalls(found: dict[int, tuple[float, list[float]]]) -> None:
    base = quantile(found[FETCH][1], 0.5)
    rows = [
        [f"{wide}{', as search does' * (wide == FETCH)}", f"{recall:.3f}", f"{p50:.1f}", f"{p50 / base:.2f}"]
        for wide, (recall, spent) in found.items()
        for p50 in [quantile(spent, 0.5)]
    ]
    title = "Neighbours that the quantised index is asked for, rescored, against exact search"
    table(title, ["neighbours", "recall@10", "p50 ms", "p50 / search's"], rows)


def quality(graph: harness.Graph, options: argparse.Namespace) -> None:
    with harness.own_home() as (own, environment), tempfile.TemporaryDirectory() as folder:
        if options.smallest:  # each question has one answer, its own
            pages = harness.documents(options.mediqa)
            judged = [(one.question, {one.id: 4}) for page in pages for one in page.sections if one.question]
            words = ["medquad", options.mediqa]
        else:
            questions, answers = mediqa.load(options.mediqa)
            judged = [(one.text, dict(one.grades)) for one in questions]
            words = ["documents", Path(folder) / "answers.jsonl"]
            mediqa.write_documents(answers, words[1])
        for line in (["schema", "apply"], ["load", *words], ["index"]):
            harness.run([*harness.COMMAND, *line], environment)
        with connect(own) as apart:
            asking, searching = graph.retriever(), graph._replace(database=apart).retriever()
            gains: dict[str, list[float]] = defaultdict(list)
            for text, grades in judged:
                question = asking.question(text)  # by the names of the large graph
                for mode in MODES[::-1]:
                    hits = searching.search(question, mode=mode, top_k=TOP)
                    gains[f"medgraph {mode}"].append(ndcg([hit.section for hit in hits], grades))
            unparsed = 0 if options.smallest else ask_peer(own, apart, judged, graph.encoder, gains)
    show_quality(gains, unparsed, "medgraph lexical" if options.smallest else LINEAR)


def ndcg(sections: Sequence[str], grades: dict[str, int]) -> float:
    discount = [1 / math.log2(rank + 2) for rank in range(TOP)]
    best = sum(map(float.__mul__, map(float, sorted(grades.values(), reverse=True)), discount))
    return sum(grades.get(section, 0) * part for section, part in zip(sections, discount, strict=False)) / best


def ask_peer(settings: Settings, database: Database, judged: Any, encoder: Any, gains: dict[str, list[float]]) -> int:
    """Let the peer rank; gives how many questions it could not parse."""
    owner = {row["id"]: row["section"] for page in database.pages(catalogue.get("chunk_vectors"), 2000) for row in page}
    titled = "MATCH (d:Document)-->(:Section)-->(c:Chunk) SET c.titled = d.title + '\\n' + c.text RETURN count(c)"
    database.run(statement(titled))
    found: dict[str, list[float]] = defaultdict(list)
    unparsed = 0
    with peer_index(database, "n.titled"), Peer(PEER, "search", INDEX, environment=login(settings, database)) as peer:
        for text, grades in judged:
            order = {"vector": encoder.encode([text])[0].tolist(), "top_k": FETCH, "rankers": RANKERS}
            told = peer.ask(order | {"text": text})
            if "unparsed" in told:
                unparsed += 1
                told = peer.ask(order | {"text": " ".join(re.findall(r"[^\W_]+", text))})
            for name, chunks in told["chunks"].items():
                found[name].append(ndcg(list(dict.fromkeys(owner[chunk] for chunk in chunks))[:TOP], grades))
    gains[NAIVE] = found.pop("naive")
    table_ = np.array(list(found.values()))  # (weights, questions)
    folds = np.arange(table_.shape[1]) % FOLDS
    best = [int(table_[:, folds != fold].sum(axis=1).argmax()) for fold in range(FOLDS)]
    gains[LINEAR] = [float(table_[best[fold], place]) for place, fold in enumerate(folds)]
    return unparsed


def show_quality(gains: dict[str, list[float]], unparsed: int, floor: str) -> None:
    means = {name: np.array(values) for name, values in gains.items()}
    others = [name for name in means if name != floor]
    differences = [compare(Mean(means[name]), Mean(means[floor])) for name in others]
    told = {
        name: [f"{one.more:+.3f}", f"{one.low:+.3f} to {one.high:+.3f}", f"{p:.4f}"]
        for name, one, p in zip(others, differences, holm([one.p for one in differences]), strict=True)
    }
    rows = [[name, f"{values.mean():.3f}", *told.get(name, [""] * 3)] for name, values in means.items()]
    title = f"{len(means[floor])} questions; a peer could not parse {unparsed}. Differences are to {floor}"
    table(title, ["search", "nDCG@10", "difference", "95 %", "p (Holm)"], rows)


if __name__ == "__main__":
    main()
