"""`graphrag`: an answer from the neighbourhood of what the question names, for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import ending
from .finding import around, asked_about, described, interleaved, of_kinds
from .pipeline import Parameter, Pipeline, Stage, nothing

if TYPE_CHECKING:
    from .state import State

PROMPT: Final = "generated"
GIVEN: Final = 40
"""Relations that a model is given, at most; set by hand."""


def link(state: State) -> None:
    """Find what the question names."""
    state.entities = asked_about(state)[: state.number("entities")]
    if not state.entities:
        state.note("nothing that the graph knows is named")


def neighbourhood(state: State) -> None:
    """Read the relations of it, and what it is."""
    most = state.number("relations")
    state.facts = interleaved([of_kinds(around(state, one.id, most)) for one in state.entities])[:GIVEN]
    if not state.facts:
        state.note("the graph has no relation of what the question names")


def descriptions(state: State) -> None:
    """Read the sections that say what it is."""
    state.evidence = described(state)


PIPELINE: Final = Pipeline(
    "graphrag",
    "none: the baseline of HyKGE that answers from the neighbourhood of entities",
    "an answer from the relations of what the question names",
    (
        Stage("link", "find what the question names", link),
        Stage("neighbourhood", "read its relations", neighbourhood, nothing),
        Stage("descriptions", "read the sections that say what it is", descriptions, nothing),
        Stage("answer", "write the answer, cite and check", ending.Ending(PROMPT, limits=(5, GIVEN, 0))),
    ),
    {
        "entities": Parameter(5, "concepts whose relations are read, at most", 1, 20, printed=False),
        "relations": Parameter(10, "relations of each type, at most", 1, 200, printed=False),
    },
    (PROMPT,),
)
