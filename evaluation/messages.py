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
from . import ways
from .questions import number, part_of
from .ways import Way

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..queries.retriever import Retriever

DEPTH: Final = 10
ALL: Final = 1_000_000
"""A sample that leaves out no message."""

WAYS: Final = tuple(
    Way(f"{mode}, as typed" if as_typed else mode, mode, as_typed)
    for mode, as_typed in (
        ("lexical", False), ("semantic", False), ("hybrid", False), ("linked", False), ("linked", True),
        ("learned", False), ("learned", True),
    )
)  # fmt: skip
"""Modes of search, and whether all words of a message count alike."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message and what an expert took it to ask.

    Attributes:
        text: The message; empty where somebody asked the short question itself.
    """

    id: str
    text: str
    short: str


def read(path: Path, part: str, sample: int) -> list[Message]:
    """Read messages."""
    mine = [one for one in _read(path) if one.text and part_of(one.id) == part]
    if not mine:
        raise SourceFileError(f"has no message of the half {part}", path)
    return sorted(mine, key=lambda one: number(f"{one.id} sampled"))[:sample]


def read_all(path: Path) -> list[Message]:
    """Read messages of both halves, and short questions that have no message."""
    messages = _read(path)
    if not messages:
        raise SourceFileError("has no question", path)
    return messages


def _read(path: Path) -> list[Message]:
    rows = [item[1] for item in tables.read(path, ["file", "question", "summary"]) if not isinstance(item, Reject)]
    return [Message(row["file"], row["question"], row["summary"]) for row in rows if row["summary"]]


def evaluate(retriever: Retriever, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Measure how much of what the short question finds each mode finds by the message.

    Returns:
        Rows of `search`, `messages`, `overlap@10` (of the sections that the same mode finds by the short question),
        `linked@10` (of those that the default mode does) and `documents@10` (the same, of documents).
    """
    found = shares(retriever, messages, WAYS, "linked")
    columns = ("overlap@10", "linked@10", "documents@10")
    return [
        {"search": name, "messages": len(messages)}
        | {column: float(mean) for column, mean in zip(columns, values.mean(axis=0), strict=True)}
        for name, values in found.items()
    ]


def shares(
    retriever: Retriever, messages: Sequence[Message], searched: Sequence[Way], reference: str
) -> dict[str, NDArray[np.float64]]:
    """Find how much of what the short question finds each way finds by the message.

    Returns:
        Way → (messages, 3): the share of the sections that the same way finds by the short question, of those that the
        reference does, and of the documents that the reference does.
    """
    found: dict[str, list[tuple[float, float, float]]] = {way.name: [] for way in searched}
    with progress("MeQSum", "message", len(messages)) as bar:
        for message in messages:
            short, asked = ways.asked(retriever, message.short), ways.asked(retriever, message.text)
            wanted = retriever.search(short[False], mode=reference, top_k=DEPTH)
            for way in searched:
                hits, own = way.search(retriever, asked, DEPTH), way.search(retriever, short, DEPTH)
                sections = [[hit.section or hit.question for hit in each] for each in (hits, own, wanted)]
                documents = [{hit.document for hit in each} for each in (hits, wanted)]
                found[way.name].append(
                    (
                        share(sections[0], sections[1]),
                        share(sections[0], sections[2]),
                        share(documents[0], documents[1]),
                    )
                )
            bar.update(1)
    return {name: np.array(values) for name, values in found.items()}


def share(found: Collection[str | None], wanted: Collection[str | None]) -> float:
    """Give the share of what is wanted that was found."""
    return len({*found} & {*wanted}) / len({*wanted}) if wanted else 1.0
