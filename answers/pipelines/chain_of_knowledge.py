"""`chain-of-knowledge`: a rationale, look-ups for its doubtful parts, then the answer (Li et al., 2023)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from . import ending
from .finding import reworded, search
from .pipeline import Parameter, Pipeline, Stage, nothing

if TYPE_CHECKING:
    from .state import State

RATIONALE: Final = "chain_of_knowledge"
ANSWER: Final = "chain_of_knowledge_answer"
REPLY: Final = 500
"""Tokens of the rationale, at most; set by hand."""


class Step(msgspec.Struct):
    """A step of a rationale, and what to look up to be sure of it; empty where it is sure."""

    text: str
    look_up: str


class Rationale(msgspec.Struct):
    """Why an answer is right, step by step."""

    steps: list[Step]


def rationale(state: State) -> None:
    """Reason step by step, and say what is doubtful."""
    request = replace(state.filled(RATIONALE, question=state.question.text), schema=Rationale, max_tokens=REPLY)
    if replies := state.ask([request]):
        steps = replies[0].value.steps
        state.background = "\n".join(step.text for step in steps)
        state.queries = list(dict.fromkeys(step.look_up.strip() for step in steps if step.look_up.strip()))


def look_up(state: State) -> None:
    """Search for the question, and for each doubtful part."""
    most, share = state.number("sections"), state.number("each")
    found = search(state, state.question, most, documents=False)
    state.queries = state.queries[: state.number("look_ups")]
    for query in state.queries:
        question = reworded(state, query, repr(query))
        found += search(state, question, share, documents=False) if question else []
    state.evidence = list({item.section.section: item for item in found}.values())


PIPELINE: Final = Pipeline(
    "chain-of-knowledge",
    "Chain-of-Knowledge (Li et al., 2023), as HyKGE compares itself with it",
    "the model reasons, what it doubts is looked up, and the answer is corrected by what is found",
    (
        Stage("rationale", "reason step by step, and say what is doubtful (first call)", rationale, nothing),
        Stage("look-up", "search for the question and for each doubtful part", look_up),
        Stage("answer", "write the corrected answer (second call), cite and check", ending.Ending(ANSWER)),
    ),
    {
        "sections": Parameter(5, "sections that are found for the question", 1, 50, printed=False),
        "look_ups": Parameter(3, "doubtful parts that are looked up, at most", 0, 10, printed=False),
        "each": Parameter(2, "sections that are found for each of them", 1, 10, printed=False),
    },
    (RATIONALE, ANSWER),
)
