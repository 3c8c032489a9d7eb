"""An answer made ready for its page: parts in blocks, what it cites as cards, what it rests on as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..answers.answer import ANSWERED, RELATED
from ..answers.outline import (
    CLOSEST_HEADING,
    agreeing_of,
    facts_of,
    nearest_of,
    nothing_of,
    numbers_of,
    offering_of,
    pages_of,
    parts_of,
    read_by,
    relations_of,
    sections_of,
    unanswered_of,
    understood_of,
    voice_of,
    written_by,
)
from ..pictures.relations import picture_of_answer
from .cited import blocks_of
from .passages import cards_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..answers.answer import Answer, Citation, CitedFact, FoundPage, FoundSection
    from ..answers.outline import CitedRelations
    from ..graph.database import Row
    from ..pictures.graph import Picture
    from .cited import Block
    from .passages import Card


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
    picture = picture_of_answer(named, link) if given.status == ANSWERED else None
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
