"""An answer made ready for its page: parts in blocks, what it cites as cards, what it rests on as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..answers.answer import ANSWERED, CONTRADICTED, NO_EVIDENCE, RELATED, SUPPORTED
from ..answers.outline import (
    CLOSEST_HEADING,
    agreeing_of,
    facts_of,
    mark_of,
    nearest_of,
    nothing_of,
    numbers_of,
    offering_of,
    pages_of,
    parts_of,
    quoted_in,
    read_by,
    relating,
    relations_of,
    sections_of,
    unanswered_of,
    understood_of,
    voice_of,
    written_by,
)
from ..answers.written import written
from ..pictures import evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..answers.answer import Answer, Citation, CitedFact, FoundPage, FoundSection, Sentence
    from ..answers.outline import CitedRelations
    from ..graph.database import Row
    from ..pictures.graph import Picture


@dataclass(frozen=True, slots=True)
class ShownPart:
    """What is quoted for one thing that a question asks.

    Attributes:
        asked: What it asks; empty where the question asks one thing only.
        blocks: What is quoted, with the numbers of what it cites.
        beside: What stands over it where it only comes close, beside what answers something else; empty otherwise.
    """

    asked: str
    blocks: tuple[Block, ...]
    beside: str


@dataclass(frozen=True, slots=True)
class ShownFact:
    """A relation of the graph that is cited.

    Attributes:
        text: What it says.
        sources: Who says so.
        voices: The same with how that is known, for explorers.
        cypher: What shows it in Neo4j Browser.
    """

    text: str
    sources: tuple[str, ...]
    voices: tuple[str, ...]
    cypher: str


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as its page shows it.

    Attributes:
        given: The answer.
        is_related: Whether what is quoted only comes near an answer.
        nearest: What stands over what is only related.
        understood: What the text was taken to ask, where it says more than that.
        parts: What is quoted.
        nothing: Why nothing is quoted; empty where something is.
        unanswered: What was asked that nothing is quoted for.
        cards: What is cited, each section by its number.
        relations: Sources of relations that are cited, by number.
        facts: Relations of the graph that are cited.
        agreeing: Where other sources say the same as what is quoted, each document once.
        pages: Pages that answer the question elsewhere.
        sections: What was found, where nothing is quoted.
        offering: What stands over the questions that are offered.
        written: How a language model wrote and read for it, or why none did; empty where none was asked.
        picture: What an answer names and how that goes together, drawn; empty where nothing answers, or it names
            nothing else than what is asked about.
    """

    given: Answer
    is_related: bool
    nearest: str
    understood: tuple[str, ...]
    parts: tuple[ShownPart, ...]
    nothing: str
    unanswered: tuple[str, ...]
    cards: tuple[Card, ...]
    relations: tuple[CitedRelations, ...]
    facts: tuple[ShownFact, ...]
    agreeing: tuple[Citation, ...]
    pages: tuple[FoundPage, ...]
    sections: tuple[FoundSection, ...]
    offering: str
    written: str
    picture: str


def shown(
    given: Answer,
    rows: Sequence[Row],
    named: Sequence[Row],
    draw: Callable[[Picture], str],
    link: Callable[[str, str], str],
) -> ShownAnswer:
    """Make an answer ready for its page.

    Args:
        given: The answer.
        rows: Rows of the query `answer_graph` of what it cites; a section that was taken out meanwhile has none.
        named: Rows of the query `answer_facts` of what it cites.
        draw: Draws a picture.
        link: Gives a node's address from its label and id.

    Returns:
        What the page shows.
    """
    numbers, relations = numbers_of(given), relations_of(given)
    names = {one.source.source: one.source.title for one in relations}
    picture = evidence.picture_of(named, link) if given.status == ANSWERED else None
    parts = tuple(
        ShownPart(part.asked, blocks_of(part.sentences, numbers, names), CLOSEST_HEADING if part.beside else "")
        for part in parts_of(given)
    )
    return ShownAnswer(
        given=given,
        is_related=given.status == RELATED,
        nearest=nearest_of(given),
        understood=understood_of(given),
        parts=parts,
        nothing="" if parts else nothing_of(given),
        unanswered=unanswered_of(given),
        cards=cards_of(given, {row["section"]: row for row in rows}),
        relations=relations,
        facts=tuple(map(_fact, facts_of(given))),
        agreeing=agreeing_of(given),
        pages=pages_of(given),
        sections=() if parts else sections_of(given),
        offering=offering_of(given),
        written=" ".join(filter(None, (*read_by(given), written_by(given)))),
        picture=draw(picture) if picture else "",
    )


def _fact(fact: CitedFact) -> ShownFact:
    sources = tuple(dict.fromkeys(source for voice in fact.said for source in voice.sources))
    return ShownFact(fact.text, sources, tuple(map(voice_of, fact.said)), fact.cypher)


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
