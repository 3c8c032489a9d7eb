"""Sentences of an answer set out for a page: lists apart from paragraphs, each with the numbers of what it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..answers.answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED
from ..answers.outline import mark_of, relating, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..answers.answer import Citation, Sentence

_MEANS: Final = {
    SUPPORTED: "Checked: its source says so",
    CONTRADICTED: "Checked: its source says otherwise",
    NO_EVIDENCE: "Checked: its source does not say so",
}


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage, or a source of relations, that is cited.

    Attributes:
        number: The number of its section or source in this answer, from 1.
        title: What its document or source is called.
        place: Where on the page it stands.
    """

    number: int
    title: str
    place: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or an item of a list.

    Attributes:
        text: What it says.
        references: What it rests on; empty where a later item of the list says so for all.
        sentence: The sentence that it ends, with what checking it found; None where a later item does.
        lead: What it is about, where readers would take it for something else.
        gloss: What short forms of the sentence that it ends stand for.
    """

    text: str
    references: tuple[Reference, ...] = ()
    sentence: Sentence | None = None
    lead: str = ""
    gloss: str = ""

    @property
    def mark(self) -> str:
        """What checking the sentence found, in a few characters."""
        return mark_of(self.sentence) if self.sentence else ""

    @property
    def means(self) -> str:
        """The same in words."""
        return _MEANS[self.sentence.verdict] if self.sentence else ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or one sentence and the list that it leads to.

    Attributes:
        lines: Its sentences.
        listed: The items of the list; empty for none.
    """

    lines: tuple[Line, ...]
    listed: tuple[Line, ...] = ()

    @property
    def contradicting(self) -> tuple[tuple[Sentence, Citation], ...]:
        """Its sentences that other documents say the opposite of, each with where."""
        sentences = (line.sentence for line in (*self.lines, *self.listed) if line.sentence)
        return tuple((sentence, other) for sentence in sentences for other in sentence.contradicting)


def blocks_of(sentences: Sequence[Sentence], numbers: Mapping[str, int], names: Mapping[str, str]) -> tuple[Block, ...]:
    """Set sentences out as paragraphs and lists; one whose quotation has several lines is a block by itself.

    Args:
        names: What sources of relations are called.
    """
    blocks: list[Block] = []
    plain: list[Line] = []
    for one in written(sentences, numbers):
        cited = tuple(_references(one.sentence, numbers, names))
        first, *items = one.said
        if not items:
            plain.append(Line(first, cited, one.sentence, one.lead, one.gloss))
            continue
        *others, last = (item.removeprefix("- ") for item in items)
        blocks += [Block(tuple(plain))] * bool(plain)
        listed = (*map(Line, others), Line(last, cited, one.sentence, gloss=one.gloss))
        blocks.append(Block((Line(first, lead=one.lead),), listed))
        plain = []
    return (*blocks, *[Block(tuple(plain))] * bool(plain))


def _references(sentence: Sentence, numbers: Mapping[str, int], names: Mapping[str, str]) -> Iterator[Reference]:
    for cited in sentence.citations:
        number = numbers[cited.section]
        yield Reference(number, cited.title, f"p{number}-{cited.start}")
    for source in relating(sentence):
        yield Reference(numbers[source], names.get(source, source), f"source-{numbers[source]}")
