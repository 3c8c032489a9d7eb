"""Vectors of the sentences that answers may quote, kept with their sections.

So a question is compared with every sentence of what was found, without encoding any: of 46 everyday questions whose
best sentence answers had missed, it was among the twelve that are read for 35 then, and for 18 where other signs chose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import EncoderMismatchError
from ..graph import catalogue
from ..graph.engine import LOCAL, Step
from ..progress import progress
from .candidate_sentences import candidates
from .store import SAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..graph.database import Database
    from ..graph.engine import Engine
    from .encoders.encoder import TextEncoder

VERSION: Final = 5  # raised when other sentences are found in a text, so that what was kept of it counts as stale
SECTION_BATCH: Final = 200  # sections a transaction
_LEVELS: Final = 127


def made_by(encoder: str) -> str:
    """Name what a section's vectors are made by, with the version of how sentences are found."""
    return f"{VERSION}:{encoder}"


def as_encoded(title: str, sentence: str) -> str:
    """Write a sentence as it is encoded."""
    return f"{title}: {sentence}"


def pack(spans: Sequence[tuple[int, int]], vectors: NDArray[np.float32]) -> bytes:
    """Write spans of n sentences and (n, dimension) vectors for a property: whole numbers with one scale each."""
    rows = np.zeros(len(spans), dtype=_row(vectors.shape[1]))
    if len(spans):
        scales = np.maximum(np.abs(vectors).max(axis=1), np.finfo(np.float32).tiny) / _LEVELS
        rows["start"], rows["end"] = np.array(spans, dtype=np.int32).T
        rows["scale"], rows["levels"] = scales, np.rint(vectors / scales[:, None])
    return rows.tobytes()


def unpack(kept: bytes, dimension: int) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
    """Read spans and (n, dimension) float32, near to unit length, of a property that `pack` wrote.

    Raises:
        ValueError: It is not what `pack` wrote for this dimension.
    """
    rows = np.frombuffer(kept, dtype=_row(dimension))
    return list(zip(rows["start"].tolist(), rows["end"].tolist(), strict=True)), rows["levels"] * rows["scale"][:, None]


def _row(dimension: int) -> np.dtype[np.void]:
    return np.dtype([("start", "<i4"), ("end", "<i4"), ("scale", "<f4"), ("levels", "i1", (dimension,))])


def index_sentences(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> int:
    """Embed the sentences of every section that has no vectors of them by this encoder, the graph's recorded one.

    Raises:
        EncoderMismatchError: A worker gave vectors of another dimension, or such that are no numbers.
        DatabaseError: The database went away; what was committed stays, and a second call goes on.
    """
    model, write = made_by(encoder.name), catalogue.get("write_sentence_vectors")
    total = database.read(catalogue.get("count_unembedded_sections"), model=model)[0]["sections"]
    step = Step("sentences", f"{model}:{encoder.precision}", embedded_sections, writers=2)

    def store(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            _check(row, encoder)
        database.write(write, rows=rows, model=model)

    made = 0
    with progress("embedding sentences", "section", total) as bar:
        pages = database.pages(catalogue.get("unembedded_sections"), SECTION_BATCH, model=model)
        for rows in engine.store(step, encoder, pages, store):
            made += sum(row["sentences"] for row in rows)
            bar.update(len(rows))
    return made


def _check(row: dict[str, Any], encoder: TextEncoder) -> None:
    if len(row["vectors"]) != row["sentences"] * _row(encoder.dimension).itemsize:
        raise EncoderMismatchError(f"a worker gave vectors of sentences that {encoder.name} does not give; {SAME}")
    if not np.isfinite(unpack(row["vectors"], encoder.dimension)[1]).all():
        raise EncoderMismatchError(f"{encoder.name} gave a sentence a vector with NaN or infinity; {SAME}")


def embedded_sections(sections: list[dict[str, Any]], encoder: TextEncoder) -> list[dict[str, Any]]:
    """Embed sections' sentences: rows of `id`, `vectors` as `pack` writes them, and the number of `sentences`."""
    found = [candidates(0, section["text"]) for section in sections]
    texts = [
        [as_encoded(section["title"], one.text) for one in each] for section, each in zip(sections, found, strict=True)
    ]
    distinct = list(dict.fromkeys(text for each in texts for text in each))
    places = {text: place for place, text in enumerate(distinct)}
    vectors = encoder.encode(distinct) if distinct else np.zeros((0, encoder.dimension), dtype=np.float32)
    return [
        {
            "id": section["id"],
            "vectors": pack([(one.start, one.end) for one in each], vectors[[places[text] for text in told]]),
            "sentences": len(each),
        }
        for section, each, told in zip(sections, found, texts, strict=True)
    ]
