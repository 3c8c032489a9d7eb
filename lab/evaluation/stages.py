"""Search in the mode `learned` less some of its stages, to measure what each is worth.

Candidates are found as always, and weights stay as they were fitted: what a stage says of candidates counts nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from medgraph.queries import fusion
from medgraph.queries.modes import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.queries.hits import Evidence
    from medgraph.queries.question import Question
    from medgraph.queries.retriever import Retriever

# Stage → the features that it gives: BM25, how much of the question stands in title, heading and text, vectors, the
# entities that the question names, the section type that it asks for, and the questions that sections answer; without
# features, understanding messages of several sentences, the layers that encode questions, and reading the best
# candidates together with the question.
OF_STAGE: Final = {
    "words": {"words", "first by words"},
    "fields": {"question in title", "question in heading", "question in text"},
    "vectors": {"meaning", "nearest", "asked", "meaning where about"},
    "names": {"about it", "about the same", "meaning where about", "type where about"},
    "types": {"type", "other type", "type where about"},
    "questions": {"asked"},
    "messages": set[str](),
    "layers": set[str](),
    "reading": set[str](),
}
STAGES: Final = tuple(OF_STAGE)


class _Less:
    """An encoder that encodes questions as passages, or reads nothing."""

    def __init__(self, encoder: TextEncoder, without: Collection[str]) -> None:
        self._encoder, self._without = encoder, without
        self.calibration = encoder.calibration

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encoder.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return (self._encoder.encode if "layers" in self._without else self._encoder.encode_questions)(texts)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        return None if "reading" in self._without else self._encoder.read(question, passages)


def search(retriever: Retriever, question: Question, without: Collection[str], top_k: int) -> Evidence:
    """Search without some stages.

    Args:
        without: Stages, of `STAGES`.
        top_k: How many results at most.

    Returns:
        The results, best first.
    """
    if "messages" in without:
        question = replace(question, as_typed=True)
    if "names" in without:
        question = replace(question, linker=lambda _text: ())
    if not {"layers", "reading"}.isdisjoint(without):
        encoder: Callable[[], TextEncoder] = question.encoder
        question = replace(question, encoder=lambda: _Less(encoder(), without), _vectors={})  # type: ignore[arg-type,return-value]
    silent = set[str]().union(*(OF_STAGE[stage] for stage in without))
    whole = fusion.model()
    weights = {name: 0.0 if name in silent else weight for name, weight in whole.weights.items()}
    return retriever.search(question, mode=DEFAULT, top_k=top_k, ranking=replace(whole, weights=weights))
