"""Vectors of chunks, of questions, and of the sentences that answers may quote, kept in the graph.

Vectors of sentences stand with their sections, so that a question is compared with every sentence of what was found,
without encoding any: of 46 everyday questions whose best sentence answers had missed, it was among the twelve that are
read for 35 then, and for 18 where other signs chose. What was embedded before a
DatabaseError stays, and a second call goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import EncoderMismatchError
from ..graph import catalogue
from ..graph.database import Database, as_vector
from ..graph.engine import LOCAL, Engine, Step
from ..progress import progress
from ..text import context
from .candidate_sentences import as_encoded, candidates, pack, row_type, sentences_by, unpack

if TYPE_CHECKING:
    from .encoders.encoder import TextEncoder

    Row = dict[str, Any]

EMBED_BATCH: Final = 1024  # vectors a transaction
SAME: Final = "give workers the same medgraph and model"  # what mends vectors that are none of the encoder's


def index_embeddings(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> tuple[int, int]:
    """Embed chunks and questions without a vector of this encoder, and count both; then wait for the indexes."""
    stale = database.read(catalogue.get("count_unembedded"), model=encoder.name)[0]
    made = _embed(database, encoder, "chunk", stale["chunks"], engine)
    asked = _embed(database, encoder, "question", stale["questions"], engine)
    database.wait_for_indexes()
    return made, asked


def rebuild(database: Database, encoder: TextEncoder) -> None:
    """Forget all vectors and make the vector indexes anew for this encoder; `index_embeddings` fills them."""
    from ..schema import migrate

    for name in ("drop_chunk_embedding_index", "drop_question_embedding_index", "clear_embeddings"):
        database.run(catalogue.get(name))
    database.write(catalogue.get("record_encoder"), name=encoder.name, dimension=encoder.dimension)
    for migration in migrate.migrations():
        for statement in migration.statements:
            if statement.parameters:
                migrate.create(database, statement, encoder.dimension)
    database.wait_for_indexes()


def _embed(database: Database, encoder: TextEncoder, kind: str, total: int, engine: Engine) -> int:
    write, stale = catalogue.get(f"write_{kind}_embeddings"), catalogue.get(f"unembedded_{kind}s")
    step = Step(f"{kind}s", made_by(encoder), _COMPUTE[kind], writers=2)

    def store(rows: list[Row]) -> None:
        stored = [row | {"vector": as_vector(vector_of(row["vector"], encoder))} for row in rows]
        database.write(write, rows=stored, model=encoder.name)

    done = 0
    with progress(f"embedding {kind}s", kind, total) as bar:
        pages = database.pages(stale, EMBED_BATCH, model=encoder.name)
        for rows in engine.store(step, encoder, pages, store):
            done += len(rows)
            bar.update(len(rows))
    return done


def made_by(encoder: TextEncoder) -> str:
    """Tell what vectors depend on beside their texts."""
    return f"{encoder.name}:{encoder.precision}"


def vector_of(written: bytes, encoder: TextEncoder) -> Any:
    """Read a page's vector: `(dimension,) float32`; EncoderMismatchError for another dimension, or no numbers."""
    vector = np.frombuffer(written, dtype="<f4")
    if len(vector) != encoder.dimension:
        raise EncoderMismatchError(
            f"a worker gave a vector of {len(vector)} dimensions, and {encoder.name} has {encoder.dimension}; {SAME}"
        )
    if not np.isfinite(vector).all():
        raise EncoderMismatchError(f"{encoder.name} gave a vector with NaN or infinity; {SAME}")
    return vector


def embedded_chunks(page: list[Row], encoder: TextEncoder) -> list[Row]:
    """Embed chunks: rows of `id` and `vector`, little-endian float32."""
    return _embedded(page, [passage(row) for row in page], encoder)


def embedded_questions(page: list[Row], encoder: TextEncoder) -> list[Row]:
    """Embed questions: rows of `id` and `vector`, little-endian float32."""
    return _embedded(page, [row["text"] for row in page], encoder)


_COMPUTE: Final = {"chunk": embedded_chunks, "question": embedded_questions}


def _embedded(page: list[Row], texts: list[str], encoder: TextEncoder) -> list[Row]:
    distinct = list(dict.fromkeys(texts))
    encoded = encoder.encode(distinct).astype("<f4", copy=False)
    vectors = dict(zip(distinct, (row.tobytes() for row in encoded), strict=True))
    return [{"id": row["id"], "vector": vectors[text]} for row, text in zip(page, texts, strict=True)]


def passage(row: dict[str, Any]) -> str:
    """Write a chunk, with its title and its question or heading, as it is embedded."""
    return f"{context(row['title'], row['question'])}\n{row['text']}"


SECTION_BATCH: Final = 200  # sections a transaction


def index_sentences(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> int:
    """Embed the sentences of sections without their vectors; EncoderMismatchError for anything else from a worker."""
    model, write = sentences_by(encoder.name), catalogue.get("write_sentence_vectors")
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
    if len(row["vectors"]) != row["sentences"] * row_type(encoder.dimension).itemsize:
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
