"""Subgraphs as text: how well their documents are found.

What is searched for are short questions that experts made of messages (MeQSum, the half to choose by), each with the
documents of the source `graph` that tell what it asks, chosen by reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import SourceFileError
from ..progress import progress
from ..queries.filters import DERIVED, Filters
from ..queries.modes import MODES
from .retrieval import DEPTH, measures
from .sets import meqsum
from .sets.grades import rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..queries.retriever import Retriever

    Row = dict[str, Any]


def measure_search(retriever: Retriever, messages: Path, judged: Path) -> list[Row]:
    """Measure how well documents of subgraphs are found by each mode."""
    wanted = {row["message"]: set(row["documents"].split()) for row in rows_of(judged, ("message", "documents"))}
    asked = [one for one in meqsum.read(messages, "dev", meqsum.ALL) if one.id in wanted]
    if not asked:
        raise SourceFileError("names none of these messages", judged)
    firsts = sorted(f"{document}#1" for one in asked for document in wanted[one.id])
    known = {section.document for section in retriever.texts(firsts)}
    grades = {one.id: dict.fromkeys(wanted[one.id] & known, 1) for one in asked}
    grades = {name: given for name, given in grades.items() if given}
    if not grades:
        raise SourceFileError("names no document that the graph has; run: medgraph index subgraphs", judged)
    found: dict[str, dict[str, list[str]]] = {mode: {} for mode in MODES}
    with progress("searching", "question", len(grades)) as bar:
        for one in (one for one in asked if one.id in grades):
            question = retriever.question(one.short, Filters(sources=(DERIVED,)))
            for mode, rankings in found.items():
                hits = retriever.search(question, mode=mode, top_k=DEPTH)
                rankings[one.id] = list(dict.fromkeys(hit.document for hit in hits))
            bar.update(1)
    return [
        {"search": mode, "questions": len(grades)}
        | {name: round(float(values.mean()), 3) for name, values in measures(rankings, grades).items()}
        for mode, rankings in found.items()
    ]
