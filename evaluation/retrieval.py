"""Retrieval measured on development questions made from MedQuAD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import InputError
from ..progress import progress
from .questions import STYLES, dev_questions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from .questions import DevQuestion

DEPTH: Final = 50
"""Results that are looked at for each question."""

MEASURES: Final = {"ndcg@10": "nDCG@10", "recall@10": "R@10", "mrr": "RR"}
"""Column of the table → the measure's name in ir-measures."""


def evaluate(database: Database, retriever: Retriever, part: str, sample: int) -> list[dict[str, Any]]:
    """Measure every mode of search on every style of question.

    A result from the question's own collection does not count, neither for nor against.

    Returns:
        Rows of `mode`, `style`, `questions`, `ndcg@10`, `recall@10` and `mrr`.
    """
    rows = []
    variants = list(_variants())
    with progress("evaluating", "run", len(variants) * len(STYLES)) as bar:
        for style in STYLES:
            questions = [q for q in dev_questions(database, style, sample, part=part) if q.relevant]
            relevant = {q.id: q.relevant for q in questions}
            for name, options in variants:
                rankings = {q.id: _ranking(retriever, q, options) for q in questions}
                rows.append(
                    {"mode": name, "style": style, "questions": len(questions)} | mean_measures(rankings, relevant)
                )
                bar.update(1)
    return rows


def mean_measures(rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Collection[str]]) -> dict[str, float]:
    """Measure rankings by ir-measures, with relevance yes or no.

    Returns:
        The mean of each of `MEASURES` over the questions, from 0 to 1; 0 without questions.
    """
    if not relevant:
        return dict.fromkeys(MEASURES, 0.0)
    return {column: float(values.mean()) for column, values in measures(rankings, relevant).items()}


def measures(
    rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Collection[str]]
) -> dict[str, NDArray[np.float64]]:
    """Measure rankings by ir-measures, with relevance yes or no, question by question.

    Returns:
        Each of `MEASURES` → (questions,) from 0 to 1, in the order of `relevant`.

    Raises:
        InputError: ir-measures is not installed.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise InputError("measures need ir-measures: pip install 'medgraph[evaluate]'") from error
    run = {
        question: {name: -float(rank) for rank, name in enumerate(dict.fromkeys(ranking))}
        for question, ranking in rankings.items()
    }
    judged = {question: dict.fromkeys(names, 1) for question, names in relevant.items()}
    wanted = {ir_measures.parse_measure(name): column for column, name in MEASURES.items()}
    values = {column: dict.fromkeys(relevant, 0.0) for column in MEASURES}
    for metric in ir_measures.iter_calc(list(wanted), judged, run):
        values[wanted[metric.measure]][metric.query_id] = metric.value
    return {column: np.array(list(given.values()), dtype=np.float64) for column, given in values.items()}


def _ranking(retriever: Retriever, question: DevQuestion, options: Mapping[str, Any]) -> list[str]:
    hits = retriever.search(question.text, top_k=DEPTH, **options)
    return [hit.section for hit in hits if hit.section and hit.collection != question.collection]


def _variants() -> Iterator[tuple[str, dict[str, Any]]]:
    for mode in ("lexical", "semantic", "questions"):
        yield mode, {"mode": mode}
    for mode in ("hybrid", "linked"):
        for lexical in (0.3, 0.5, 0.6, 0.7):
            yield f"{mode} {lexical:.1f}/{1 - lexical:.1f}", {"mode": mode, "weights": (lexical, 1 - lexical)}
        yield f"{mode} by rank", {"mode": mode, "by_rank": True}
    yield "learned", {"mode": "learned"}
