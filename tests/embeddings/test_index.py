"""Indexing: whatever is new or stale, and only that; resumable; and never with another encoder's vectors."""

import itertools
import json
import subprocess
import sys
import time

import numpy as np
import pytest

from medgraph.embeddings import store
from medgraph.embeddings.index import index
from medgraph.errors import EncoderMismatchError
from medgraph.graph import catalogue
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from medgraph.text import context
from tests.support.graphs import run, state_of

REAL = ("all-MiniLM-L6-v2", 384)
LONG = " ".join(f"Sentence {i} says that the airways of patient number {i} were narrow and red." for i in range(80))
DOCUMENTS = [
    {
        "id": "a",
        "title": "Asthma",
        "sections": [{"question": "What is asthma?", "text": LONG}, {"text": "It comes and goes."}],
    },
    {"id": "b", "title": "Gout", "sections": [{"question": "What is gout?", "text": "Gout hurts."}]},
    {"id": "c", "title": "Silence", "sections": [{"text": "…"}]},
]


class OtherEncoder:
    """Another encoder of another size: real enough to fill a graph, and plain to tell apart."""

    name, dimension, max_tokens = "other", 8, 64

    def __init__(self, encoder):
        self.token_offsets = encoder.token_offsets
        self.texts = []

    def encode(self, texts):
        self.texts.extend(texts)
        vectors = np.random.default_rng(0).normal(size=(len(texts), self.dimension)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Counting:
    """The real encoder, with a note of what it was given."""

    def __init__(self, encoder):
        self._encoder = encoder
        self.texts = []

    def __getattr__(self, name):
        return getattr(self._encoder, name)

    def encode(self, texts):
        self.texts.extend(texts)
        return self._encoder.encode(texts)


@pytest.fixture
def counting(encoder):
    return Counting(encoder)


@pytest.fixture
def loaded(database, settings, tmp_path):
    """Loads documents; called again, it loads what became of them."""

    def load(documents):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        return load_named(database, settings, "documents", path)

    load(DOCUMENTS)
    return load


@pytest.fixture
def restored(graph):
    """Gives the graph its own encoder's indexes back, whatever a test has done."""
    yield
    for name in ("drop_chunk_embedding_index", "drop_question_embedding_index", "clear_embeddings"):
        graph.run(catalogue.get(name))
    store.rebuild(graph, type("Real", (), {"name": REAL[0], "dimension": REAL[1]}))


def chunks_of(database, document):
    return run(
        database,
        "MATCH (:Document {id: $id})-[:HAS_SECTION]->(s)-[:HAS_CHUNK]->(c) "
        "RETURN s.id AS section, s.text AS whole, c.id AS id, "
        "c.text AS text, c.start AS start, c.end AS end, c.position AS position, c.embedding AS vector, "
        "c.embedding_model AS model, c.source AS source, c.type AS type ORDER BY section, position",
        id=document,
    )


def test_chunks_are_spans_of_their_section_in_order_and_embedded_with_their_context(database, encoder, loaded):
    assert index(database, encoder, "all").endswith("2 questions embedded by all-MiniLM-L6-v2")
    rows = chunks_of(database, "a")
    assert len(rows) > 4
    for section in ("a#1", "a#2"):
        mine = [row for row in rows if row["section"] == section]
        assert [row["position"] for row in mine] == list(range(1, len(mine) + 1))
        assert all(row["whole"][row["start"] : row["end"]] == row["text"] for row in mine)
        assert " ".join(row["text"] for row in mine) == mine[0]["whole"]
        heads = context("Asthma", "What is asthma?" if section == "a#1" else "")
        expected = encoder.encode([f"{heads}\n{row['text']}" for row in mine])
        assert np.abs(np.array([row["vector"] for row in mine]) - expected).max() < 0.03
    assert {(row["model"], row["source"], row["type"]) for row in rows} == {("all-MiniLM-L6-v2", "documents", "")}
    nexts = run(database, "MATCH (x:Chunk)-[:NEXT]->(y:Chunk) RETURN x.id AS a, y.id AS b ORDER BY x.position")
    first = [row["id"] for row in rows if row["section"] == "a#1"]
    assert [(row["a"], row["b"]) for row in nexts] == list(itertools.pairwise(first))


def test_no_chunk_is_longer_than_the_encoder_reads(sample_graph, encoder):
    rows = run(
        sample_graph,
        "MATCH (s:Section)-[:HAS_CHUNK]->(c) RETURN s.title AS title, s.question AS question, c.text AS text",
    )
    assert len(rows) == 480
    passages = [f"{context(row['title'], row['question'])}\n{row['text']}" for row in rows]
    assert max(len(tokens) for tokens in encoder.token_offsets(passages)) + 2 <= encoder.max_tokens


def test_no_chunk_of_a_long_text_is_cut_off_silently(database, encoder, loaded):
    huge = "word " * 3000 + "é" * 2000 + " " + "Short. " * 500
    loaded(
        [*DOCUMENTS, {"id": "d", "title": "A title " * 30, "sections": [{"heading": "A heading " * 30, "text": huge}]}]
    )
    index(database, encoder, "all")
    for document, title, asked in (("a", "Asthma", "What is asthma?"), ("d", "A title " * 30, "A heading " * 30)):
        rows = [row for row in chunks_of(database, document) if row["section"].endswith("#1")]
        assert len("".join("".join(row["text"].split()) for row in rows)) == len("".join(rows[0]["whole"].split()))
        tokens = encoder.token_offsets([row["text"] for row in rows])
        head = len(encoder.token_offsets([context(title, asked)])[0])
        room = encoder.max_tokens - 2 - min(head, int(0.4 * encoder.max_tokens))
        assert max(map(len, tokens)) <= room


def test_a_second_run_does_nothing(database, counting, loaded):
    index(database, counting, "all")
    assert counting.texts
    before = state_of(database)
    counting.texts.clear()
    assert index(database, counting, "all") == ("0 chunks made; 0 chunks and 0 questions embedded by all-MiniLM-L6-v2")
    assert counting.texts == []
    assert state_of(database) == before


def test_a_text_without_a_word_has_no_chunk_or_one_that_is_embedded(database, encoder, loaded):
    index(database, encoder, "all")
    assert all(row["vector"] for row in chunks_of(database, "c"))
    assert run(database, "MATCH (s:Section) WHERE s.chunked IS NULL RETURN s") == []


def test_chunks_and_embeddings_are_steps_of_their_own(database, counting, loaded):
    made = int(index(database, counting, "chunks").split()[0])
    assert made == len([c for d in "abc" for c in chunks_of(database, d)]) > 5
    assert counting.texts == []
    assert index(database, counting, "embeddings").startswith(f"0 chunks made; {made} chunks and 2 questions embedded")
    assert len(counting.texts) == made + 2


def test_a_changed_document_is_embedded_anew_and_no_other(database, counting, loaded):
    index(database, counting, "all")
    before = {row["id"] for d in "abc" for row in chunks_of(database, d)}
    counting.texts.clear()
    changed = replace_text(DOCUMENTS, "b", "Gout hurts, mostly at night.")
    loaded(changed)
    assert index(database, counting, "all").startswith("1 chunks made; 1 chunks and 1 questions embedded")
    assert counting.texts == ["What is gout?\nGout hurts, mostly at night.", "What is gout?"]
    after = {row["id"] for d in "abc" for row in chunks_of(database, d)}
    assert len(before - after) == len(after - before) == 1
    assert {row["text"] for row in chunks_of(database, "b")} == {"Gout hurts, mostly at night."}


def replace_text(documents, document, text):
    return [d | {"sections": [d["sections"][0] | {"text": text}]} if d["id"] == document else d for d in documents]


def test_repeated_passages_are_encoded_once(database, counting, loaded):
    same = {"title": "Twins", "sections": [{"question": "Who are they?", "text": "They look alike."}]}
    loaded([same | {"id": f"t{i}"} for i in range(5)])
    index(database, counting, "all")
    assert counting.texts.count("Twins. Who are they?\nThey look alike.") == 1
    assert len({json.dumps(chunks_of(database, f"t{i}")[0]["vector"]) for i in range(5)}) == 1


def test_another_encoder_is_refused_until_all_is_rebuilt(database, encoder, loaded, restored):
    index(database, encoder, "all")
    other = OtherEncoder(encoder)
    message = r"the graph's vectors are from all-MiniLM-L6-v2 \(384 dimensions\), not from other \(8\)"
    before = state_of(database)
    for what in ("all", "chunks", "embeddings"):
        with pytest.raises(EncoderMismatchError, match=message) as caught:
            index(database, other, what)
        assert "medgraph index embeddings --rebuild" in str(caught.value)
    assert other.texts == []
    assert state_of(database) == before

    index(database, other, "embeddings", rebuild=True)
    rows = [row for d in "abc" for row in chunks_of(database, d)]
    assert {(row["model"], len(row["vector"])) for row in rows} == {("other", 8)}
    assert run(database, "MATCH (e:Encoder) RETURN e.name AS name, e.dimension AS size") == [
        {"name": "other", "size": 8}
    ]
    assert len(Retriever(database, lambda: other).search("airways", mode="semantic", top_k=50)) >= 3
    with pytest.raises(EncoderMismatchError, match=r"from other \(8 dimensions\), not from all-MiniLM-L6-v2 \(384\)"):
        index(database, encoder, "all")
    index(database, other, "all")
    assert max(row["end"] - row["start"] for row in chunks_of(database, "a")) < max(r["end"] - r["start"] for r in rows)


def test_a_rebuild_with_the_same_encoder_makes_the_same_vectors(database, encoder, loaded):
    index(database, encoder, "all")
    before = [row["vector"] for row in chunks_of(database, "a")]
    done = index(database, encoder, "all", rebuild=True)
    assert done.startswith(
        f"0 chunks made; {len([c for d in 'abc' for c in chunks_of(database, d)])} chunks and 2 questions"
    )
    assert np.abs(np.array(before) - np.array([row["vector"] for row in chunks_of(database, "a")])).max() < 0.03


def test_killed_in_the_middle_it_goes_on_where_it_stopped(database, counting, loaded, environment):
    parts = [{"question": f"What is number {i}?", "text": f"Number {i} is a sort of wheeze."} for i in range(60)]
    loaded([{"id": "many", "title": "Many", "sections": parts}])
    index(database, counting, "chunks")
    total = run(database, "MATCH (c:Chunk) RETURN count(c) AS n")[0]["n"]
    done = "MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN count(c) AS n"
    child = (
        "import time; from medgraph.embeddings import store; from medgraph.cli.main import main\n"
        "def slow(values, pack=store._packed): time.sleep(0.2); return pack(values)\n"
        "store.EMBED_BATCH, store._packed = 4, slow; main(['index'])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", child], env=environment, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while run(database, done)[0]["n"] < 8:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    vectors = "MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN c.id AS id, c.embedding AS vector"
    before = {row["id"]: row["vector"] for row in run(database, vectors)}
    assert 8 <= len(before) < total
    assert len(before) % 4 == 0
    assert index(database, counting, "all").startswith(f"0 chunks made; {total - len(before)} chunks and ")
    assert sum("\n" in text for text in counting.texts) == total - len(before)
    after = {row["id"]: row["vector"] for row in run(database, vectors)}
    assert {name: after[name] for name in before} == before
    assert len(after) == total
    assert Retriever(database, lambda: counting).search("What is number 7?")[0].section == "many#8"
