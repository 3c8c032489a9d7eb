"""Cuts sections into chunks, updates the index after a load, and puts another encoder's vectors in place of others.

Chunks are what an encoder reads whole: cut at sentence ends, counted in its own tokens. Vectors of another encoder are
made beside those that serve, put in their place at once, and dropped. A process goes on with the vectors of its own
encoder as long as the graph has them, so that services are restarted with the new one after a switch, one by one, and
no request fails. Where the database goes away, by a DatabaseError, what was committed stays, and a second call goes on.

Vectors of sentences stand with their sections, so that a question is compared with every sentence of what was found,
without encoding any: of 46 everyday questions whose best sentence answers had missed, it was among the twelve that are
read for 35 then, and for 18 where other signs chose.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import EncoderMismatchError, InputError
from ..graph import catalogue
from ..graph.database import Database, as_vector
from ..graph.engine import LOCAL, Engine, Step
from ..patterns import read_patterns, threshold
from ..progress import progress
from ..schema import migrate
from ..text import context, counted, sentences
from .candidate_sentences import as_encoded, candidates, pack, row_type, sentences_by, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..schema.migrate import Model, Rule
    from .encoders.encoder import TextEncoder

    Span = tuple[int, int]
    Row = dict[str, Any]

VERSION: Final = 1  # raised when the rules below change, so that chunks made by older ones count as stale
_RULES: Final = read_patterns(Path(__file__).with_name("index.tsv"))
SECTION_BATCH: Final = 200  # sections a transaction
SPECIAL_TOKENS: Final = 2  # tokens that an encoder puts around a text
MAX_CONTEXT_RATE: Final = threshold("embeddings.index.max_context_rate")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences of a section; its id depends on section, position (from 1) and text alone."""

    id: str
    position: int
    start: int
    end: int
    text: str


def cut_by(tokenizer: TextEncoder) -> str:
    """Name how sections are cut for an encoder."""
    return f"{VERSION}:{tokenizer.name}:{tokenizer.max_tokens}"


def index_chunks(database: Database, tokenizer: TextEncoder, engine: Engine = LOCAL) -> int:
    """Cut every section of the graph that has no chunks, or chunks of another cut, for an encoder."""
    cut = cut_by(tokenizer)
    total = database.read(catalogue.get("count_unchunked"), cut=cut)[0]["sections"]
    made, write = 0, catalogue.get("write_chunks")
    with progress("chunking", "section", total) as bar:
        pages = database.pages(catalogue.get("unchunked"), SECTION_BATCH, cut=cut)
        step = Step("cuts", cut, cut_sections)
        for rows in engine.store(step, tokenizer, pages, lambda rows: database.write(write, rows=rows, cut=cut)):
            made += sum(len(row["chunks"]) for row in rows)
            bar.update(len(rows))
    return made


def cut_sections(sections: list[dict[str, Any]], tokenizer: TextEncoder) -> list[dict[str, Any]]:
    """Cut sections: rows of `section`, its `chunks`, and the `voice` that those have in common that say the same."""
    contexts = [context(s["title"], s["question"] or s["heading"]) for s in sections]
    sizes = [len(tokens) for tokens in tokenizer.token_offsets(contexts)]
    offsets = tokenizer.token_offsets([s["text"] for s in sections])
    rows = []
    for section, size, tokens in zip(sections, sizes, offsets, strict=True):
        parts = chunks(section["id"], section["text"], tokens, size, tokenizer.max_tokens)
        rows.append({"section": section["id"], "chunks": [asdict(part) for part in parts], "voice": _voice(section)})
    return rows


def _voice(section: dict[str, Any]) -> str | None:
    """Hash what a label's section says of its medicine, without names, numbers of products and addresses."""
    if not section["about"]:
        return None
    names = {word for name in section["called"] for word in _RULES["word"].findall(name.lower())}
    said = _RULES["word"].findall(_RULES["address"].sub(" ", section["text"].lower()))
    key = "\0".join((*section["about"], " ".join(word for word in said if word not in names)))
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def chunks(section: str, text: str, tokens: Sequence[Span], context_tokens: int, max_tokens: int) -> list[Chunk]:
    """Cut a section into chunks, in order, that fit an encoder together with their context; nothing is left out.

    Tokens are given by their offsets; of what the encoder reads, special ones are part.
    """
    room = max_tokens - SPECIAL_TOKENS - min(context_tokens, int(max_tokens * MAX_CONTEXT_RATE))
    starts = [start for start, _ in tokens]
    pieces = [piece for span in sentences(text) for piece in _fitting(text, span, tokens, starts, room)]
    cut: list[Chunk] = []
    for start, end in _packed(pieces, room):
        position = len(cut) + 1
        part = text[start:end]
        key = f"{section}\0{position}\0{part}".encode("utf-8", "surrogatepass")
        cut.append(Chunk(hashlib.blake2b(key, digest_size=16).hexdigest(), position, start, end, part))
    return cut


def _fitting(
    text: str, span: Span, tokens: Sequence[Span], starts: Sequence[int], room: int
) -> Iterator[tuple[int, int, int]]:
    """Yield a sentence with its number of tokens, cut between words when it is too long by itself."""
    first, last = bisect_left(starts, span[0]), bisect_left(starts, span[1])
    start = span[0]
    while last - first > room:
        cut = _last_cut(text, tokens, first, first + room)
        yield start, tokens[cut - 1][1], cut - first
        first, start = cut, tokens[cut][0]
    if last > first:
        yield start, span[1], last - first


def _last_cut(text: str, tokens: Sequence[Span], first: int, last: int) -> int:
    """Find the last token that a piece can start at: behind a blank, or else not within a word, or else any."""
    cuts = range(last, first + 1, -1)
    apart = (cut for cut in cuts if tokens[cut][0] > tokens[cut - 1][1])
    # A word that is cut makes other tokens, perhaps more of them.
    whole = (cut for cut in cuts if not (text[tokens[cut][0]].isalnum() and text[tokens[cut - 1][1] - 1].isalnum()))
    return next(apart, None) or next(whole, last)


def _packed(pieces: Sequence[tuple[int, int, int]], room: int) -> Iterator[Span]:
    """Join neighbouring pieces evenly: as few chunks as fit, of about the same size."""
    total = sum(size for *_, size in pieces)
    target = total / max(1, -(-total // room))
    start, end, used = -1, -1, 0
    for piece_start, piece_end, size in pieces:
        if used and (used + size > room or used >= target):
            yield start, end
            used = 0
        if not used:
            start = piece_start
        end, used = piece_end, used + size
    if used:
        yield start, end


EMBED_BATCH: Final = 1024  # vectors a transaction
SAME: Final = "give workers the same medgraph and model"  # what mends vectors that are none of the encoder's


def index_embeddings(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> tuple[int, int]:
    """Embed chunks and questions without a vector of this encoder, and count both; then wait for the indexes."""
    stale = database.read(catalogue.get("count_unembedded"), model=encoder.name)[0]
    made = _embed(database, encoder, "chunk", stale["chunks"], engine)
    asked = _embed(database, encoder, "question", stale["questions"], engine)
    database.wait_for_indexes()
    return made, asked


def make_anew(database: Database, encoder: TextEncoder) -> None:
    """Forget all vectors and make the vector indexes anew for this encoder; `index_embeddings` fills them."""
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
        given = ((row, row["vector"]) for row in rows)
        stored = [row | {"vector": None if own is None else as_vector(vector_of(own, encoder))} for row, own in given]
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
    """Embed chunks: rows of `id`, `vector`, little-endian float32, and `twin`, which has it where that is None."""
    return _embedded(page, [passage(row) for row in page], encoder)


def embedded_questions(page: list[Row], encoder: TextEncoder) -> list[Row]:
    """Embed questions: rows of `id` and `vector`, little-endian float32."""
    return _embedded(page, [row["text"] for row in page], encoder)


_COMPUTE: Final = {"chunk": embedded_chunks, "question": embedded_questions}


def _embedded(page: list[Row], texts: list[str], encoder: TextEncoder) -> list[Row]:
    twins = [row.get("twin") for row in page]
    distinct = list(dict.fromkeys(text for text, twin in zip(texts, twins, strict=True) if not twin))
    encoded = encoder.encode(distinct).astype("<f4", copy=False) if distinct else ()
    vectors = dict(zip(distinct, (row.tobytes() for row in encoded), strict=True))
    return [
        {"id": row["id"], "vector": None if twin else vectors[text], "twin": twin}
        for row, text, twin in zip(page, texts, twins, strict=True)
    ]


def passage(row: dict[str, Any]) -> str:
    """Write a chunk, with its title and its question or heading, as it is embedded."""
    return f"{context(row['title'], row['question'])}\n{row['text']}"


def index_sentences(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> int:
    """Embed the sentences of sections without their vectors; EncoderMismatchError for anything else from a worker."""
    model, write = sentences_by(encoder.name), catalogue.get("write_sentence_vectors")
    total = database.read(catalogue.get("count_unembedded_sections"), model=model)[0]["sections"]
    step = Step("sentences", f"{model}:{encoder.precision}", embedded_sections, writers=2)

    def store(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if not row.get("twin"):
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
    """Embed sections' sentences: rows of `id`, `vectors` as `pack` writes them, and the number of `sentences`.

    A section with a `twin`, which has them already, has no vectors here.
    """
    found = [[] if section.get("twin") else candidates(0, section["text"]) for section in sections]
    texts = [
        [as_encoded(section["title"], one.text) for one in each] for section, each in zip(sections, found, strict=True)
    ]
    distinct = list(dict.fromkeys(text for each in texts for text in each))
    places = {text: place for place, text in enumerate(distinct)}
    vectors = encoder.encode(distinct) if distinct else np.zeros((0, encoder.dimension), dtype=np.float32)
    return [
        {
            "id": section["id"],
            "vectors": None
            if (twin := section.get("twin"))
            else pack([(one.start, one.end) for one in each], vectors[[places[text] for text in told]]),
            "sentences": len(each),
            "twin": twin,
        }
        for section, each, told in zip(sections, found, texts, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Indexed:
    """What was made: chunks that were cut, and how many chunks, questions and sentences the encoder gave vectors."""

    encoder: str
    chunks: int
    embedded_chunks: int
    embedded_questions: int
    embedded_sentences: int

    def summary(self) -> str:
        """Say it in a sentence."""
        embedded = (
            f"{counted(self.embedded_chunks, 'chunk')}, {counted(self.embedded_questions, 'question')}"
            f" and {counted(self.embedded_sentences, 'sentence')}"
        )
        return f"{counted(self.chunks, 'chunk')} made; {embedded} embedded by {self.encoder}"


def index(
    database: Database, encoder: TextEncoder, what: str, *, rebuild: bool = False, engine: Engine = LOCAL
) -> Indexed:
    """Cut and embed what is new or stale: `chunks`, `embeddings` or `all`; a rebuild forgets all vectors first.

    Raises:
        SchemaMissingError: The schema has not been applied.
        EncoderMismatchError: The graph's vectors are from another encoder, and it is not a rebuild.
    """
    if rebuild:
        make_anew(database, encoder)
    migrate.check(database, encoder.name, encoder.dimension)
    made = index_chunks(database, encoder, engine) if what != "embeddings" else 0
    if what == "chunks":
        return Indexed(encoder.name, made, 0, 0, 0)
    embedded = index_embeddings(database, encoder, engine)
    return Indexed(encoder.name, made, *embedded, index_sentences(database, encoder, engine))


def index_second(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> Indexed:
    """Make another encoder's vectors and indexes; InputError where it serves, or a third one's stand beside."""
    serving, *others = migrate.recorded_encoders(database)
    if serving.name == encoder.name:
        raise InputError(f"{encoder.name} serves already; name another encoder")
    for other in others:
        if other.name != encoder.name:
            raise InputError(f"vectors of {other.name} stand beside; run: medgraph index switch --drop {other.name}")
    slot = catalogue.SECOND_SLOT if serving.slot == catalogue.FIRST_SLOT else catalogue.FIRST_SLOT
    beside = database.in_slot(slot)
    noted = catalogue.get("record_encoder_beside")
    database.write(noted, name=encoder.name, dimension=encoder.dimension, slot=slot)
    for rule in _rules(slot):
        migrate.create(beside, rule.statement, encoder.dimension)
    embedded = index_embeddings(beside, encoder, engine)
    return Indexed(encoder.name, 0, *embedded, index_sentences(beside, encoder, engine))


def switch(database: Database, encoder: TextEncoder) -> None:
    """Let an encoder serve whose vectors stand beside, or complete that; InputError where it lacks some or all."""
    serving = migrate.recorded_encoder(database)
    if serving is None or serving.name != encoder.name:
        beside = _second_model(database, encoder.name)
        left = database.in_slot(beside.slot).read(catalogue.get("count_unembedded"), model=encoder.name)[0]
        if any(left.values()):
            raise InputError(
                f"{left['chunks']:,} chunks and {left['questions']:,} questions have no vector of {encoder.name} yet; "
                f"run: medgraph index embeddings --encoder {encoder.name} --beside"
            )
        database.write(catalogue.get("switch_encoders"))
    database.run(catalogue.get("adopt_chunks"), cut=cut_by(encoder))


def drop(database: Database, name: str) -> None:
    """Drop vectors and indexes of an encoder, or complete that; InputError where it serves, or there are none of it."""
    if migrate.recorded_encoders(database)[0].name == name:
        raise InputError(f"{name} serves; let another one serve first: medgraph index switch NEW")
    beside = database.in_slot(_second_model(database, name).slot)
    for rule in _rules(beside.slot or catalogue.FIRST_SLOT):
        migrate.clear(database, rule)
    beside.run(catalogue.get("clear_embeddings"))
    database.write(catalogue.get("forget_encoder_beside"))


def _second_model(database: Database, name: str) -> Model:
    for model in migrate.recorded_encoders(database)[1:]:
        if model.name == name:
            return model
    raise InputError(f"no vectors of {name} stand beside; run: medgraph index embeddings --encoder {name} --beside")


def _rules(slot: str) -> list[Rule]:
    """Give the indexes of vectors, and of what vectors are by, in a place."""
    return [rule for name, rule in migrate.declared(slot=slot).items() if "_embedding" in name]
