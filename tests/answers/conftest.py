"""What tests of answers share: something that answers, from the sample or from documents of a test's own."""

import contextlib
import json

import pytest

from medgraph.answers.answerer import GRAPH, Answerer
from medgraph.answers.graph_facts import GraphFacts
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from tests.support.answers import answerer_of
from tests.support.joined import joined
from tests.support.linking import names_of
from tests.support.written import written_by


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


@pytest.fixture
def told(graph, settings, tmp_path):
    """Answers from the relations of a small graph of three sources."""
    database = joined(graph, settings, tmp_path)
    names = names_of(database)
    return Answerer(Retriever(database, refuse, names), refuse, composer=GRAPH, facts=GraphFacts(database))


def refuse():
    raise AssertionError("facts need no encoder")


@pytest.fixture
def written(sample_graph, encoder, settings, monkeypatch, tmp_path):
    """Gives what answers from the sample in the words of a server that follows steps, and the server."""
    with contextlib.ExitStack() as stack:

        def made(*steps, **more):
            return stack.enter_context(
                written_by(sample_graph, encoder, settings, monkeypatch, tmp_path, *steps, **more)
            )

        yield made
