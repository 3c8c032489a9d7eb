"""Whole answers, against encoding and one hybrid search; and turns of dialogues, against the question they stand for.

    python benchmarks/ask.py [--sample 100] [--dialogues 30] [--rounds 2]

All in one process, warm; needs a graph that is loaded and indexed. A dialogue begins with a question and leans on it
four times; each turn comes with all before it, and beside it is asked what it was understood as, alone.
`MEDGRAPH_READER=none` leaves out what reads sentences together with the question.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import harness
from harness import quantile, table

from medgraph.answers.answer import Answer
from medgraph.answers.answerer import Answerer
from medgraph.answers.offers import follow_ups
from medgraph.embeddings.rerankers import sentence_reader

HITS = 20
TURNS = ("and in children?", "what about treatment?", "how is it diagnosed?", "is it contagious?")


def main() -> None:
    """Measure and print."""
    options = harness.options(
        __doc__,
        sample=(100, 2, "questions of each style"),
        dialogues=(30, 1, "dialogues of four turns"),
        rounds=(2, 1, "times that each is asked"),
    )
    with harness.opened() as graph:
        retriever, reader, database = graph.retriever(), sentence_reader.load(graph.settings), graph.database

        def answer(question: str, previous: tuple[str, ...] = (), **given: Any) -> Answer:
            """Answer with a new answerer, which remembers no sentence."""
            one = Answerer(retriever, lambda: graph.encoder, sentence_reader=lambda: reader, **given)
            return one.ask(question, previous=list(previous))

        search = partial(retriever.search, mode="hybrid", top_k=HITS)
        answers(answer, search, harness.sampled(database, options.sample), options.rounds)
        offering = partial(answer, offers=partial(follow_ups, database))
        turns(answer, offering, harness.sampled(database, options.dialogues)[: options.dialogues], options.rounds)


def answers(answer: Callable[..., Answer], search: Callable[[str], Any], questions: list[str], rounds: int) -> None:
    """Time answers and their steps."""
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


def turns(answer: Callable[..., Answer], offering: Callable[..., Answer], openings: list[str], rounds: int) -> None:
    """Time turns beside the questions that they stand for."""
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
