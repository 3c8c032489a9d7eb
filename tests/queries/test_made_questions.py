"""Questions made for what relations tell: by which names they ask, as what they are read, and which are kept."""

import numpy as np
import pytest

from medgraph.graph import catalogue
from medgraph.linking.names import names_in_use
from medgraph.queries.made_questions import asks_for, make_questions
from medgraph.schema.records import Document, Section
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.loads import Loading

MADE = (
    "MATCH (q:Question {generated: true}) RETURN q.text AS text, q.name AS name, q.named_by AS named_by, q.rank AS rank"
)


@pytest.mark.parametrize(
    ("text", "kind", "meant"),
    [
        ("What can I take for gout?", "treatment", True),
        ("What is gout?", "treatment", False),
        ("What is aspirin used for?", "indication", True),
        ("How does aspirin work?", "how does it work", True),
        ("What are the symptoms of gout?", "information", False),
    ],
)
def test_a_question_must_be_read_as_asking_for_its_kind(text, kind, meant):
    assert asks_for(text, kind) is meant


class Axes:
    """Encodes what says `gout` one way, and all else another."""

    name, dimension, max_tokens = "axes", 384, 256

    def encode(self, texts):
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[int("gout" not in text.lower())] = 1.0
        return vectors


@pytest.fixture
def told(graph, settings, tmp_path):
    """A small graph with two documents of what relations tell, whose chunks have vectors."""
    joined(graph, settings, tmp_path)
    documents = [
        Document(
            f"graph:{concept}/treatment",
            title,
            sections=(Section(f"graph:{concept}/treatment#1", f"Treatments for {title}.", "treatment", "Treatment"),),
            properties=(("told_by", ("mesh",)),),
        )
        for concept, title in (("C0018099", "Gout"), ("DOID:2", "Asthma"), ("C9", "Nothing known"))
    ]
    Loading(tmp_path, graph)(documents, "graph")
    vectors = Axes().encode([f"{one.title}" for one in documents])
    for document, vector in zip(documents, vectors, strict=True):
        run(
            graph,
            "MATCH (s:Section {id: $id}) MERGE (s)-[:HAS_CHUNK]->(c:Chunk {id: $id}) "
            "SET c.source = 'graph', c.embedding = $vector, c.embedding_model = 'axes'",
            id=document.sections[0].id,
            vector=vector.tolist(),
        )
    yield graph
    run(graph, "MATCH (n) WHERE n.source = 'graph' DETACH DELETE n")
    run(graph, "MATCH (n:Source {id: 'graph'}) DETACH DELETE n")


def test_questions_are_kept_once_and_go_with_the_source_of_their_name(told, settings):
    linker, _ = names_in_use(settings, told)
    made = make_questions(told, Axes(), lambda: linker)
    kept = run(told, MADE)
    assert made.documents == 3
    assert made.kept == len(kept) > 0
    assert {one["name"] for one in kept} <= {"gout", "podagra", "gout disorder", "asthma", "wheezing disease"}
    assert all(one["name"] in one["text"] and one["rank"] == 1 for one in kept)
    assert make_questions(told, Axes(), lambda: linker).documents == 0
    ids = ["graph:C0018099/treatment"]  # no part of the record, which is compared, undone and exported without them
    assert told.read(catalogue.get("stored_documents"), ids=ids)[0]["questions"] == []
    assert told.read(catalogue.get("document_states"), ids=ids)[0]["parts"] == ["graph:C0018099/treatment#1"]

    gone = told.run(catalogue.get("unload_made_questions"), sources=["doid"])[0]["removed"]
    left = run(told, MADE)
    assert len(left) == len(kept) - gone
    assert not [one for one in left if "doid" in one["named_by"]]
    assert make_questions(told, Axes(), lambda: linker).documents > 0
