"""Another encoder while the graph serves: made beside, compared, switched to at once, and the former one dropped."""

import threading

import pytest

from medgraph.api.app import create_app
from medgraph.embeddings.index import drop, index, index_second, switch
from medgraph.errors import DatabaseUnavailableError, EncoderMismatchError, InputError
from medgraph.graph import catalogue
from medgraph.queries.question_files import compare_encoders
from medgraph.queries.retriever import Retriever
from medgraph.schema import migrate
from tests.support import servers
from tests.support.encoders import OtherEncoder, give_back
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.service import service_over

VECTORS = "MATCH (c:Chunk) RETURN count(c) AS all, count(c.embedding) AS first, count(c.embedding_b) AS second"


@pytest.fixture
def clean(graph):
    """Gives the graph its own encoder alone back, whatever a test has done."""
    yield
    give_back(graph)


def test_statements_are_written_for_a_place():
    text = "CREATE VECTOR INDEX chunk_embedding IF NOT EXISTS FOR (n) ON n.embedding"
    assert catalogue.renamed(text, catalogue.FIRST_SLOT) == text
    assert catalogue.renamed(text, "_b").endswith("INDEX chunk_embedding_b IF NOT EXISTS FOR (n) ON n.embedding_b")
    assert catalogue.renamed("RETURN s.sentence_model AS sentence_model", "_b") == (
        "RETURN s.sentence_model_b AS sentence_model"
    )
    assert catalogue.renamed(catalogue.renamed(text, "_b"), "_b") == catalogue.renamed(text, "_b")


def test_another_encoder_is_made_beside_and_switched_to_while_requests_come(
    database, encoder, loaded, server, clean, monkeypatch
):
    index(database, encoder, "all")
    other = OtherEncoder(encoder)
    with pytest.raises(InputError, match="no vectors of other stand beside; run: medgraph index embeddings --encoder"):
        switch(database, other)

    with servers.connect(server) as serving:
        client = create_app(service_over(serving, lambda: encoder, names_of(serving))).test_client()
        statuses, ended = [], threading.Event()

        def ask():
            while not ended.is_set():
                statuses.append(client.post("/v1/search", json={"q": "airways"}).status_code)
                statuses.append(client.get("/readyz").status_code)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            with monkeypatch.context() as patch:
                patch.setattr("medgraph.embeddings.index.index_sentences", away)
                with pytest.raises(DatabaseUnavailableError):
                    index_second(database, other)
            encoded = len(other.texts)
            made = index_second(database, other)
            assert (made.embedded_chunks, made.embedded_questions) == (0, 0)
            assert encoded == len(set(other.texts[:encoded])) > 0
            counts = run(database, VECTORS)[0]
            assert counts["first"] == counts["second"] == counts["all"] > 0
            rows = list(compare_encoders(database, [encoder, other], names_of(database), [("q1", "airways")]))
            assert rows[0].keys() == {"question", "shared", "first", "before", "after"}
            switch(database, other)
            switch(database, other)
        finally:
            ended.set()
            asking.join()
    assert set(statuses) == {200}
    assert len(statuses) > 4

    with servers.connect(server) as anew:
        assert index(anew, other, "all").summary().startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences")
        assert anew.slot == catalogue.SECOND_SLOT
        found = Retriever(anew, lambda: other, names_of(anew)).search("airways", mode="semantic", top_k=50)
        assert len(found) >= 3
        drop(anew, encoder.name)
        with pytest.raises(InputError, match="no vectors of all-MiniLM-L6-v2 stand beside"):
            drop(anew, encoder.name)
        assert run(database, VECTORS)[0]["first"] == 0
        assert migrate.apply(anew, other.name, other.dimension, lambda _: None) == []
        names = {row["name"] for row in run(anew, "SHOW VECTOR INDEXES YIELD name RETURN name")}
        assert names == {"chunk_embedding_b", "question_embedding_b"}
        with pytest.raises(EncoderMismatchError, match=r"from other \(8 dimensions\), not from all-MiniLM-L6-v2"):
            index(anew, encoder, "all")


def away(*_):
    raise DatabaseUnavailableError("away")
