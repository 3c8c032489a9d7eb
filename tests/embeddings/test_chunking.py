"""Chunks: whole sentences that fit the encoder, nothing left out, and the same ones when cut again."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings import index
from medgraph.embeddings.index import SPECIAL_TOKENS, chunks, index_chunks
from medgraph.loaders.base import Row
from medgraph.loaders.life.load import Task, load
from medgraph.loaders.sources import documents
from medgraph.schema.records import Document, Section, SourceInfo
from medgraph.text import sentences
from tests.support.graphs import run

PIECES = [
    "asthma",
    "a",
    "pneumonoultramicroscopic",
    "…",
    "喘息",
    "😀",
    "e\u0301",
    ".",
    "?",
    "\n\n",
    "\n- ",
    " ",
    "   B",
    ",",
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=80).map("".join)


class PieceTokenizer:
    """Counts as word-piece encoders do: marks are tokens, and long words are several that touch."""

    name = "pieces"

    def __init__(self, max_tokens=16, piece=5):
        self.max_tokens = max_tokens
        self.piece = piece

    def token_offsets(self, texts):
        return [
            [
                (start, min(start + self.piece, word.end()))
                for word in re.finditer(r"\w+|[^\w\s]", text)
                for start in range(word.start(), word.end(), self.piece)
            ]
            for text in texts
        ]


def cut(text, context_tokens=3, max_tokens=16, piece=5):
    tokens = PieceTokenizer(piece=piece).token_offsets([text])[0]
    return tokens, chunks("s", text, tokens, context_tokens, max_tokens)


@given(text=TEXTS, context_tokens=st.integers(0, 40), max_tokens=st.integers(8, 40), piece=st.integers(1, 8))
def test_chunks_cover_every_token_and_never_exceed_the_limit(text, context_tokens, max_tokens, piece):
    tokens, found = cut(text, context_tokens, max_tokens, piece)
    room = max_tokens - SPECIAL_TOKENS - min(context_tokens, int(0.4 * max_tokens))
    covered = []
    for number, chunk in enumerate(found, 1):
        inside = [(start, end) for start, end in tokens if chunk.start <= start and end <= chunk.end]
        assert 0 < len(inside) <= room
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.position == number
        covered += inside
    assert covered == tokens
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert len({chunk.id for chunk in found}) == len(found)


@given(text=TEXTS, max_tokens=st.integers(8, 40))
def test_chunks_begin_and_end_with_sentences_where_these_fit(text, max_tokens):
    tokens, found = cut(text, 0, max_tokens)
    for chunk in found:
        for start, end in sentences(text):
            inside = [t for t in tokens if start <= t[0] < end]
            if len(inside) <= max_tokens - SPECIAL_TOKENS:
                assert not start < chunk.start < end
                assert not start < chunk.end < end
    if tokens and len(tokens) <= max_tokens - SPECIAL_TOKENS:
        assert len(found) == 1


@pytest.mark.thorough
def test_a_text_of_five_megabytes_is_cut_whole():
    text = "Asthma makes breathing hard. " * 172_414
    tokens = [match.span() for match in re.finditer(r"\w+|\.", text)]
    found = chunks("s", text, tokens, 10, 256)
    assert sum(chunk.text.count(".") for chunk in found) == 172_414


def test_the_real_encoder_reads_every_chunk_whole(encoder):
    chance = random.Random(1)
    words = (
        "pneumonoultramicroscopicsilicovolcanoconiosis hydroxychloroquine a 痛風 😀 é ﬁ İ ½ 123456 https www".split()
    )
    blanks = [["-"], ["/", " "], [""], [".", " "]]
    texts = ["".join(w + chance.choice(between) for w in chance.choices(words, k=600)) for between in blanks]
    texts += [mark * 2000 for mark in "-.😀痛éx"]
    for text in [*texts, "Asthma is common. " * 200]:
        tokens = encoder.token_offsets([text])[0]
        for heading in ["Asthma", "Asthma that wakes people at night. " * 20]:
            size = len(encoder.token_offsets([heading])[0])
            found = chunks("s", text, tokens, size, encoder.max_tokens)
            assert "".join(chunk.text for chunk in found).replace(" ", "") == text.replace(" ", "")
            room = encoder.max_tokens - SPECIAL_TOKENS - min(size, int(0.4 * encoder.max_tokens))
            assert max(len(t) for t in encoder.token_offsets([chunk.text for chunk in found])) <= room


# In the graph


def load_texts(database, tmp_path, texts):
    rows = [
        Row(Document(f"d{n}", "Asthma", sections=(Section(f"d{n}#1", text, "causes", question="Why?"),)), "f", n)
        for n, text in enumerate(texts)
    ]
    source = documents.Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), lambda _: iter(rows), lambda _: len(rows))
    path = tmp_path / "file"
    path.write_text(repr(texts), encoding="utf-8")
    load(database, Task(source, path, source.info, tmp_path))


def stored(database):
    return run(
        database,
        "MATCH (s:Section) OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c) WITH s, c ORDER BY c.position "
        "RETURN s.id AS section, s.text AS text, collect(c {.id, .position, .start, .end, .text, .type, .source, "
        ".embedding}) AS chunks ORDER BY section",
    )


TEXTS_OF_A_GRAPH = ["Asthma is common. " * 20, "Short.", "喘息は慢性の病気です。" * 9, "…" * 50]


def test_sections_are_cut_once_and_chunks_are_linked(database, tmp_path):
    load_texts(database, tmp_path, TEXTS_OF_A_GRAPH)
    made = index_chunks(database, PieceTokenizer())
    rows = stored(database)
    for row in rows:
        assert [c["position"] for c in row["chunks"]] == list(range(1, len(row["chunks"]) + 1))
        assert all(row["text"][c["start"] : c["end"]] == c["text"] for c in row["chunks"])
        assert all((c["type"], c["source"]) == ("causes", "own") for c in row["chunks"])
    assert made == sum(len(row["chunks"]) for row in rows) > len(rows)
    pairs = run(database, "MATCH (a:Chunk)-[:NEXT]->(b) RETURN a.id AS a, b.id AS b")
    expected = [(a["id"], b["id"]) for row in rows for a, b in pairwise(row["chunks"])]
    assert sorted((p["a"], p["b"]) for p in pairs) == sorted(expected)
    assert index_chunks(database, PieceTokenizer()) == 0


def test_another_encoder_cuts_anew_and_keeps_what_stays_the_same(database, tmp_path):
    load_texts(database, tmp_path, TEXTS_OF_A_GRAPH)
    index_chunks(database, PieceTokenizer())
    before = {c["id"] for row in stored(database) for c in row["chunks"]}
    run(database, "MATCH (c:Chunk) SET c.embedding_model = 'm'")
    index_chunks(database, PieceTokenizer(24))
    rows = stored(database)
    after = {c["id"] for row in rows for c in row["chunks"]}
    kept = {r["id"] for r in run(database, "MATCH (c:Chunk {embedding_model: 'm'}) RETURN c.id AS id")}
    assert kept == before & after
    assert kept
    assert before - after
    expected = [(a["id"], b["id"]) for row in rows for a, b in pairwise(row["chunks"])]
    pairs = run(database, "MATCH (a:Chunk)-[:NEXT]->(b) RETURN a.id AS a, b.id AS b")
    assert sorted((p["a"], p["b"]) for p in pairs) == sorted(expected)


def test_chunking_that_was_interrupted_goes_on(database, tmp_path, monkeypatch):
    monkeypatch.setattr(index, "SECTION_BATCH", 2)
    load_texts(database, tmp_path, TEXTS_OF_A_GRAPH)

    class Interrupted(PieceTokenizer):
        def token_offsets(self, texts):
            if any("喘" in text for text in texts):
                raise KeyboardInterrupt
            return super().token_offsets(texts)

    with pytest.raises(KeyboardInterrupt):
        index_chunks(database, Interrupted())
    assert [bool(row["chunks"]) for row in stored(database)] == [True, True, False, False]
    index_chunks(database, PieceTokenizer())
    interrupted = stored(database)
    run(database, "MATCH (c:Chunk) DETACH DELETE c")
    run(database, "MATCH (s:Section) REMOVE s.chunked")
    index_chunks(database, PieceTokenizer())
    assert stored(database) == interrupted
