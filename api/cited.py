"""An answer set out for a page: what it cites by number, and lists apart from paragraphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answers.answer import Answer, Citation, Sentence


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage that is cited.

    Attributes:
        number: The number of its section in this answer, from 1.
        citation: Where the passage stands.
        source: Whose it is, for people.
    """

    number: int
    citation: Citation
    source: str


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


def references_of(answer: Answer) -> tuple[Reference, ...]:
    """Number the sections that an answer cites, in the order of its sentences.

    Args:
        answer: The answer.

    Returns:
        The first citation of each section, by number.
    """
    first: dict[str, Citation] = {}
    for sentence in answer.sentences:
        for citation in sentence.citations:
            first.setdefault(citation.section, citation)
    return tuple(Reference(number, c, c.source) for number, c in enumerate(first.values(), 1))


def blocks_of(answer: Answer, references: Sequence[Reference]) -> tuple[Block, ...]:
    """Set the sentences of an answer out as paragraphs and lists.

    Args:
        answer: The answer.
        references: What `references_of` gives.

    Returns:
        Blocks; a sentence whose quotation has several lines is one by itself.
    """
    numbers = {reference.citation.section: reference.number for reference in references}
    blocks: list[Block] = []
    plain: list[Line] = []
    for sentence in answer.sentences:
        cited = tuple(Reference(numbers[c.section], c, c.source) for c in sentence.citations)
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
