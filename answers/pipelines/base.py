"""`base`: what a model says without any evidence, for comparison; nothing of it can be cited, so nothing is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from . import ending
from .pipeline import Parameter, Pipeline, Stage
from .state import Candidate

if TYPE_CHECKING:
    from .state import State

PROMPT: Final = "base"


def answer(state: State) -> None:
    """Let the model answer from memory."""
    request = replace(state.filled(PROMPT, question=state.question.text), max_tokens=state.number("max_tokens"))
    if replies := state.ask([request]):
        state.candidates = [Candidate(replies[0].text, None)]
        ending.choose(state, 0)
    else:
        state.note("without a model there is nothing to answer from")


PIPELINE: Final = Pipeline(
    "base",
    "none: the baseline of all four papers",
    "what the model says without evidence; --explain shows it, and none of it is shown as an answer",
    (Stage("answer", "write an answer from memory; without a source no sentence of it is shown", answer),),
    {"max_tokens": Parameter(ending.REPLY, "tokens of the answer, at most", 10, 8000, printed=False)},
    (PROMPT,),
)
