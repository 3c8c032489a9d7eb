"""Joint reasoning over a graph and a vector store: its ablations beside physicians' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .bench import missing
from .written import answers, compared, physicians

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bench import Row, Workbench

TABLE: Final = "K-QA"
WAYS: Final = ("joint", "joint/joint", "joint/search", "joint:graph=alone", "joint:one_length=true", "extractive")
"""The pipeline; without joint reasoning; without the vector store; the graph alone; candidates of one length."""

OTHER: Final = "not comparable with the paper because it asks 75 questions of MedQuAD and its answers are written"


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure what public data allows."""
    yield from compared(bench, TABLE, answers(bench, "joint reasoning", WAYS), OTHER)
    yield from physicians(bench, TABLE)
    if bench.load_model is None:
        yield missing(TABLE, "written answers")
    yield missing(
        TABLE, "contradictions", "need pairwise inference at .95, and no cross-encoder ships: see docs/experiments"
    )
    yield missing(TABLE, "BERTScore", "needs the states of an encoder's tokens: not built yet; STS stands beside it")
    yield missing(
        "MedQuAD", "75 questions by category", "needs search that hides a question's own document: not built yet"
    )
    told = "measured by `medgraph train kge` and `medgraph index kge`: see docs/experiments/kge.md"
    yield missing("learned relations", "TransE, ConvE", told)
