"""What is said of a language model's part in an answer: that it wrote, that it read, that it found nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .answer import Answer

_READ: Final = {
    "messages": "What is asked was put plainly",
    "turns": "What was said was completed",
    "passages": "Whether passages answer was judged",
    "claims": "Sentences in words of their own were compared with their sources",
}


def nothing_of(answer: Answer) -> str:
    """Say why an answer has no sentence.

    Args:
        answer: An answer without sentences.

    Returns:
        That a language model found no answer, or that the evidence does not suffice.
    """
    within = f", within: {answer.within}" if answer.within else ""
    if answer.generation and answer.generation.silent:
        return f"{answer.generation.model} found no answer in the passages that it was given{within}."
    return f"Not enough evidence in the graph to answer this{within}."


def written_by(answer: Answer) -> str:
    """Say how a language model wrote an answer.

    Returns:
        Which model did and how many of its sentences are left out, or why the answer is quoted instead; empty where no
        model was asked, or it found no answer.
    """
    told = answer.generation
    if told is None:
        return ""
    if told.fallback is not None:
        return f"Quoted, and not written by {told.model or 'a language model'}: {told.fallback}."
    if not answer.sentences:
        return ""
    left = f"; {len(told.dropped)} of its sentences left out, which the sources do not say" if told.dropped else ""
    return f"Written by {told.model}, each sentence checked against its source{left}."


def read_by(answer: Answer) -> tuple[str, ...]:
    """Say what a language model read.

    Returns:
        A sentence each: by which model, or why by rules.
    """
    return tuple(
        f"{_READ[one.stage]} by {one.model}."
        if one.fallback is None
        else f"{_READ[one.stage]} by rules, and not by {one.model or 'a language model'}: {one.fallback}."
        for one in answer.readings
    )
