"""`hyke`: a hypothesis widens what is looked for in the graph, and its fragments choose the paths (HyKGE)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...queries.paths import MAX_HOPS, OVERLAP, WINDOW, ends_of, fragments, paths_between, pruned, words_of
from ..composers.numbered import instructs
from ..facts import facts_on
from .ending import Ending
from .finding import asked_about, described, merged, named, nearest, nearest_sentence, search
from .pipeline import Parameter, Pipeline, Stage, nothing
from .state import RankedPath

if TYPE_CHECKING:
    from ...queries.paths import PathEnd
    from .state import State

HYPOTHESIS: Final = "hyke_hypothesis"
ANSWER: Final = "hyke_answer"

QUOTED: Final = 2  # sections of which the best sentence stands in for a hypothesis where no model writes; set by hand

# Paths that are compared with fragments, at most: those that are ranked first, each pair in turn; set by hand.
RANKED: Final = 100


def hypothesis(state: State) -> None:
    """Let a model write what an expert would say; what search finds nearest stands in."""
    request = replace(
        state.filled(HYPOTHESIS, question=state.question.text),
        max_tokens=state.number("hypothesis_tokens"),
        temperature=state.share("temperature"),
    )
    if replies := state.ask([request]):
        state.hypothesis = replies[0].text.strip()
        if not state.hypothesis:
            state.note("the hypothesis is empty")
        return
    found = search(state, state.question, QUOTED, documents=True)
    state.hypothesis = " ".join(map(nearest_sentence, found))


def link(state: State) -> None:
    """Link what question and hypothesis name to concepts, by names and by vectors."""
    least, supposed = state.share("delta"), state.hypothesis
    known = state.tools.retriever.named(supposed) if supposed else []
    found = [*asked_about(state), *named(state, known, asked=False)]
    found += nearest(state, state.question.text, state.question.mentions, least, asked=True)
    found += nearest(state, supposed, known, least, asked=False)
    state.entities = merged(found, state.number("entities"))
    state.ends = ends_of(state.tools.database, [one.id for one in state.entities])
    if not state.entities:
        state.note("nothing that the graph knows is named")


def paths(state: State) -> None:
    """Find paths between all pairs: directed, from one ancestor, to one descendant."""
    pairs = paths_between(state.tools.database, state.ends, state.number("hops"))
    turns = [[pair.paths[turn] for pair in pairs if turn < len(pair.paths)] for turn in range(RANKED)]
    ranked = [path for turn in turns for path in turn][:RANKED]
    state.paths = [RankedPath(path, facts_on(path)) for path in ranked if not instructs(path.text)]
    if not state.paths:
        few = "one thing is named" if len(state.entities) == 1 else "no path was found"
        state.note(f"{few}; what things are stands alone" if state.entities else "there is nothing to join")


def descriptions(state: State) -> None:
    """Say what the ends of paths are; sections that say it can be cited."""
    told = {end.id: text for end in state.ends if (text := _description(end))}
    state.paths = [replace(one, described=_of_ends(one, told)) for one in state.paths]
    state.background = "\n".join(dict.fromkeys(told[one.id] for one in state.entities if one.id in told))
    state.evidence = described(state)


def rerank(state: State) -> None:
    """Keep the paths that come nearest to a fragment of question or hypothesis."""
    window, overlap = state.number("window"), min(state.number("overlap"), state.number("window") - 1)
    parts = [part for text in (state.question.text, state.hypothesis) for part in fragments(text, window, overlap)]
    kept = pruned(parts, [words_of(one.path) for one in state.paths], state.tools.encoder(), state.number("top"))
    state.paths = [state.paths[place] for place, _ in kept]


def first(state: State) -> None:
    """Keep the paths that are ranked first by what their relations are worth."""
    state.paths = sorted(state.paths, key=lambda one: -one.path.score)[: state.number("top")]


def _description(end: PathEnd) -> str:
    text = f"{end.name}: {end.description}" if end.description else ""
    return "" if instructs(text) else text


def _of_ends(one: RankedPath, told: dict[str, str]) -> tuple[str, ...]:
    return tuple(told[node.id] for node in (one.path.nodes[0], one.path.nodes[-1]) if node.id in told)


PIPELINE: Final = Pipeline(
    "hyke",
    "HyKGE: hypothesis knowledge graph enhanced retrieval-augmented generation",
    "a hypothesis names what to look for; paths between all of it, chosen by fragments, are what is answered from",
    (
        Stage("hypothesis", "write what an expert would say (first call of the model)", hypothesis, nothing),
        Stage("link", "link what question and hypothesis name to concepts", link),
        Stage("paths", "find paths between all pairs of concepts", paths, nothing),
        Stage("descriptions", "say what the ends of paths are", descriptions, nothing),
        Stage("rerank", "keep the paths nearest to a fragment of question or hypothesis", rerank, first),
        Stage("answer", "write the answer (second call), cite and check", Ending(ANSWER, limits=(5, 0, 10))),
    ),
    {
        "hypothesis_tokens": Parameter(300, "tokens of the hypothesis, at most", 10, 2000),
        "temperature": Parameter(0.6, "of the hypothesis", 0, 2),
        "delta": Parameter(0.7, "the least inner product of a phrase and a name that means it", 0, 1),
        "entities": Parameter(8, "concepts between which paths are looked for, at most", 1, 20, printed=False),
        "hops": Parameter(MAX_HOPS, "relations of a path, at most (k)", 1, MAX_HOPS),
        "window": Parameter(WINDOW, "words of a fragment", 1, 100),
        "overlap": Parameter(OVERLAP, "words that a fragment shares with the next one", 0, 99),
        "top": Parameter(10, "paths that are kept", 1, RANKED),
    },
    (HYPOTHESIS, ANSWER),
)
