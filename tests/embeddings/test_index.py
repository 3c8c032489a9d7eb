"""Indexing: chunks and vectors of whatever is new, one step or both."""

import itertools

import numpy as np

from medgraph.embeddings.index import Indexed, index
from medgraph.text import context
from tests.support.encoders import DOCUMENTS, chunks_of
from tests.support.graphs import run, state_of


def test_chunks_are_spans_of_their_section_in_order_and_embedded_with_their_context(database, encoder, loaded):
    assert index(database, encoder, "all").embedded_questions == 2
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
    assert index(database, counting, "all") == Indexed("all-MiniLM-L6-v2", 0, 0, 0, 0)
    assert counting.texts == []
    assert state_of(database) == before
