"""Sections into chunks that an encoder reads whole: cut at sentence ends, counted in its own tokens."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..graph import catalogue
from ..graph.engine import LOCAL, Step
from ..progress import progress
from ..text import context, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..graph.database import Database
    from ..graph.engine import Engine

    Span = tuple[int, int]

VERSION: Final = 1  # raised when the rules below change, so that chunks made by older ones count as stale
SECTION_BATCH: Final = 200  # sections a transaction
SPECIAL_TOKENS: Final = 2  # tokens that an encoder puts around a text
MAX_CONTEXT_RATE: Final = 0.4  # the share of what an encoder reads that title and heading may take


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences of a section; its id depends on section, position (from 1) and text alone."""

    id: str
    position: int
    start: int
    end: int
    text: str


class Tokenizer(Protocol):
    """What chunking needs of an encoder: how it counts, and how much it reads."""

    @property
    def name(self) -> str:
        """The encoder's name."""
        ...

    @property
    def max_tokens(self) -> int:
        """How many tokens it reads, special ones included."""
        ...

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Give the character offsets of every token of each text, none cut off."""
        ...


def cut_by(tokenizer: Tokenizer) -> str:
    """Name how sections are cut for an encoder."""
    return f"{VERSION}:{tokenizer.name}:{tokenizer.max_tokens}"


def index_chunks(database: Database, tokenizer: Tokenizer, engine: Engine = LOCAL) -> int:
    """Cut every section of the graph that has no chunks, or chunks of another cut, for an encoder.

    Raises:
        DatabaseError: The database went away; what was committed stays, and a second call goes on.
    """
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


def cut_sections(sections: list[dict[str, Any]], tokenizer: Tokenizer) -> list[dict[str, Any]]:
    """Cut sections: rows of `section` and its `chunks`."""
    contexts = [context(s["title"], s["question"] or s["heading"]) for s in sections]
    sizes = [len(tokens) for tokens in tokenizer.token_offsets(contexts)]
    offsets = tokenizer.token_offsets([s["text"] for s in sections])
    rows = []
    for section, size, tokens in zip(sections, sizes, offsets, strict=True):
        parts = chunks(section["id"], section["text"], tokens, size, tokenizer.max_tokens)
        rows.append({"section": section["id"], "chunks": [asdict(part) for part in parts]})
    return rows


def chunks(section: str, text: str, tokens: Sequence[Span], context_tokens: int, max_tokens: int) -> list[Chunk]:
    """Cut a section into chunks, in order, that fit an encoder together with their context; nothing is left out.

    Args:
        tokens: Offsets of every token of the text, as the encoder cuts it.
        context_tokens: How many tokens the context takes.
        max_tokens: How many the encoder reads, special ones included.
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
