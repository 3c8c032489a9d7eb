"""Documents to cut and embed."""

import json

import pytest

from medgraph.embeddings import store
from medgraph.graph import catalogue
from medgraph.loaders.commands import load_named
from medgraph.schema.migrate import Model
from tests.support.encoders import DOCUMENTS, Counting
from tests.support.schemas import ENCODER


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
    store.rebuild(graph, Model(*ENCODER))
