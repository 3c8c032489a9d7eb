"""All pipelines, by name: `referenced`, `consult`, and those that the papers compare theirs with stand here.

`referenced`: an answer from the ten best documents, a reference after each statement, each checked (VerifAI).
`consult`: subgraphs as documents, found by a trained encoder and chosen by a trained reranker (ILlama). `base` gives
the model no evidence, so that nothing of it can be cited or shown; `graphrag` answers from the relations of what is
named; `query-expansion` adds words to search for; `chain-of-note` writes a note on each passage (Yu et al., 2023);
`chain-of-knowledge` looks up what a rationale doubts (Li et al., 2023).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from ...errors import InputError, NotInGraphError
from ...models.protocol import Decoding
from ...queries.filters import DERIVED, Filters
from ...queries.fusion import MODES, PRESETS
from ...text import passage_of
from ..part_answers import Material
from ..prompting import numbered
from ..signs import RELATED
from .papers import HYKE, JOINT
from .pipeline import Candidate, Parameter, Pipeline, Stage, nothing
from .stages import (
    REPLY,
    Ending,
    around,
    describe,
    focus_entities,
    interleaved,
    nearest_sentence,
    of_kinds,
    reworded,
    search,
    show_candidate,
    weighed,
)

if TYPE_CHECKING:
    from .pipeline import State

DEFAULT_RATIONALE: Final = 40  # relations that a model is given by `graphrag`, at most; set by hand

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
        show_candidate(state, 0)
    else:
        state.note("without a model there is nothing to answer from")


def link(state: State) -> None:
    """Find what the question names."""
    state.entities = focus_entities(state)[: state.number("entities")]
    if not state.entities:
        state.note("nothing that the graph knows is named")


def neighbourhood(state: State) -> None:
    """Read the relations of it, and what it is."""
    most = state.number("relations")
    state.facts = interleaved([of_kinds(around(state, one.id, most)) for one in state.entities])[:DEFAULT_RATIONALE]
    if not state.facts:
        state.note("the graph has no relation of what the question names")


def rewrite(state: State) -> None:
    """Let a model add words to search for; other names of what is asked about stand in."""
    request = replace(state.filled("query_expansion", question=state.question.text), max_tokens=ADDED)
    replies = state.ask([request])
    added = replies[0].text.strip() if replies else " ".join(one.name for one in state.question.about)
    state.queries = [f"{state.question.text} {added}".strip()]


def find(state: State) -> None:
    """Search for the question, with what was added to it."""
    question = state.question
    for query in state.queries:
        question = reworded(state, query, "what was added") or question
    state.evidence = search(state, question, state.number("sections"), documents=False)


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
        {"max_tokens": Parameter(REPLY, "tokens of the answer, at most", 10, 8000, printed=False)},
        ("base",),
    ),
    Pipeline(
        "graphrag",
        "none: the baseline of HyKGE that answers from the neighbourhood of entities",
        "an answer from the relations of what the question names",
        (
            Stage("link", "find what the question names", link),
            Stage("neighbourhood", "read its relations", neighbourhood, nothing),
            Stage("descriptions", "read the sections that say what it is", describe, nothing),
            Stage("answer", "write the answer, cite and check", Ending("generated", limits=(5, DEFAULT_RATIONALE, 0))),
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
            Stage("search", "find sections", find),
            Stage("answer", "write the answer, cite and check", Ending("generated")),
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
            Stage("answer", "write the answer (second call), cite and check", Ending("chain_of_note_answer")),
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
                Ending("chain_of_knowledge_answer"),
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


def documents(state: State) -> None:
    """Find documents, the best section of each."""
    mode, preset = str(state.values["mode"]), str(state.values["weights"])
    state.evidence = search(state, state.question, state.number("documents"), mode, preset, documents=True)
    if not state.evidence:
        state.note("nothing was found")


def answer(state: State) -> None:
    """Write the answer from the documents alone."""
    decoding = Decoding(repetition_penalty=state.share("repetition_penalty"))
    Ending("referenced", state.number("max_tokens"), decoding, (state.number("documents"), 0, 0))(state)


REFERENCED: Final = Pipeline(
    "referenced",
    "VerifAI: verified generative question answering (Košprdić et al., 2024)",
    "an answer from the ten best documents alone, with a reference after each statement that is then checked",
    (
        Stage("search", "find documents by words and by vectors", documents),
        Stage("answer", "write the answer with references, check each claim against what it refers to", answer),
    ),
    {
        "documents": Parameter(10, "documents that the answer may refer to", 1, 50),
        "mode": Parameter("hybrid", "how documents are searched for", choices=MODES),
        "weights": Parameter("literature", "weights of words, vectors and titles", choices=tuple(PRESETS)),
        "max_tokens": Parameter(1225, "tokens of the answer, at most", 10, 8000),
        "repetition_penalty": Parameter(1.1, "where the model runs in this process", 1, 2),
    },
    ("referenced",),
)


def subgraphs(state: State) -> None:
    """Find the subgraphs nearest to what was said, in the trained encoder's space."""
    tools, most = state.tools, state.number("candidates")
    try:
        asked = tools.retriever.question(state.question.text, Filters(sources=(DERIVED,)))
    except NotInGraphError:
        state.note("the graph has no subgraphs as documents: `medgraph index subgraphs` writes them")
        return
    hits = tools.retriever.search(asked, mode="semantic", top_k=most)
    near = {hit.section: hit.scores.get("semantic") or 0.0 for hit in hits if hit.section}
    state.evidence = weighed(state, list(near), near)
    if not state.evidence:
        state.note("no subgraph was found")


def rerank(state: State) -> None:
    """Order subgraphs by how well each answers, as the reranker reads it; nothing changes where none is trained."""
    passages = [passage_of(item.section.title, item.section.text) for item in state.evidence]
    logits = state.question.passage_logits(passages) if passages else None
    if logits is None:
        state.note("no reranker is trained (MEDGRAPH_RERANKER): the encoder's order stands")
        return
    order = sorted(range(len(passages)), key=lambda place: -float(logits[place]))
    state.evidence = [state.evidence[place] for place in order]
    if calibration := state.question.calibration:
        likely = calibration.probabilities(logits)
        state.scores = {state.evidence[rank].section.section: float(likely[place]) for rank, place in enumerate(order)}


def threshold(state: State) -> None:
    """Keep the subgraphs that are likely enough to answer; without a calibrated reranker those that are related."""
    calibration, least = state.question.calibration, state.share("threshold")
    least = least or (calibration.threshold if calibration else RELATED)
    sure = [item for item in state.evidence if state.scores.get(item.section.section, item.related) >= least]
    state.evidence = sure[: state.number("documents")]
    if not state.evidence:
        state.note("none of these: no subgraph is likely enough to answer")


def best(state: State) -> None:
    """Keep the first subgraphs."""
    state.evidence = state.evidence[: state.number("documents")]


CONSULT: Final = Pipeline(
    "consult",
    "ILlama: subgraphs as documents, with a retriever and a reranker trained on pseudo-queries",
    "what somebody tells in own words is answered from subgraphs: what it may be, what to watch, what to do next",
    (
        Stage("retrieve", "find subgraphs by the trained encoder", subgraphs),
        Stage("rerank", "order them by the trained reranker", rerank, nothing),
        Stage("threshold", "keep those that are likely enough to answer", threshold, best),
        Stage("answer", "write the consultation, cite and check", Ending("consult", limits=(10, 0, 0))),
    ),
    {
        "candidates": Parameter(50, "subgraphs that are found", 1, 200),
        "documents": Parameter(10, "subgraphs that are kept, at most", 1, 50),
        "threshold": Parameter(0.0, "the least likelihood to answer; 0 takes what was fitted", 0, 1, printed=False),
    },
    ("consult",),
)

# Name → pipeline: those of the papers, then what they are compared with.
PIPELINES: Final[dict[str, Pipeline]] = {one.name: one for one in (JOINT, HYKE, REFERENCED, CONSULT, *BASELINES)}


def pipeline_named(name: str) -> Pipeline:
    """Find a pipeline, or raise InputError."""
    if name not in PIPELINES:
        raise InputError(f"there is no pipeline {name!r}; there are {', '.join(PIPELINES)}")
    return PIPELINES[name]
