"""What tests of answers share: something that answers, from the sample or from documents of a test's own."""

import json

import pytest

from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.answers import answerer_of


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


@pytest.fixture
def load(database, encoder, settings, tmp_path):
    """Loads documents of one's own into an empty graph, and gives what answers from them."""

    def loaded(documents):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        load_named(database, settings, "documents", path)
        index(database, encoder, "all")
        return answerer_of(database, encoder)

    return loaded
