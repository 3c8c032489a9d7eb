"""Pipelines of papers over graph and texts: `joint` and `hyke`.

`joint`: candidate answers from the nearest contexts, the one that agrees most with the subgraph of the question.
`hyke`: a hypothesis widens what is looked for in the graph, and its fragments choose the paths (HyKGE).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...models.protocol import Decoding
from ...queries.fusion import MODES, untitled
from ...queries.paths import MAX_HOPS, OVERLAP, WINDOW, ends_of, fragments, paths_between, pruned, words_of
from ...schema.vocabulary import CONDITIONS
from ..facts import facts_on, write_facts
from ..part_answers import Material
from ..prompting import instructs
from ..selecting import quote_sentences
from .pipeline import Candidate, Parameter, Pipeline, RankedPath, Stage, nothing
from .stages import (
    MATCH,
    Ending,
    around,
    describe,
    focus_entities,
    interleaved,
    match_relations,
    merged,
    named,
    nearest,
    nearest_sentence,
    of_kinds,
    search,
    show_candidate,
    weighed,
)

if TYPE_CHECKING:
    from ..scoring import ScoredSection
    from .pipeline import State

_WORD: Final = re.compile(r"[a-z0-9]+")


def rouge_l(text: str, reference: str) -> float:
    """Give the F1, from 0 to 1, of the longest common subsequence of words: letters and digits in small letters."""
    from rapidfuzz.distance import LCSseq

    ours, theirs = _WORD.findall(text.lower()), _WORD.findall(reference.lower())
    if not ours or not theirs:
        return 0.0
    return 2 * LCSseq.similarity(ours, theirs) / (len(ours) + len(theirs))


PROMPT: Final = "joint_candidate"

# What a model says of a context that does not answer; the paper lets it write all the same.
NO_ANSWER: Final = "NO ANSWER"
QUOTED: Final = 3  # sentences of a context that stand in for a candidate where no model writes; set by hand

# Relations of each type that the subgraph has, at most, and those among which ones between two things are looked for;
# set by hand.
RELATIONS: Final = 25
BETWEEN: Final = 200


def contexts(state: State) -> None:
    """Find the nearest contexts, each in another section."""
    if state.values["graph"] == "alone":
        return
    state.evidence = search(state, state.question, state.number("contexts"), str(state.values["mode"]), documents=False)
    if not state.evidence:
        state.note("nothing was found")


def candidates(state: State) -> None:
    """Write a candidate from each context; quote from it where no model writes."""
    least, most = state.number("min_tokens"), state.number("max_tokens")
    requests = [
        replace(
            state.filled(PROMPT, question=state.question.text, context=_titled(item), least=str(least), most=str(most)),
            max_tokens=most,
            temperature=state.share("temperature"),
            decoding=Decoding(min_tokens=least, beams=state.number("beams")),
        )
        for item in state.evidence
    ]
    replies = state.ask(requests)
    written = [reply.text.strip() for reply in replies] if replies is not None else None
    quoted = (quote_sentences(state.question, [item], QUOTED) for item in state.evidence)
    texts = written or [" ".join(one.text for one in sentences) for sentences in quoted]
    found = [Candidate(text, item) for text, item in zip(texts, state.evidence, strict=True)]
    state.candidates = [one for one in found if not one.text.startswith(NO_ANSWER)]
    if len(state.candidates) < len(found):
        state.note(f"{len(found) - len(state.candidates)} of {len(found)} contexts do not answer")
    state.silent = bool(found) and not state.candidates


def subgraph(state: State) -> None:
    """Match words of the question to conditions and kinds of relation; the relations of all are the subgraph.

    Of two things that are named it is `<h, ?, t>` where the graph relates them, of one `<h, r, ?>` and `<?, r, t>`.
    """
    if state.facts:  # contexts were taken from it
        return
    entities = focus_entities(state)
    ids = {one.id for one in entities}
    types = match_relations(state.question, state.number("match"))
    several = entities[:1] if len(ids) > 1 else ()
    between = [fact for one in several for fact in around(state, one.id, BETWEEN) if fact.object in ids]
    state.entities = [one for one in entities if one.label in CONDITIONS] or entities
    for wanted in (types, ()) if types else ((),):
        if not between and not state.facts:
            state.facts = interleaved([of_kinds(around(state, one.id, RELATIONS, wanted)) for one in state.entities])
    # What a thing leads to is `<h, r, ?>`; only where there is nothing it is `<?, r, t>` that is asked for.
    state.facts = between or [fact for fact in state.facts if fact.forward] or state.facts
    names = [name for fact in state.facts for name in (fact.relation.lower().replace("_", " "), fact.object_name)]
    state.subgraph = " ".join(dict.fromkeys((*(one.name for one in state.entities), *names)))
    if not state.facts:
        state.note("the graph has no relation of what the question names")


def joint(state: State) -> None:
    """Choose the candidate that has most in common with the subgraph's text, and show it."""
    if state.values["graph"] == "alone":
        from_graph(state)
        return
    texts = [one.text for one in state.candidates]
    if state.values["one_length"]:
        shortest = min((len(text.split()) for text in texts), default=0)
        texts = [" ".join(text.split()[:shortest]) for text in texts]
        state.candidates = [replace(one, text=text) for one, text in zip(state.candidates, texts, strict=True)]
    scores = [round(rouge_l(text, state.subgraph), 4) for text in texts]
    state.candidates = [replace(one, score=score) for one, score in zip(state.candidates, scores, strict=True)]
    _show(state, max(range(len(scores)), key=scores.__getitem__, default=None))


def first(state: State) -> None:
    """Show the candidate from the nearest context."""
    _show(state, 0 if state.candidates else None)


def documents_of_subgraph(state: State) -> None:
    """Take contexts from the sections that tell the subgraph's relations, where nothing is searched for by vectors."""
    subgraph(state)
    names = [section for fact in state.facts for voice in fact.said for section in voice.evidence]
    most = state.number("contexts")
    state.evidence = weighed(state, list(dict.fromkeys(names))[: 2 * most])[:most]
    if not state.evidence:
        state.note("no text tells a relation of the subgraph")


def from_graph(state: State) -> None:
    """Answer by the relations of the subgraph alone."""
    sentences = write_facts(state.facts, QUOTED)
    state.candidates = [Candidate(" ".join(one.text for one in sentences), None)] if sentences else []
    state.chosen = 0 if sentences else None
    state.given = state.tools.quote(state.part, Material(facts=state.facts))


def _show(state: State, place: int | None) -> None:
    if place is not None:
        show_candidate(state, place)
    elif not state.silent:
        state.given = state.tools.quote(state.part, Material(facts=state.facts))


def _titled(item: ScoredSection) -> str:
    section = item.section
    title = "" if untitled(section.title, section.document) else f"{section.title}. "
    return title + section.text


JOINT: Final = Pipeline(
    "joint",
    "Joint reasoning over a knowledge graph and a vector store for medical question answering",
    "one candidate from each of the nearest contexts; the one that agrees most with the subgraph is shown",
    (
        Stage("search", "find the nearest contexts, each in another section", contexts, documents_of_subgraph),
        Stage("candidates", "write an answer from each context", candidates, nothing),
        Stage("subgraph", "find the relations of what the question names", subgraph, nothing),
        Stage("joint", "choose by ROUGE-L F1 against the subgraph's names, cite and check", joint, first),
    ),
    {
        "contexts": Parameter(5, "contexts, and candidates", 1, 20),
        "mode": Parameter("semantic", "how contexts are searched for", choices=MODES),
        "min_tokens": Parameter(40, "tokens of a candidate, at least", 0, 500),
        "max_tokens": Parameter(150, "tokens of a candidate, at most", 10, 2000),
        "beams": Parameter(4, "replies followed side by side, where the model runs in this process", 1, 16),
        "temperature": Parameter(0.7, "of the model", 0, 2),
        "match": Parameter(MATCH, "of 100, how much of a relation's name a word must have", 50, 100, printed=False),
        "one_length": Parameter(default=False, does="cut candidates to the length of the shortest"),
        "graph": Parameter(
            "joint", "whether the graph chooses a candidate, or answers alone", choices=("joint", "alone")
        ),
    },
    (PROMPT,),
)

HYPOTHESIS: Final = "hyke_hypothesis"
ANSWER: Final = "hyke_answer"

# Sections of which the best sentence stands in for a hypothesis where no model writes; set by hand.
_FOR_HYPOTHESIS: Final = 2

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
    found = search(state, state.question, _FOR_HYPOTHESIS, documents=True)
    state.hypothesis = " ".join(map(nearest_sentence, found))


def link(state: State) -> None:
    """Link what question and hypothesis name to concepts, by names and by vectors."""
    least, supposed = state.share("delta"), state.hypothesis
    known = state.tools.retriever.named(supposed) if supposed else []
    found = [*focus_entities(state), *named(state, known, asked=False)]
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
    texts = ((end.id, f"{end.name}: {end.description}") for end in state.ends if end.description)
    told = {name: text for name, text in texts if not instructs(text)}
    ends = [(one, (one.path.nodes[0].id, one.path.nodes[-1].id)) for one in state.paths]
    state.paths = [replace(one, described=tuple(told[end] for end in both if end in told)) for one, both in ends]
    state.background = "\n".join(dict.fromkeys(told[one.id] for one in state.entities if one.id in told))
    describe(state)


def rerank(state: State) -> None:
    """Keep the paths that come nearest to a fragment of question or hypothesis."""
    window, overlap = state.number("window"), min(state.number("overlap"), state.number("window") - 1)
    parts = [part for text in (state.question.text, state.hypothesis) for part in fragments(text, window, overlap)]
    kept = pruned(parts, [words_of(one.path) for one in state.paths], state.tools.encoder(), state.number("top"))
    state.paths = [state.paths[place] for place, _ in kept]


def first_paths(state: State) -> None:
    """Keep the paths that are ranked first by what their relations are worth."""
    state.paths = sorted(state.paths, key=lambda one: -one.path.score)[: state.number("top")]


HYKE: Final = Pipeline(
    "hyke",
    "HyKGE: hypothesis knowledge graph enhanced retrieval-augmented generation",
    "a hypothesis names what to look for; paths between all of it, chosen by fragments, are what is answered from",
    (
        Stage("hypothesis", "write what an expert would say (first call of the model)", hypothesis, nothing),
        Stage("link", "link what question and hypothesis name to concepts", link),
        Stage("paths", "find paths between all pairs of concepts", paths, nothing),
        Stage("descriptions", "say what the ends of paths are", descriptions, nothing),
        Stage("rerank", "keep the paths nearest to a fragment of question or hypothesis", rerank, first_paths),
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
