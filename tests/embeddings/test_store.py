"""Vectors: whatever is new or stale, and only that; resumable; and never another encoder's."""

import json

import pytest

from medgraph.embeddings.index import Indexed, index
from medgraph.errors import EncoderMismatchError
from medgraph.queries.retriever import Retriever
from tests.support.encoders import DOCUMENTS, OtherEncoder, chunks_of
from tests.support.graphs import run, state_of
from tests.support.linking import names_of


def test_a_changed_document_is_embedded_anew_and_no_other(database, counting, loaded):
    index(database, counting, "all")
    before = {row["id"] for d in "abc" for row in chunks_of(database, d)}
    counting.texts.clear()
    changed = replace_text(DOCUMENTS, "b", "Gout hurts, mostly at night.")
    loaded(changed)
    assert index(database, counting, "all") == Indexed("all-MiniLM-L6-v2", 1, 1, 1, 1)
    told = "Gout hurts, mostly at night."
    assert counting.texts == [f"What is gout?\n{told}", "What is gout?", f"Gout: {told}"]
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
    assert len(Retriever(database, lambda: other, names_of(database)).search("airways", mode="semantic", top_k=50)) >= 3
    with pytest.raises(EncoderMismatchError, match=r"from other \(8 dimensions\), not from all-MiniLM-L6-v2 \(384\)"):
        index(database, encoder, "all")
    index(database, other, "all")
    assert max(row["end"] - row["start"] for row in chunks_of(database, "a")) < max(r["end"] - r["start"] for r in rows)


def test_killed_in_the_middle_it_goes_on_where_it_stopped(database, counting, loaded, kill_indexing):
    parts = [{"question": f"What is number {i}?", "text": f"Number {i} is a sort of wheeze."} for i in range(60)]
    loaded([{"id": "many", "title": "Many", "sections": parts}])
    index(database, counting, "chunks")
    total = run(database, "MATCH (c:Chunk) RETURN count(c) AS n")[0]["n"]
    done = "MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN count(c) AS n"
    kill_indexing("store.EMBED_BATCH", done)
    vectors = "MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN c.id AS id, c.embedding AS vector"
    before = {row["id"]: row["vector"] for row in run(database, vectors)}
    assert 8 <= len(before) < total
    assert len(before) % 4 == 0
    made = index(database, counting, "all")
    assert (made.chunks, made.embedded_chunks) == (0, total - len(before))
    assert sum("\n" in text for text in counting.texts) == total - len(before)
    after = {row["id"]: row["vector"] for row in run(database, vectors)}
    assert {name: after[name] for name in before} == before
    assert len(after) == total
    assert Retriever(database, lambda: counting, names_of(database)).search("What is number 7?")[0].section == "many#8"
