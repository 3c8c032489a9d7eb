"""ILlama: consultations from subgraphs as documents; quality beside physicians' answers, latency and throughput."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import NotInGraphError
from ...queries.filters import DERIVED, Filters
from .bench import Row, missing
from .written import QUESTIONS, answers, compared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .bench import Workbench

TABLE: Final = "generation on K-QA"
LATENCY: Final = "latency and throughput"
WAYS: Final = ("consult", "consult/rerank", "extractive")
CLIENTS: Final = (1, 2, 4)
SEARCHED: Final = 40
"""Questions that each number of clients searches for, at most."""

OTHER: Final = "not comparable with the paper because its consultations and its graph are not public"


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure what public data allows."""
    found = answers(bench, "illama", WAYS)
    yield from compared(bench, TABLE, found, OTHER)
    if bench.load_model is None:
        yield missing(TABLE, "written answers")
    yield missing(TABLE, "METEOR", "nltk's needs WordNet, which it fetches at run time")
    yield missing(TABLE, "MinosEval", "needs a language model that ranks answers: not built yet")
    yield from _spent(bench, found)
    yield from _throughput(bench)
    told = "measured by `medgraph evaluate subgraphs MEQSUM JUDGED`: see docs/experiments/subgraphs.md"
    yield missing("retrieval over subgraphs", "Recall@10, MRR@10, nDCG@10", told)


def _spent(bench: Workbench, found: Mapping[str, Mapping[str, dict[str, Any]]]) -> Iterator[Row]:
    for way, given in found.items():
        if spent := [one["ms"]["total"] for one in given.values()]:
            for name, share in (("median", 0.5), ("p95", 0.95)):
                value = float(np.quantile(spent, share))
                yield Row(LATENCY, way, f"ms end to end, {name}", value, items=len(spent), model=bench.model_name)


def _throughput(bench: Workbench) -> Iterator[Row]:
    """Measure searches of subgraphs a second, by clients at once."""
    asked = bench.chosen({row["Question"]: row for row in bench.lines(QUESTIONS, "Question")})
    retriever, within = bench.assembly.retriever, Filters(sources=(DERIVED,))

    def search(question: str) -> float:
        before = time.perf_counter()
        retriever.search(question, mode="semantic", filters=within)
        return 1000 * (time.perf_counter() - before)

    questions = list(asked)[:SEARCHED]
    try:
        search(questions[0])  # opens everything
    except NotInGraphError:
        yield missing(LATENCY, "search", "the graph has no subgraphs as documents; run: medgraph index subgraphs")
        return
    for clients in CLIENTS:
        before = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            spent = list(pool.map(search, questions))
        rate = len(questions) / (time.perf_counter() - before)
        yield Row(LATENCY, f"search, {clients} at once", "searches a second", rate, items=len(questions))
        yield Row(LATENCY, f"search, {clients} at once", "ms, median", float(np.median(spent)), items=len(questions))
