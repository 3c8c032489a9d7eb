"""`query-expansion`: the question is rewritten before it is searched for, for comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from . import ending
from .finding import reworded, search
from .pipeline import Parameter, Pipeline, Stage, nothing

if TYPE_CHECKING:
    from .state import State

REWRITE: Final = "query_expansion"
PROMPT: Final = "generated"
REPLY: Final = 120
"""Tokens of what is searched for besides, at most; set by hand."""


def rewrite(state: State) -> None:
    """Let a model add words to search for; other names of what is asked about stand in."""
    request = replace(state.filled(REWRITE, question=state.question.text), max_tokens=REPLY)
    replies = state.ask([request])
    added = replies[0].text.strip() if replies else " ".join(one.name for one in state.question.about)
    state.queries = [f"{state.question.text} {added}".strip()]


def find(state: State) -> None:
    """Search for the question with what was added."""
    question = state.question
    for query in state.queries:
        question = reworded(state, query, "what was added") or question
    state.evidence = search(state, question, state.number("sections"), documents=False)


PIPELINE: Final = Pipeline(
    "query-expansion",
    "none: the baseline of HyKGE that rewrites the question (after Wang et al., Query2doc, 2023)",
    "the question is searched for together with words that a model adds",
    (
        Stage("rewrite", "add words to search for", rewrite, nothing),
        Stage("search", "find sections", find),
        Stage("answer", "write the answer, cite and check", ending.Ending(PROMPT)),
    ),
    {"sections": Parameter(5, "sections that are found", 1, 50, printed=False)},
    (REWRITE, PROMPT),
)
