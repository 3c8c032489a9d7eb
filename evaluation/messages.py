"""Search measured on long messages of consumers, each with the short question that an expert made of it (MeQSum).

What the short question finds is what the message should find. No answer need be judged for that, so that everything in
the graph is searched; but it measures how well a message is understood, not how good the results are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import SourceFileError
from ..loaders.base import Reject
from ..loaders.files import tables
from ..progress import progress
from .questions import number, part_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..queries.retriever import Retriever

DEPTH: Final = 10
ALL: Final = 1_000_000
"""A sample that leaves out no message."""

WAYS: Final = (
    ("lexical", False), ("semantic", False), ("hybrid", False), ("linked", False), ("linked", True), ("learned", False),
    ("learned", True),
)  # fmt: skip
"""Modes of search, and whether all words of a message count alike."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message and what an expert took it to ask.

    Attributes:
        id: The name of its file.
        text: The message.
        short: The short question.
    """

    id: str
    text: str
    short: str


def read(path: Path, part: str, sample: int) -> list[Message]:
    """Read messages.

    Args:
        path: A table with the columns `file`, `question` and `summary`.
        part: `dev` to choose by, `held` to report: halves that share no message.
        sample: How many at most; the same ones each time.

    Returns:
        The messages.

    Raises:
        SourceFileError: The file is no such table, or has no message of this part.
    """
    rows = [item[1] for item in tables.read(path, ["file", "question", "summary"]) if not isinstance(item, Reject)]
    messages = [Message(row["file"], row["question"], row["summary"]) for row in rows]
    mine = [one for one in messages if one.text and one.short and part_of(one.id) == part]
    if not mine:
        raise SourceFileError(f"has no message of the half {part}", path)
    return sorted(mine, key=lambda one: number(f"{one.id} sampled"))[:sample]


def evaluate(retriever: Retriever, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Measure how much of what the short question finds each mode finds by the message.

    Args:
        retriever: Searches the graph.
        messages: The messages.

    Returns:
        Rows of `search`, `messages`, `overlap@10` (of the sections that the same mode finds by the short question),
        `linked@10` (of those that the default mode does) and `documents@10` (the same, of documents).

    Raises:
        InputError: A message cannot be searched for.
        DatabaseError: The database refused or went away.
    """
    shares: dict[tuple[str, bool], list[tuple[float, float, float]]] = {way: [] for way in WAYS}
    with progress("evaluating", "message", len(messages)) as bar:
        for message in messages:
            short = retriever.question(message.short)
            wanted = {mode: retriever.search(short, mode=mode, top_k=DEPTH) for mode, _ in WAYS}
            for mode, as_typed in WAYS:
                question = retriever.question(message.text, as_typed=as_typed)
                found = retriever.search(question, mode=mode, top_k=DEPTH)
                sections = [[hit.section for hit in hits] for hits in (found, wanted[mode], wanted["linked"])]
                documents = [{hit.document for hit in hits} for hits in (found, wanted["linked"])]
                shares[mode, as_typed].append(
                    (
                        _share(sections[0], sections[1]),
                        _share(sections[0], sections[2]),
                        _share(documents[0], documents[1]),
                    )
                )
            bar.update(1)
    columns = ("overlap@10", "linked@10", "documents@10")
    return [
        {"search": f"{mode}, as typed" if as_typed else mode, "messages": len(messages)}
        | {column: float(mean) for column, mean in zip(columns, np.mean(values, axis=0), strict=True)}
        for (mode, as_typed), values in shares.items()
    ]


def _share(found: Sequence[str | None] | set[str], wanted: Sequence[str | None] | set[str]) -> float:
    """Give the share of what is wanted that was found; all of nothing is found."""
    return len({*found} & {*wanted}) / len({*wanted}) if wanted else 1.0
