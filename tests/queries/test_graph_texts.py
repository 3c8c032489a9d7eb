"""What relations tell, as documents: whole sentences of a bounded size, with the relations that each rests on."""

import pytest

from medgraph.queries import graph_texts
from medgraph.queries.graph_texts import graph_documents
from tests.support.joined import joined


@pytest.fixture
def documents(graph, settings, tmp_path, encoder):
    """Documents of a small graph of three sources, by id."""
    joined(graph, settings, tmp_path)
    return {document.id: document for document in graph_documents(graph, encoder)}


def test_a_document_a_concept_and_kind(documents):
    assert list(documents) == [
        "graph:C0018099/symptoms",
        "graph:C0018099/treatment",
        "graph:DOID:2/symptoms",
        "graph:MESH:3/indication",
    ]
    treated = documents["graph:C0018099/treatment"]
    (section,) = treated.sections
    assert (treated.title, section.type, section.heading) == ("Gout", "treatment", "Treatment")
    assert section.text == "Treatments for gout include allopurinol."
    assert dict(treated.properties)["told_by"] == ("mesh", "pages")
    assert dict(treated.properties)["rests_on"] == ("C0018099 TREATED_BY MESH:3 (mesh, pages)",)
    assert treated.about == ()  # it is no page about the disease, from which relations are found


def test_sections_hold_whole_sentences_up_to_a_bound(graph, settings, tmp_path, encoder, monkeypatch):
    joined(graph, settings, tmp_path)
    monkeypatch.setattr("medgraph.queries.subgraphs.IN_A_SENTENCE", 1)
    monkeypatch.setattr(graph_texts, "TOKENS", 15)
    gout = next(graph_documents(graph, encoder))
    assert [section.text for section in gout.sections] == [
        "Symptoms of gout include fever.",
        "Symptoms of gout also include perniosis.",
        "Symptoms of gout also include cough.",
    ]
    assert [section.id for section in gout.sections] == [f"{gout.id}#{number}" for number in (1, 2, 3)]


def test_they_are_the_same_each_time(documents, graph, encoder):
    assert list(graph_documents(graph, encoder)) == list(documents.values())


def test_there_are_none_without_relations(database, encoder):
    assert list(graph_documents(database, encoder)) == []
