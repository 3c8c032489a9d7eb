"""What is given for each thing that a question asks, and how that goes together in one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from .answer import ANSWERED, AnswerPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .answer import FoundPage, FoundSection, Sentence, Status
    from .parts import Part

BESIDE: Final = 0.45
"""How likely the best section answers one thing asked, from which on what comes closest to it is shown beside the
answer to another; set by reading 15 such, of which 10 help."""

SAME_WORDS: Final = 80
"""Of 100, how alike two sentences are letter by letter of which one is left out; set by hand."""


@dataclass(frozen=True, slots=True)
class Given:
    """The answer to one thing that a question asks.

    Attributes:
        part: What it asks.
        status: Whether it is answered.
        sentences: What is quoted for it.
        shown: What was found for it.
        sure: How likely what is quoted, or would have been, answers it, from 0 to 1.
        apart: Things asked about of which nothing that was found speaks together.
        closest: What comes closest to it, where another thing is answered.
    """

    part: Part
    status: Status
    sentences: tuple[Sentence, ...]
    shown: tuple[FoundSection | FoundPage, ...]
    sure: float
    apart: tuple[str, ...] = ()
    closest: tuple[Sentence, ...] = ()


def unlike(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Leave out what another page says in nearly the same words.

    Args:
        sentences: Sentences, the best first.

    Returns:
        Those that are like none before.
    """
    from rapidfuzz import fuzz

    kept: list[Sentence] = []
    for sentence in sentences:
        if all(fuzz.ratio(sentence.text, one.text) < SAME_WORDS for one in kept):
            kept.append(sentence)
    return tuple(kept)


def beside(given: Sequence[Given]) -> list[Given]:
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

    def set_apart(one: Given) -> Given:
        near = one.sentences if one.sure >= BESIDE else ()
        return replace(one, sentences=(), closest=tuple(said for said in near if said.text not in answering))

    return [one if one.status == ANSWERED else set_apart(one) for one in given]


def once(sentences: Iterable[Sequence[Sentence]]) -> list[Sentence]:
    """List the sentences of several things asked, each once.

    Args:
        sentences: Those of each.

    Returns:
        All of them in order.
    """
    return list({sentence.text: sentence for one in sentences for sentence in one}.values())


def answer_parts(
    given: Sequence[Given], sentences: Sequence[Sentence], closest: Sequence[Sentence]
) -> tuple[AnswerPart, ...]:
    """Tell of each thing asked which sentences of an answer are for it.

    Args:
        given: What is given for each.
        sentences: The answer's sentences.
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
