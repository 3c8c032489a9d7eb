"""Turns of dialogues in one process, warm, against the same questions asked whole.

    python benchmarks/chat.py [--sample 30]

Needs a graph with MedQuAD loaded and indexed where the usual settings point (`medgraph load medquad FILE` and
`medgraph index`). A dialogue begins with one of MedQuAD's own questions and leans on it four times; each turn comes
with all before it. The floor asks what the turn was understood as, alone.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from functools import partial

from report import quantile, sampled, table

from medgraph.answers.answerer import Answerer
from medgraph.answers.offers import follow_ups
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.rerankers import sentence_reader
from medgraph.graph.connect import connect
from medgraph.linking.names import GraphNames
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings

TURNS = ("and in children?", "what about treatment?", "how is it diagnosed?", "is it contagious?")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=30, help="dialogues")
    options = parser.parse_args()
    settings = Settings.from_environment()
    spent: dict[str, list[float]] = defaultdict(list)
    completed = turns = 0
    with connect(settings) as database:
        encoder, reader = load_encoder(settings), sentence_reader.load(settings)
        retriever = Retriever(database, lambda: encoder, GraphNames(settings, database))
        for number in range(2):
            for question in sampled(database, options.sample)[: options.sample]:
                previous = [question]
                for said in TURNS:
                    started = time.perf_counter()
                    # Which remembers no sentence.
                    answerer = Answerer(
                        retriever,
                        lambda: encoder,
                        offers=partial(follow_ups, database),
                        sentence_reader=lambda: reader,
                    )
                    answer = answerer.ask(said, previous=previous)
                    answered = time.perf_counter()
                    Answerer(retriever, lambda: encoder, sentence_reader=lambda: reader).ask(answer.understood)
                    asked = time.perf_counter()
                    previous.append(answer.understood)
                    if number:  # the first round warms up
                        turns, completed = turns + 1, completed + (answer.understood != said)
                        spent["turn"].append((answered - started) * 1000)
                        spent["offer"].append(answer.timing_ms.get("offer", 0.0))
                        spent["alone"].append((asked - answered) * 1000)
    rows = []
    labels = {"alone": "the question alone (floor)", "turn": "**a turn**", "offer": "of that, what to offer next"}
    for name, label in labels.items():
        p50, p95 = quantile(spent[name], 0.5), quantile(spent[name], 0.95)
        rows.append([label, f"{p50:.1f}", f"{p95:.1f}"])
    table(f"{turns} turns, {completed} of them completed.", ["what", "p50 ms", "p95 ms"], rows)


if __name__ == "__main__":
    main()
