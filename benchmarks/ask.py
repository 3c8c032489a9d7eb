"""Answers in one process, warm, against a floor: the same questions as bare hybrid searches.

    python benchmarks/ask.py [--sample 100] [--rounds 2]

Needs a graph with MedQuAD loaded and indexed where the usual settings point (`medgraph load medquad FILE` and
`medgraph index`). The questions are MedQuAD's own and the same in everyday words. The floor encodes a question and runs
one hybrid search for it; an answer also looks up what the question names, and encodes, reads and chooses sentences of
the sections (`MEDGRAPH_READER=none`: without reading them together with the question).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict

from report import quantile, sampled, table

from medgraph.answers.answerer import Answerer
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.rerankers import sentence_reader
from medgraph.graph.connect import connect
from medgraph.linking.names import GraphNames
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings

HITS = 20
"""Sections that a bare search gives."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=100, help="questions of each style")
    parser.add_argument("--rounds", type=int, default=2, help="times that each question is asked")
    options = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database:
        questions = sampled(database, options.sample)
        encoder, reader = load_encoder(settings), sentence_reader.load(settings)
        retriever = Retriever(database, lambda: encoder, GraphNames(settings, database))
        spent: dict[str, list[float]] = defaultdict(list)
        steps: dict[str, list[float]] = defaultdict(list)
        statuses: Counter[str] = Counter()
        for number in range(options.rounds + 1):
            for question in questions:
                started = time.perf_counter()
                retriever.search(question, top_k=HITS)
                searched = time.perf_counter()
                answerer = Answerer(retriever, lambda: encoder, sentence_reader=lambda: reader)
                answer = answerer.ask(question)  # which remembers no sentence
                answered = time.perf_counter()
                if number:  # the first round warms up
                    spent["floor"].append((searched - started) * 1000)
                    spent["ask"].append((answered - searched) * 1000)
                    statuses[answer.status] += 1
                    for name, value in answer.timing_ms.items():
                        steps[name].append(value)
    floor_p50 = quantile(spent["floor"], 0.5)
    rows = []
    for name, label in (("floor", "encode and hybrid search (floor)"), ("ask", "**ask**")):
        p50, p95 = quantile(spent[name], 0.5), quantile(spent[name], 0.95)
        rows.append([label, f"{p50:.1f}", f"{p95:.1f}", f"{p95 / p50:.1f}", f"{p50 / floor_p50:.2f}"])
    outcome = ", ".join(f"{count / len(spent['ask']):.0%} {status}" for status, count in statuses.most_common())
    table(
        f"{len(questions)} questions, {options.rounds} times each: {outcome}.",
        ["what", "p50 ms", "p95 ms", "p95 / p50", "p50 / floor"],
        rows,
    )
    rows = [
        [
            name,
            f"{quantile(values, 0.5):.1f}",
            f"{quantile(values, 0.95):.1f}",
            f"{len(values) / len(spent['ask']):.0%}",
        ]
        for name, values in steps.items()
        if name != "total"
    ]
    table("Steps of an answer.", ["step", "p50 ms", "p95 ms", "of answers"], rows)


if __name__ == "__main__":
    main()
