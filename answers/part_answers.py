"""What is given for each thing that a question asks, and how that goes together in one answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED, Answer, AnswerPart
from .composers.composer import Material
from .naming import things_of
from .signs import ALL_NAMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..queries.question import Question
    from .answer import FoundPage, FoundSection, Sentence, Status
    from .parts import QuestionPart
    from .scored_sections import ScoredSection

LEAST_CLOSEST: Final = 0.45
"""How likely the best section answers one thing asked, from which on what comes closest to it is shown beside the
answer to another; set by reading 15 such, of which 10 help."""

NEAR_DUPLICATE: Final = 80
"""Of 100, how alike two sentences are letter by letter of which one is left out; set by hand."""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """The answer to one thing that a question asks.

    Attributes:
        part: What it asks.
        status: Whether it is answered.
        sentences: What is quoted for it.
        shown: What was found for it.
        sure: How likely what is quoted, or would have been, answers it, from 0 to 1.
        apart: Things asked about of which nothing that was found speaks together.
        closest: What comes closest to it, where another thing is answered.
        material: All that was found for it, from which a language model may answer.
    """

    part: QuestionPart
    status: Status
    sentences: tuple[Sentence, ...]
    shown: tuple[FoundSection | FoundPage, ...]
    sure: float
    apart: tuple[str, ...] = ()
    closest: tuple[Sentence, ...] = ()
    material: Material = field(default_factory=Material)


def drop_near_duplicates(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Leave out what another page says in nearly the same words.

    Args:
        sentences: Sentences, the best first.
    """
    from rapidfuzz import fuzz

    kept: list[Sentence] = []
    for sentence in sentences:
        if all(fuzz.ratio(sentence.text, one.text) < NEAR_DUPLICATE for one in kept):
            kept.append(sentence)
    return tuple(kept)


def separate_closest(given: Sequence[PartAnswer]) -> list[PartAnswer]:
    """Set apart what only comes near one thing asked, as it would read like a part of the answer to another.

    Args:
        given: What is given for each thing asked.

    Returns:
        The same, with sentences of what is answered only; what comes nearest to the others is `closest`, where it is
        likely enough to help and does not answer something else. As it is where nothing is answered.
    """
    if all(one.status != ANSWERED for one in given):
        return list(given)
    answering = {sentence.text for one in given if one.status == ANSWERED for sentence in one.sentences}

    def set_apart(one: PartAnswer) -> PartAnswer:
        near = one.sentences if one.sure >= LEAST_CLOSEST else ()
        return replace(one, sentences=(), closest=tuple(said for said in near if said.text not in answering))

    return [one if one.status == ANSWERED else set_apart(one) for one in given]


def distinct(sentences: Iterable[Sequence[Sentence]]) -> list[Sentence]:
    """List the sentences of several things asked, each once.

    Returns:
        All of them in order.
    """
    return list({sentence.text: sentence for one in sentences for sentence in one}.values())


def answer_parts(
    given: Sequence[PartAnswer], sentences: Sequence[Sentence], closest: Sequence[Sentence]
) -> tuple[AnswerPart, ...]:
    """Tell of each thing asked which sentences of an answer are for it.

    Args:
        closest: What comes closest to what is not answered.

    Returns:
        The parts, in the order in which they are asked.
    """
    places = {sentence.text: place for place, sentence in enumerate(sentences)}
    near = {sentence.text: place for place, sentence in enumerate(closest)}
    return tuple(
        AnswerPart(
            one.part.asked,
            one.status,
            tuple(places[sentence.text] for sentence in one.sentences),
            round(one.sure, 3),
            tuple(near[sentence.text] for sentence in one.closest),
        )
        for one in given
    )


def merge_parts(base: Answer, given: Sequence[PartAnswer], left_out: Sequence[str]) -> Answer:
    """Make one answer of what is given for each thing asked.

    Args:
        base: What is known of the answer besides.
        left_out: What is asked beyond what is answered at once.
    """
    given = separate_closest(given)
    sentences, closest = (distinct(each) for each in zip(*((one.sentences, one.closest) for one in given), strict=True))
    statuses = {one.status for one in given}
    status: Status = next(filter(statuses.__contains__, (ANSWERED, RELATED)), NOT_ENOUGH_EVIDENCE)
    return replace(
        base,
        status=status,
        sentences=tuple(sentences),
        unanswered=(*(one.part.asked for one in given if status == ANSWERED != one.status), *left_out),
        evidence=tuple({found: None for one in given for found in one.shown}),
        confidence=round(max(one.sure for one in given), 3),
        parts=answer_parts(given, sentences, closest),
        apart=() if status == ANSWERED else next((one.apart for one in given if one.apart), ()),
        closest=tuple(closest),
    )


def choose_related(
    question: Question, near: Sequence[ScoredSection], most: int
) -> tuple[list[ScoredSection], tuple[str, ...]]:
    """Choose from what is related: what speaks of all that is asked about, or else of each.

    Args:
        near: Sections that are related, the best first.
        most: How many, at most; one of each thing at least.

    Returns:
        The sections, and the things of which nothing speaks together.
    """
    things = things_of(question)
    if len(things) < 2 or question.is_message:
        return list(near[:most]), ()
    together = [item for item in near if item.features["names"] >= ALL_NAMED]
    chosen = dict.fromkeys(map(near.index, together[:1] or near[:1]))
    for thing in things if not together else ():
        names = {one.surface for one in thing}
        if not any(near[place].naming & names for place in chosen):
            chosen |= dict.fromkeys([place for place, item in enumerate(near) if item.naming & names][:1])
    chosen |= dict.fromkeys(range(min(most, len(near)) if len(chosen) < most else 0))
    typed = tuple(question.text[thing[0].start : max(one.end for one in thing)] for thing in things)
    return [near[place] for place in list(chosen)[: max(most, len(things))]], () if together else typed
