"""Whole answers, against encoding and one hybrid search; and turns of dialogues, against the question they stand for.

    python lab/benchmarks/ask.py [--sample 100] [--dialogues 30] [--rounds 2] [--written 30]

All in one process, warm; needs a graph that is loaded and indexed. A dialogue begins with a question and leans on it
four times; each turn comes with all before it, and beside it is asked what it was understood as, alone.
`MEDGRAPH_READER=none` leaves out what reads sentences together with the question. Where `MEDGRAPH_MODEL` is set, it
writes answers too, and what medgraph takes stands beside what the model takes.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import harness
from harness import quantile, table

from medgraph.answers.answer import Answer
from medgraph.answers.answerer import Answerer
from medgraph.answers.offers import follow_ups
from medgraph.cli.shared import assembly_of
from medgraph.embeddings import reranking

HITS = 20
TURNS = ("and in children?", "what about treatment?", "how is it diagnosed?", "is it contagious?")


def main() -> None:
    options = harness.options(
        __doc__,
        sample=(100, 2, "questions of each style"),
        dialogues=(30, 1, "dialogues of four turns"),
        rounds=(2, 1, "times that each is asked"),
        written=(30, 1, "questions that MEDGRAPH_MODEL answers"),
    )
    with harness.opened() as graph:
        retriever, reader, database = graph.retriever(), reranking.load_reader(graph.settings), graph.database

        def answer(question: str, previous: tuple[str, ...] = (), **given: Any) -> Answer:
            """Answer with a new answerer, which remembers no sentence."""
            one = Answerer(retriever, lambda: graph.encoder, sentence_reader=lambda: reader, **given)
            return one.ask(question, previous=list(previous))

        search = partial(retriever.search, mode="hybrid", top_k=HITS)
        if graph.settings.model:
            written(graph, harness.sampled(database, options.written)[: options.written])
        else:
            harness.left_out("answers that a model writes, as MEDGRAPH_MODEL is not set")
        answers(answer, search, harness.sampled(database, options.sample), options.rounds)
        offering = partial(answer, offers=partial(follow_ups, database))
        turns(answer, offering, harness.sampled(database, options.dialogues)[: options.dialogues], options.rounds)


def answers(answer: Callable[..., Answer], search: Callable[[str], Any], questions: list[str], rounds: int) -> None:
    found: list[Answer] = []
    ways = {"encode and hybrid search": search, "ask": lambda question: found.append(answer(question))}
    spent = harness.by_turns(ways, questions, rounds)
    found = found[len(questions) :]  # the first round warms up
    statuses = Counter(one.status for one in found)
    outcome = ", ".join(f"{count / len(found):.0%} {status}" for status, count in statuses.most_common())
    harness.times(f"{len(questions)} questions: {outcome}", spent, "encode and hybrid search")
    steps: dict[str, list[float]] = defaultdict(list)
    for one in found:
        for name, ms in one.timing_ms.items():
            steps[name].append(ms)
    rows = [
        [name, f"{quantile(ms, 0.5):.1f}", f"{quantile(ms, 0.95):.1f}", f"{len(ms) / len(found):.0%}"]
        for name, ms in steps.items()
    ]
    table("Steps of an answer", ["step", "p50 ms", "p95 ms", "of answers"], rows)


def written(graph: harness.Graph, questions: list[str]) -> None:
    """Time answers that a language model writes: the first checked sentence, and medgraph beside the model."""
    answerer = assembly_of(graph.settings, graph.database).answerer
    answerer.ask(questions[0], composer="generated")  # loads and warms up
    first: list[float] = []
    spent: list[dict[str, float]] = []
    for question in questions:
        shown: list[float] = []
        started = time.perf_counter()
        told = answerer.ask(
            question,
            composer="generated",
            tell=lambda name, _, shown=shown: shown.append(time.perf_counter()) if name == "sentence" else None,
        )
        first += [shown[0] - started] if shown else []
        spent += [told.timing_ms] if "generate" in told.timing_ms else []
    if not spent:
        sys.exit("the model was asked nothing")
    model = [ms["generate"] / 1000 for ms in spent]
    besides = [(ms["total"] - ms["generate"]) / ms["generate"] for ms in spent]
    rows = [
        [
            "first checked sentence, s",
            len(first),
            *(f"{quantile(first, part):.1f}" if first else "" for part in (0.5, 0.95)),
        ],
        ["model, s", len(model), *(f"{quantile(model, part):.1f}" for part in (0.5, 0.95))],
        ["medgraph / model", len(besides), *(f"{quantile(besides, part):.1%}" for part in (0.5, 0.95))],
    ]
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    table(
        f"{len(questions)} questions, written by {graph.settings.model}; load {load}", ["what", "n", "p50", "p95"], rows
    )


def turns(answer: Callable[..., Answer], offering: Callable[..., Answer], openings: list[str], rounds: int) -> None:
    asked = []
    for opening in openings:
        previous = [opening]
        for said in TURNS:
            meant = answer(said, tuple(previous)).understood
            asked.append((said, tuple(previous), meant))
            previous.append(meant)
    ways = {"the question alone": lambda turn: answer(turn[2]), "a turn": lambda turn: offering(turn[0], turn[1])}
    completed = sum(meant != said for said, _, meant in asked)
    title = f"{len(asked)} turns, {completed} of them completed"
    harness.times(title, harness.by_turns(ways, asked, rounds), "the question alone")


if __name__ == "__main__":
    main()
