"""The sections that a question finds, and their sentences that can be quoted, with their vectors."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.candidate_sentences import CandidateSentence, candidates, said
from ..embeddings.store import as_encoded, sentences_by, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..queries.question import Question
    from ..queries.retriever import Retriever, SectionText

    Quotable = tuple[list[CandidateSentence], NDArray[np.float32]]
    """n sentences in order, and (n, dimension) float32 of about unit length."""

MOST: Final = 8192
"""Texts; their vectors take about 16 MB."""


class RememberedVectors:
    """Encodes texts, and keeps the vectors of those that were used last."""

    def __init__(self, encoder: Callable[[], TextEncoder], most: int = MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts, one at least, as `TextEncoder.encode` does; several threads may do so at once."""
        with self._lock:
            known = {text: vector for text in texts if (vector := self._kept.get(text)) is not None}
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        if unknown:
            # Copied, so that a row does not keep the whole array alive.
            known |= {text: row.copy() for text, row in zip(unknown, self._encoder().encode(unknown), strict=True)}
        with self._lock:
            for text in texts:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return np.stack([known[text] for text in texts])


RANKED: Final = 10
NEAREST: Final = 6
"""Sections that are read in full: the best ranked ones, and those with the nearest passages; set by hand."""


def retrieve(retriever: Retriever, question: Question) -> tuple[list[SectionText], list[float]]:
    """Find the sections that are read in full, and how near the best passage of each comes, as cosine."""
    ranked = retriever.ranked(question)
    nearest = sorted(ranked, key=lambda row: -(row["semantic"] or 0.0))[:NEAREST]
    near = {row["section"]: row["semantic"] or 0.0 for row in (*ranked[:RANKED], *nearest)}
    sections = read_sections(retriever, near)
    return sections, [near[one.section] for one in sections]


def read_sections(retriever: Retriever, names: Iterable[str]) -> list[SectionText]:
    """Read sections by id, in the order of the ids."""
    wanted = list(names)
    found = {section.section: section for section in retriever.texts(wanted)}
    return [found[name] for name in wanted if name in found]


class QuotableSentences:
    """Gives the sentences of sections: those that the graph keeps with their vectors, or else found and encoded."""

    def __init__(self, encoder: Callable[[], TextEncoder]) -> None:
        self._encoder = encoder
        self._remembered = RememberedVectors(encoder)

    def of(self, sections: Sequence[SectionText]) -> list[Quotable]:
        """Give the sentences of sections, whose `section` is its place, with vectors; threads may ask at once."""
        kept = [self._kept(place, section) for place, section in enumerate(sections)]
        found = [
            one[0] if one else candidates(place, section.text)
            for place, (section, one) in enumerate(zip(sections, kept, strict=True))
        ]
        unknown = [
            as_encoded(section.title, sentence.text)
            for section, one, each in zip(sections, kept, found, strict=True)
            if not one
            for sentence in each
        ]
        encoded = iter(self._remembered.encode(unknown) if unknown else ())
        none = np.zeros((0, self._encoder().dimension), dtype=np.float32)
        return [
            one or (each, np.array([next(encoded) for _ in each]) if each else none)
            for one, each in zip(kept, found, strict=True)
        ]

    def _kept(self, place: int, section: SectionText) -> Quotable | None:
        """Read what the graph keeps of a section, if it is of this encoder."""
        encoder = self._encoder()
        if section.sentence_model != sentences_by(encoder.name) or section.sentence_vectors is None:
            return None
        spans, vectors = unpack(section.sentence_vectors, encoder.dimension)
        text = section.text
        return [
            CandidateSentence(place, order, start, end, said(text[start:end]))
            for order, (start, end) in enumerate(spans)
        ], vectors
