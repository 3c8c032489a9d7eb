"""`chain-of-note`: a note on each passage before the answer, for comparison (Yu et al., 2023)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from ..composers.composer import Material
from ..composers.numbered import numbered
from . import ending
from .finding import nearest_sentence, search
from .pipeline import Parameter, Pipeline, Stage, nothing

if TYPE_CHECKING:
    from .state import State

NOTES: Final = "chain_of_note"
ANSWER: Final = "chain_of_note_answer"
REPLY: Final = 600
"""Tokens of all notes, at most; set by hand."""


class Note(msgspec.Struct):
    """What a passage says of a question."""

    id: str
    note: str
    relevant: bool


class Notes(msgspec.Struct):
    """A note on each passage."""

    notes: list[Note]


def find(state: State) -> None:
    """Find passages."""
    state.evidence = search(state, state.question, state.number("sections"), documents=False)


def notes(state: State) -> None:
    """Write a note on each passage, and whether it is relevant; their best sentences stand in."""
    if state.model is None:
        state.background = "\n".join(map(nearest_sentence, state.evidence))
        return
    most = len(state.evidence)
    items = numbered(Material(state.evidence), state.model.count_tokens, state.model.context // 2, (most, 0, 0))
    if not items:
        return
    request = replace(state.filled(NOTES, items, question=state.question.text), schema=Notes, max_tokens=REPLY)
    if replies := state.ask([request]):
        known = {item.id for item in items}
        state.background = "\n".join(
            f"{one.id}: {one.note}" for one in replies[0].value.notes if one.id in known and one.relevant
        )


PIPELINE: Final = Pipeline(
    "chain-of-note",
    "Chain-of-Note (Yu et al., 2023), as HyKGE compares itself with it",
    "the model writes a note on each passage, and then the answer",
    (
        Stage("search", "find passages", find),
        Stage("notes", "write a note on each passage (first call)", notes, nothing),
        Stage("answer", "write the answer (second call), cite and check", ending.Ending(ANSWER)),
    ),
    {"sections": Parameter(5, "passages that are found", 1, 20, printed=False)},
    (NOTES, ANSWER),
)
