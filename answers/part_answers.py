"""The answer to each part of a question, and one answer made of all parts."""

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
"""How likely the best section must answer a part, to be shown as closest to it beside the answer to another part; set
by reading 15 such, of which 10 help."""

NEAR_DUPLICATE: Final = 80
"""The similarity of letters, of 100, from which on one of two sentences is left out; set by hand."""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """The answer to one part of a question.

    Attributes:
        part: The part of the question.
        status: Whether it is answered.
        sentences: The sentences that are quoted.
        shown: The sections and pages that are shown as evidence.
        sure: The probability that the quoted sentences, or the best ones found, answer it, from 0 to 1.
        apart: The things asked about, where no section is about all of them.
        closest: The closest sentences, where another part is answered and this one is not.
        material: All evidence that was found, from which a language model may answer.
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
    """Leave out sentences that say nearly the same words as one before.

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
    """Separate sentences that only come close to a part, as they would read like an answer to another part.

    Args:
        given: The answer to each part.

    Returns:
        The answers; parts that are not answered have no sentences, and their likeliest ones as `closest`, unless they
        answer another part. The answers as they are, where no part is answered.
    """
    if all(one.status != ANSWERED for one in given):
        return list(given)
    answering = {sentence.text for one in given if one.status == ANSWERED for sentence in one.sentences}

    def set_apart(one: PartAnswer) -> PartAnswer:
        near = one.sentences if one.sure >= LEAST_CLOSEST else ()
        return replace(one, sentences=(), closest=tuple(said for said in near if said.text not in answering))

    return [one if one.status == ANSWERED else set_apart(one) for one in given]


def distinct(sentences: Iterable[Sequence[Sentence]]) -> list[Sentence]:
    """List the sentences of several parts in order, each once."""
    return list({sentence.text: sentence for one in sentences for sentence in one}.values())


def answer_parts(
    given: Sequence[PartAnswer], sentences: Sequence[Sentence], closest: Sequence[Sentence]
) -> tuple[AnswerPart, ...]:
    """Give the numbers of the sentences of each part.

    Args:
        closest: The closest sentences of parts that are not answered.
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
    """Make one answer of the answers to all parts.

    Args:
        base: The answer's other fields.
        left_out: Parts of the question that are too many to be answered at once.
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
    """Choose related sections: one about all things that are asked about, or else one about each.

    Args:
        near: Sections that are related, the best first.
        most: How many, at most; one of each thing at least.

    Returns:
        The sections, and the things asked about, where no section is about all of them.
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
