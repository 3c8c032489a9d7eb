"""How a language model wrote an answer, for the record that the answer carries."""

from dataclasses import dataclass
from typing import Literal

from ..schema.values import Count


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a language model that is not shown.

    Attributes:
        text: The sentence.
        why: Why not: `contradicted`, `no_evidence`, `uncited`, or `repeated`: a sentence before, or the question.
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
