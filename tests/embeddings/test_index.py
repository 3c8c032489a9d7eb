"""Indexing: chunks and vectors of whatever is new or stale, in one step or several, here or by workers."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.embeddings.candidate_sentences import candidates, pack, sentences_by, unpack
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.index import Indexed, embedded_chunks, embedded_questions, index, vector_of
from medgraph.errors import EncoderMismatchError
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from medgraph.text import context
from tests.support.encoders import DOCUMENTS, LONG, OtherEncoder, chunks_of
from tests.support.graphs import run, state_of
from tests.support.linking import names_of


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


def test_what_another_label_says_word_for_word_is_not_encoded_again(database, counting, settings, tmp_path):
    said = "ADVERSE REACTIONS The most common adverse reactions are headache and cough. They go away by themselves."
    maker = "HOW SUPPLIED Tablets of 10 mg are made by {} in bottles of a hundred."

    def load(*makers):
        path = tmp_path / "labels.json"
        labels = [
            {
                "set_id": f"00000000-0000-0000-0000-{number:012}",
                "id": str(number),
                "version": "1",
                "effective_time": "20240301",
                "openfda": {"generic_name": ["LISINOPRIL"], "brand_name": ["X"], "manufacturer_name": [name]},
                "adverse_reactions": [said],
                "how_supplied": [maker.format(name)],
            }
            for number, name in enumerate(makers)
        ]
        path.write_text(json.dumps({"results": labels}), encoding="utf-8")
        load_named(database, settings, "openfda", path)
        counting.texts.clear()
        return index(database, counting, "all")

    load("Acme")
    assert sum("headache" in text for text in counting.texts) == 2  # the chunk, and its sentence
    load("Acme", "Bolt")
    assert counting.texts
    assert all("Bolt" in text for text in counting.texts)
    held = (
        "MATCH (s:Section)-[:HAS_CHUNK]->(c) RETURN s.voice AS voice, c.embedding AS vector, s.sentence_vectors AS own"
    )
    rows = [row for row in run(database, held) if row["vector"] and row["own"]]
    assert len(rows) == 4
    effects = [row for row in rows if [other["vector"] for other in rows].count(row["vector"]) == 2]
    assert len(effects) == 2
    assert effects[0] == effects[1]


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
    kill_indexing("index.EMBED_BATCH", done)
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


KEPT = (
    "MATCH (s:Section) RETURN s.id AS id, s.title AS title, s.text AS text, s.sentence_model AS model, "
    "s.sentence_vectors AS vectors ORDER BY id"
)


@given(
    st.lists(st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)), max_size=9),
    st.integers(1, 40),
    st.integers(0, 99),
)
def test_what_is_packed_comes_back_nearly_the_same(spans, dimension, seed):
    vectors = np.random.default_rng(seed).normal(size=(len(spans), dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = pack(spans, vectors)
    assert len(kept) == len(spans) * (12 + dimension)
    places, found = unpack(kept, dimension)
    assert places == spans
    assert found.shape == (len(spans), dimension)
    assert np.abs(found - vectors).max(initial=0.0) <= 0.5 / 127 + 1e-6


def test_each_sentence_has_the_vector_that_encoding_gives(database, encoder, loaded):
    made = index(database, encoder, "all").embedded_sentences
    rows = run(database, KEPT)
    count = 0
    for row in rows:
        spans, vectors = unpack(row["vectors"], encoder.dimension)
        found = candidates(0, row["text"])
        assert (row["model"], spans) == (sentences_by(encoder.name), [(one.start, one.end) for one in found])
        if found:
            expected = encoder.encode([f"{row['title']}: {one.text}" for one in found])
            assert (vectors * expected).sum(axis=1).min() > 0.995
        count += len(found)
    assert made == count == 81


def test_another_encoder_makes_them_anew(database, encoder, loaded, restored):
    index(database, encoder, "all")
    other = OtherEncoder(encoder)
    assert index(database, other, "embeddings", rebuild=True).embedded_sentences == 81
    assert {row["model"] for row in run(database, KEPT)} == {sentences_by("other")}
    assert {len(row["vectors"]) % (12 + 8) for row in run(database, KEPT)} == {0}


@pytest.mark.thorough
def test_killed_in_the_middle_it_goes_on_where_it_stopped_of_sentence_vectors(
    database, counting, loaded, kill_indexing
):
    parts = [{"heading": f"Number {i}", "text": f"Number {i} is a sort of wheeze."} for i in range(60)]
    loaded([{"id": "many", "title": "Many", "sections": parts}])
    done = "MATCH (s:Section) WHERE s.sentence_model IS NOT NULL RETURN count(s) AS n"
    kill_indexing("index.SECTION_BATCH", done)
    before = run(database, done)[0]["n"]
    total = run(database, "MATCH (s:Section) RETURN count(s) AS n")[0]["n"]
    assert 8 <= before < total
    assert before % 4 == 0
    counting.texts.clear()
    made = index(database, counting, "all")
    assert sum(": " in text for text in counting.texts) == made.embedded_sentences > 0
    assert run(database, done)[0]["n"] == total


SENTENCES = LONG.split(". ")


@pytest.fixture(scope="module")
def elsewhere(request):
    """The encoder as a worker has it."""
    return load_encoder(replace(request.getfixturevalue("settings"), threads=1, precision="f32"))


@given(st.lists(st.integers(0, len(SENTENCES) - 1), min_size=1, max_size=40), st.integers(1, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
def test_a_worker_gives_the_bytes_that_are_made_here(encoder, elsewhere, drawn, size):
    rows = [{"id": f"{n:03}", "title": "T", "question": "Q?", "text": SENTENCES[s]} for n, s in enumerate(drawn)]
    for start in range(0, len(rows), size):
        page = rows[start : start + size]
        for compute in (embedded_chunks, embedded_questions):
            assert compute(page, elsewhere) == compute(page, encoder)


def test_a_vector_of_another_length_is_refused(encoder):
    (row,) = embedded_questions([{"id": "q", "text": "What is gout?"}], OtherEncoder(encoder))
    with pytest.raises(
        EncoderMismatchError, match=r"a worker gave a vector of 8 dimensions, and .* has 384; give workers"
    ):
        vector_of(row["vector"], encoder)
