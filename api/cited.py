"""Sentences of an answer set out for a page: lists apart from paragraphs, each with the numbers of what it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..answers.answer import Citation, Sentence


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage that is cited.

    Attributes:
        number: The number of its section in this answer, from 1.
        citation: Where the passage stands.
    """

    number: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or an item of a list.

    Attributes:
        text: What it says.
        references: What it rests on; empty where a later item of the list says so for all.
    """

    text: str
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or one sentence and the list that it leads to.

    Attributes:
        lines: Its sentences.
        listed: The items of the list; empty for none.
    """

    lines: tuple[Line, ...]
    listed: tuple[Line, ...] = ()


def blocks_of(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> tuple[Block, ...]:
    """Set sentences out as paragraphs and lists.

    Args:
        sentences: The sentences.
        numbers: Numbers of the sections that they cite.

    Returns:
        Blocks; a sentence whose quotation has several lines is one by itself.
    """
    blocks: list[Block] = []
    plain: list[Line] = []
    for sentence in sentences:
        cited = tuple(Reference(numbers[c.section], c) for c in sentence.citations)
        first, *items = _lines(sentence)
        if not items:
            plain.append(Line(first, cited))
            continue
        *others, last = (item.removeprefix("- ") for item in items)
        blocks += [Block(tuple(plain))] * bool(plain)
        blocks.append(Block((Line(first),), (*map(Line, others), Line(last, cited))))
        plain = []
    return (*blocks, *[Block(tuple(plain))] * bool(plain))


def _lines(sentence: Sentence) -> list[str]:
    quote = sentence.citations[-1].quote if sentence.citations else sentence.text
    return lines_of(quote) or [sentence.text]
