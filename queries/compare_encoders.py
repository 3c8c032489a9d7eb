"""Compares the results of semantic search with the vectors of two encoders."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..schema import migrate
from .retriever import Retriever

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from .entities import LinkerOf

TOP: Final = 10


def compare_encoders(
    database: Database, encoders: Sequence[TextEncoder], linker: LinkerOf, topics: Sequence[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    """Search for questions by the vectors of two encoders.

    Args:
        encoders: Two; the graph has vectors of both.
        topics: Ids and questions.

    Yields:
        For each question how many of ten results are the same, whether the first one is, and both first ones.

    Raises:
        InputError: The graph has no vectors of one.
    """
    slots = {model.name: model.slot for model in migrate.recorded_encoders(database)}
    for encoder in encoders:
        if encoder.name not in slots:
            raise InputError(f"the graph has no vectors of {encoder.name}; it has those of {', '.join(slots)}")
    sides = [Retriever(database.in_slot(slots[one.name]), partial(_same, one), linker) for one in encoders]
    for topic, question in topics:
        old, new = ([str(hit.section) for hit in side.search(question, mode="semantic", top_k=TOP)] for side in sides)
        yield {
            "question": topic,
            "shared": len({*old} & {*new}),
            "first": "same" if old[:1] == new[:1] else "other",
            "before": "".join(old[:1]),
            "after": "".join(new[:1]),
        }


def _same(encoder: TextEncoder) -> TextEncoder:
    return encoder
