"""Makes numbered cards of the sections that an answer quotes, with the quoted spans marked in their context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..answers.outline import numbers_of, quoted_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..answers.answer import Answer, Citation
    from ..graph.database import Row

AROUND: Final = 240
"""Characters of a section that a card shows before the first quoted span and behind the last one."""

BETWEEN: Final = 600
"""Characters between two quoted spans that a card shows; of more, it leaves out the middle."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a section's text.

    Attributes:
        text: What stands there.
        start: Where a quoted span starts in the section; None where nothing is quoted.
    """

    text: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A section that an answer quotes.

    Attributes:
        number: Its number in the answer, from 1.
        citation: Its first passage that is quoted.
        kind: What it is about, or the question that it answers.
        source: Whose it is, for people.
        pieces: Its text around what is quoted.
    """

    number: int
    citation: Citation
    kind: str
    source: str
    pieces: tuple[Piece, ...]


def cards_of(answer: Answer, rows: Mapping[str, Row]) -> tuple[Card, ...]:
    """Make a card of each section that an answer quotes, by number.

    Args:
        rows: Rows of the query `answer_graph` by section; one that was taken out meanwhile has none.
    """
    numbers = numbers_of(answer)
    quoted: dict[str, list[Citation]] = {}
    for citation in (c for sentence in quoted_in(answer) for c in sentence.citations):
        quoted.setdefault(citation.section, []).append(citation)
    cards = []
    for section, citations in quoted.items():
        row = rows.get(section, {})
        kind, source = row.get("type") or row.get("question", ""), row.get("source") or citations[0].source
        cards.append(Card(numbers[section], citations[0], kind, source, tuple(_pieces(row.get("text", ""), citations))))
    return tuple(cards)


def _pieces(text: str, citations: Iterable[Citation]) -> Iterator[Piece]:
    """Cut a text at the quoted spans; of spans that overlap, the later one is what is left of it."""
    end = 0
    for start, stop in sorted({(citation.start, citation.end) for citation in citations}):
        if stop > len(text):
            return
        if start > end or not end:
            yield Piece(_between(text[end:start], first=not end))
        yield Piece(text[max(start, end) : stop], start)
        end = max(end, stop)
    yield Piece(_shortened(text[end:], AROUND))


def _between(text: str, *, first: bool) -> str:
    """Shorten what stands before a quoted span: the beginning to its end, and what is between two in the middle."""
    if first:
        return _shortened(text[::-1], AROUND)[::-1]
    if len(text) <= BETWEEN:
        return text
    return f"{_shortened(text, AROUND)} {_shortened(text[::-1], AROUND)[::-1]}"


def _shortened(text: str, most: int) -> str:
    """Leave out the end of a text, at a blank."""
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0]} \u2026"
