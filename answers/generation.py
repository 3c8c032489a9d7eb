"""How a language model wrote an answer, for the record that the answer carries, and in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..schema.values import Count

if TYPE_CHECKING:
    from .answer import Answer


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a language model that is not shown.

    Attributes:
        text: The sentence.
        why: Why not: `contradicted`, `no_evidence`, `uncited` or `repeated`.
    """

    text: str
    why: Literal["contradicted", "no_evidence", "uncited", "repeated"]


@dataclass(frozen=True, slots=True)
class Generation:
    """How a language model wrote an answer, or why the extractive answer stands in for it.

    Attributes:
        model: The model, as the settings name it; empty where it could not be opened.
        fingerprint: What tells it from another model of the same name.
        prompt: Name and SHA-256 of the prompt file.
        structured: How structured output was had: `json_schema`, `json_object` or `text`; empty where nothing was.
        evidence: Ids of the sections that the model was given, in the order of their numbers.
        prompt_tokens: Tokens that it read.
        reply_tokens: Tokens that it wrote.
        estimated: Whether these are estimates.
        cost: By the user's table of prices; null where that has no row for the model.
        removed_ids: Ids that it cited, and was not given.
        dropped: Its sentences that are not shown.
        silent: What was asked of which it found no answer in its evidence; nothing is quoted for that.
        fallback: Why the extractive answer is shown instead; null where the model's own is.
        remarks: What the model's adapter has to say, such as that the server ignores a seed.
    """

    model: str = ""
    fingerprint: str = ""
    prompt: str = ""
    structured: str = ""
    evidence: tuple[str, ...] = ()
    prompt_tokens: Count = 0
    reply_tokens: Count = 0
    estimated: bool = False
    cost: float | None = None
    removed_ids: Count = 0
    dropped: tuple[Dropped, ...] = ()
    silent: tuple[str, ...] = ()
    fallback: str | None = None
    remarks: tuple[str, ...] = ()


def nothing_of(answer: "Answer") -> str:
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


def written_by(answer: "Answer") -> str:
    """Say how a language model wrote an answer.

    Args:
        answer: The answer.

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
