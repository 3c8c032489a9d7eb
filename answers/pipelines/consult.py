"""`consult`: subgraphs as documents, found by a trained encoder and chosen by a trained reranker (ILlama)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...embeddings.rerankers.cross import passage_of
from ...errors import NotInGraphError
from ...queries.filters import DERIVED, Filters
from ..confidence import RELATED
from . import ending
from .finding import weighed
from .pipeline import Parameter, Pipeline, Stage, nothing

if TYPE_CHECKING:
    from ..scoring import ScoredSection
    from .state import State

PROMPT: Final = "consult"


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
    logits = state.question.read(passages) if passages else None
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
    state.evidence = [item for item in state.evidence if _likely(state, item) >= least][: state.number("documents")]
    if not state.evidence:
        state.note("none of these: no subgraph is likely enough to answer")


def best(state: State) -> None:
    """Keep the first subgraphs."""
    state.evidence = state.evidence[: state.number("documents")]


def _likely(state: State, item: ScoredSection) -> float:
    return state.scores.get(item.section.section, item.related)


PIPELINE: Final = Pipeline(
    "consult",
    "ILlama: subgraphs as documents, with a retriever and a reranker trained on pseudo-queries",
    "what somebody tells in own words is answered from subgraphs: what it may be, what to watch, what to do next",
    (
        Stage("retrieve", "find subgraphs by the trained encoder", subgraphs),
        Stage("rerank", "order them by the trained reranker", rerank, nothing),
        Stage("threshold", "keep those that are likely enough to answer", threshold, best),
        Stage("answer", "write the consultation, cite and check", ending.Ending(PROMPT, limits=(10, 0, 0))),
    ),
    {
        "candidates": Parameter(50, "subgraphs that are found", 1, 200),
        "documents": Parameter(10, "subgraphs that are kept, at most", 1, 50),
        "threshold": Parameter(0.0, "the least likelihood to answer; 0 takes what was fitted", 0, 1, printed=False),
    },
    (PROMPT,),
)
