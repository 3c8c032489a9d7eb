"""Subgraphs as text: how well their documents are found.

What is searched for are short questions that experts made of messages (MeQSum, the half to choose by), each with the
documents of the source `graph` that tell what it asks, chosen by reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.embeddings.index import passage
from medgraph.errors import SourceFileError
from medgraph.graph import catalogue
from medgraph.progress import progress
from medgraph.queries.filters import DERIVED, Filters
from medgraph.queries.fusion import MODES

from .retrieval import DEPTH, measures
from .sets import meqsum
from .sets.grades import rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.queries.retriever import Retriever

    Row = dict[str, Any]

AT_TEN: Final = {"recall@10": "R@10", "mrr@10": "RR@10", "ndcg@10": "nDCG@10"}
FORMS: Final = {"short": "question", "text": "message"}  # field of a message → what that is called
NEAREST: Final = 10
PAGE: Final = 2000


def measure_search(retriever: Retriever, messages: Path, judged: Path) -> list[Row]:
    """Measure how well documents of subgraphs are found by each mode."""
    asked, grades = judged_questions(retriever, messages, judged)
    found: dict[str, dict[str, list[str]]] = {mode: {} for mode in MODES}
    with progress("searching", "question", len(grades)) as bar:
        for name in grades:
            question = retriever.question(asked[name].short, Filters(sources=(DERIVED,)))
            for mode, rankings in found.items():
                hits = retriever.search(question, mode=mode, top_k=DEPTH)
                rankings[name] = list(dict.fromkeys(hit.document for hit in hits))
            bar.update(1)
    return [
        {"search": mode, "questions": len(grades)}
        | {name: round(float(values.mean()), 3) for name, values in measures(rankings, grades).items()}
        for mode, rankings in found.items()
    ]


def measure_encoder(database: Database, encoder: TextEncoder, messages: Path, judged: Path) -> list[Row]:
    """Measure how well an encoder finds documents of subgraphs by itself, each as near as its nearest passage."""
    rows = [row for page in database.pages(catalogue.get("subgraph_passages"), PAGE) for row in page]
    asked, wanted = _judged(messages, judged)
    grades = _grades(wanted, {row["document"] for row in rows}, judged)
    vectors = np.zeros((len(rows), encoder.dimension), dtype=np.float32)
    with progress("encoding passages", "passage", len(rows)) as bar:
        for start in range(0, len(rows), PAGE):
            texts = [passage(row) for row in rows[start : start + PAGE]]
            vectors[start : start + PAGE] = encoder.encode(texts)
            bar.update(len(texts))
    told = []
    for form in FORMS:
        near = encoder.encode_questions([getattr(asked[name], form) for name in grades]) @ vectors.T
        rankings = {
            name: [*dict.fromkeys(rows[place]["document"] for place in np.argsort(-found, kind="stable"))][:NEAREST]
            for name, found in zip(grades, near, strict=True)
        }
        figures = {name: round(float(each.mean()), 3) for name, each in measures(rankings, grades, AT_TEN).items()}
        told.append({"encoder": encoder.name, "asked by": FORMS[form], "questions": len(grades), **figures})
    return told


def judged_questions(
    retriever: Retriever, messages: Path, judged: Path
) -> tuple[dict[str, meqsum.Message], dict[str, dict[str, int]]]:
    """Read messages, and grade the documents of the graph that tell what each asks."""
    asked, wanted = _judged(messages, judged)
    firsts = sorted(f"{document}#1" for documents in wanted.values() for document in documents)
    return asked, _grades(wanted, {section.document for section in retriever.texts(firsts)}, judged)


def _judged(messages: Path, judged: Path) -> tuple[dict[str, meqsum.Message], dict[str, set[str]]]:
    """Read messages, and the documents that tell what each asks."""
    wanted = {row["message"]: set(row["documents"].split()) for row in rows_of(judged, ("message", "documents"))}
    asked = {one.id: one for one in meqsum.load_messages(messages, "dev", meqsum.ALL) if one.id in wanted}
    if not asked:
        raise SourceFileError("names none of these messages", judged)
    return asked, {name: wanted[name] for name in asked}


def _grades(wanted: Mapping[str, set[str]], known: set[str], judged: Path) -> dict[str, dict[str, int]]:
    """Grade the documents that the graph has; a question of which it has none is left out."""
    grades = {name: dict.fromkeys(sorted(found & known), 1) for name, found in wanted.items() if found & known}
    if not grades:
        raise SourceFileError("names no document that the graph has; run: medgraph index subgraphs", judged)
    return grades
