"""Retrieval measured on development questions made from MedQuAD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..progress import progress
from .metrics import ndcg, recall, reciprocal_rank
from .questions import STYLES, dev_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database
    from ..queries.retriever import Retriever

DEPTH = 50


def evaluate(database: Database, retriever: Retriever, part: str, sample: int) -> list[dict[str, Any]]:
    """Measure every mode of search on every style of question.

    A result from the question's own collection does not count, neither for nor against.

    Args:
        database: The graph, with MedQuAD loaded and indexed.
        retriever: Searches it.
        part: `dev` to choose by, `held` to report.
        sample: Questions of each style.

    Returns:
        Rows of `mode`, `style`, `questions`, `ndcg@10`, `recall@10` and `mrr`.

    Raises:
        InputError: The graph has nothing of MedQuAD.
        DatabaseError: The database refused or went away.
    """
    rows = []
    variants = list(_variants())
    with progress("evaluating", "run", len(variants) * len(STYLES)) as bar:
        for style in STYLES:
            questions = [q for q in dev_questions(database, style, sample, part=part) if q.relevant]
            for name, options in variants:
                scores = []
                for q in questions:
                    hits = retriever.search(q.text, top_k=DEPTH, **options)
                    ranked = [hit.section for hit in hits if hit.section and hit.collection != q.collection]
                    scores.append(
                        (ndcg(ranked, q.relevant), recall(ranked, q.relevant), reciprocal_rank(ranked, q.relevant))
                    )
                means = [sum(column) / len(scores) for column in zip(*scores, strict=True)] if scores else [0.0] * 3
                rows.append(
                    {"mode": name, "style": style, "questions": len(questions)}
                    | dict(zip(("ndcg@10", "recall@10", "mrr"), means, strict=True))
                )
                bar.update(1)
    return rows


def _variants() -> Iterator[tuple[str, dict[str, Any]]]:
    for mode in ("lexical", "semantic", "questions"):
        yield mode, {"mode": mode}
    for mode in ("hybrid", "linked"):
        for lexical in (0.3, 0.5, 0.6, 0.7):
            yield f"{mode} {lexical:.1f}/{1 - lexical:.1f}", {"mode": mode, "weights": (lexical, 1 - lexical)}
        yield f"{mode} by rank", {"mode": mode, "by_rank": True}
