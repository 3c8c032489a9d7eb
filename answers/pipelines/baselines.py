"""Pipelines that the papers compare theirs with.

`base` gives the model no evidence, so that nothing of it can be cited or shown; `graphrag` answers from the relations
of what is named; `query-expansion` adds words to search for; `chain-of-note` writes a note on each passage (Yu et al.,
2023); `chain-of-knowledge` looks up what a rationale doubts (Li et al., 2023).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from ..composers.composer import Material
from ..composers.numbered import numbered
from . import ending
from .finding import around, asked_about, described, interleaved, nearest_sentence, of_kinds, reworded, search
from .pipeline import Parameter, Pipeline, Stage, nothing
from .state import Candidate

if TYPE_CHECKING:
    from .state import State

GIVEN: Final = 40  # relations that a model is given by `graphrag`, at most; set by hand

# Tokens of words to search for, of all notes, and of a rationale, at most; set by hand.
ADDED: Final = 120
NOTED: Final = 600
REASONED: Final = 500


class Note(msgspec.Struct):
    """What a passage says of a question."""

    id: str
    note: str
    relevant: bool


class Notes(msgspec.Struct):
    """A note on each passage."""

    notes: list[Note]


class Step(msgspec.Struct):
    """A step of a rationale, and what to look up to be sure of it; empty where it is sure."""

    text: str
    look_up: str


class Rationale(msgspec.Struct):
    """Why an answer is right, step by step."""

    steps: list[Step]


def from_memory(state: State) -> None:
    """Let the model answer from memory."""
    request = replace(state.filled("base", question=state.question.text), max_tokens=state.number("max_tokens"))
    if replies := state.ask([request]):
        state.candidates = [Candidate(replies[0].text, None)]
        ending.choose(state, 0)
    else:
        state.note("without a model there is nothing to answer from")


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


def rewrite(state: State) -> None:
    """Let a model add words to search for; other names of what is asked about stand in."""
    request = replace(state.filled("query_expansion", question=state.question.text), max_tokens=ADDED)
    replies = state.ask([request])
    added = replies[0].text.strip() if replies else " ".join(one.name for one in state.question.about)
    state.queries = [f"{state.question.text} {added}".strip()]


def find_rewritten(state: State) -> None:
    """Search for the question with what was added."""
    question = state.question
    for query in state.queries:
        question = reworded(state, query, "what was added") or question
    state.evidence = search(state, question, state.number("sections"), documents=False)


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
    filled = state.filled("chain_of_note", items, question=state.question.text)
    if replies := state.ask([replace(filled, schema=Notes, max_tokens=NOTED)]):
        known = {item.id for item in items}
        state.background = "\n".join(
            f"{one.id}: {one.note}" for one in replies[0].value.notes if one.id in known and one.relevant
        )


def rationale(state: State) -> None:
    """Reason step by step, and say what is doubtful."""
    filled = state.filled("chain_of_knowledge", question=state.question.text)
    if replies := state.ask([replace(filled, schema=Rationale, max_tokens=REASONED)]):
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


BASELINES: Final = (
    Pipeline(
        "base",
        "none: the baseline of all four papers",
        "what the model says without evidence; --explain shows it, and none of it is shown as an answer",
        (Stage("answer", "write an answer from memory; without a source no sentence of it is shown", from_memory),),
        {"max_tokens": Parameter(ending.REPLY, "tokens of the answer, at most", 10, 8000, printed=False)},
        ("base",),
    ),
    Pipeline(
        "graphrag",
        "none: the baseline of HyKGE that answers from the neighbourhood of entities",
        "an answer from the relations of what the question names",
        (
            Stage("link", "find what the question names", link),
            Stage("neighbourhood", "read its relations", neighbourhood, nothing),
            Stage("descriptions", "read the sections that say what it is", descriptions, nothing),
            Stage("answer", "write the answer, cite and check", ending.Ending("generated", limits=(5, GIVEN, 0))),
        ),
        {
            "entities": Parameter(5, "concepts whose relations are read, at most", 1, 20, printed=False),
            "relations": Parameter(10, "relations of each type, at most", 1, 200, printed=False),
        },
        ("generated",),
    ),
    Pipeline(
        "query-expansion",
        "none: the baseline of HyKGE that rewrites the question (after Wang et al., Query2doc, 2023)",
        "the question is searched for together with words that a model adds",
        (
            Stage("rewrite", "add words to search for", rewrite, nothing),
            Stage("search", "find sections", find_rewritten),
            Stage("answer", "write the answer, cite and check", ending.Ending("generated")),
        ),
        {"sections": Parameter(5, "sections that are found", 1, 50, printed=False)},
        ("query_expansion", "generated"),
    ),
    Pipeline(
        "chain-of-note",
        "Chain-of-Note (Yu et al., 2023), as HyKGE compares itself with it",
        "the model writes a note on each passage, and then the answer",
        (
            Stage("search", "find passages", find),
            Stage("notes", "write a note on each passage (first call)", notes, nothing),
            Stage("answer", "write the answer (second call), cite and check", ending.Ending("chain_of_note_answer")),
        ),
        {"sections": Parameter(5, "passages that are found", 1, 20, printed=False)},
        ("chain_of_note", "chain_of_note_answer"),
    ),
    Pipeline(
        "chain-of-knowledge",
        "Chain-of-Knowledge (Li et al., 2023), as HyKGE compares itself with it",
        "the model reasons, what it doubts is looked up, and the answer is corrected by what is found",
        (
            Stage("rationale", "reason step by step, and say what is doubtful (first call)", rationale, nothing),
            Stage("look-up", "search for the question and for each doubtful part", look_up),
            Stage(
                "answer",
                "write the corrected answer (second call), cite and check",
                ending.Ending("chain_of_knowledge_answer"),
            ),
        ),
        {
            "sections": Parameter(5, "sections that are found for the question", 1, 50, printed=False),
            "look_ups": Parameter(3, "doubtful parts that are looked up, at most", 0, 10, printed=False),
            "each": Parameter(2, "sections that are found for each of them", 1, 10, printed=False),
        },
        ("chain_of_knowledge", "chain_of_knowledge_answer"),
    ),
)
