"""A concept's card: its names, and its entities in order of fit."""

import pytest

from medgraph.queries.concepts import BOUND, ConceptEntity, card_of, concept_card
from tests.support.graphs import run
from tests.support.joined import joined


@pytest.fixture
def diabetes(names):
    """A concept that is much used: by what is it, and by pages that only have to do with it."""
    many = [{"id": f"p:{i:02}", "name": f"Page {i}", "concepts": ["C0011849", "C0000001"]} for i in range(30)]
    graph = names(
        {"id": "a:causes", "name": "Causes of Diabetes", "concepts": ["C0011849", "C0000001"]},
        {"id": "a:topic", "name": "diabetes mellitus", "label": "Topic", "concepts": ["C0011849"]},
        {"id": "a:old", "name": "Diabetes mellitus", "obsolete": True, "concepts": ["C0011849"]},
        {"id": "a:told", "name": "Diabetes mellitus", "concepts": ["C0011849"], "definition": "Sugar."},
        {
            "id": "a:read",
            "name": "Diabetes",
            "synonyms": ["Diabetes Mellitus", "DM"],
            "concepts": ["C0011849", "C0000001"],
        },
        {"id": "a:only", "name": "Diabetes diet", "concepts": ["C0011849"]},
        *many,
    )
    run(
        graph,
        "MATCH (c:Concept {cui: 'C0011849'}) SET c.name = 'diabetes mellitus', c.semantic_types = ['T047'], "
        "c.sources = ['s'] WITH c UNWIND ['a:causes', 'a:read'] AS id MATCH (e:Entity {id: id}) "
        "CREATE (:Document {id: id + 'd'})-[:ABOUT {source: 's'}]->(e)",
    )
    return graph


@pytest.mark.parametrize("text", ["C0011849", " c0011849 ", "UMLS:C0011849", "umls:C0011849"])
def test_a_concept_is_called_as_its_entities_are_and_these_stand_in_order_of_fit(diabetes, text):
    card = concept_card(diabetes, text)
    assert (card.cui, card.name, card.semantic_types, card.sources) == (
        "C0011849",
        "diabetes mellitus",
        ["T047"],
        ["s"],
    )
    assert card.names == ("Diabetes", "DM")
    ids = [entity.id for entity in card.entities]
    assert ids[:6] == ["a:read", "a:told", "a:topic", "a:only", "a:causes", "p:00"]
    assert (len(ids), card.counts) == (BOUND, {"entities": 36, "documents": 2})
    assert "a:old" not in ids
    assert card.entities[0] == ConceptEntity("a:read", "Diabetes", "Disease", ["s"], 1, 2, obsolete=False)


def test_documents_are_those_about_all_that_mean_the_concept(graph, settings, tmp_path):
    card = concept_card(joined(graph, settings, tmp_path), "C0018099")
    (document,) = card.documents
    assert (document.id, document.title, document.source, document.url) == ("p1", "Gout", "pages", "")
    assert [(section.id, section.type) for section in document.sections] == [
        ("p1#1", "symptoms"),
        ("p1#2", "treatment"),
    ]
    assert card.counts["documents"] == 1
    # The page is about `pages:gout`, which no source gives this CUI.
    assert "pages:gout" not in [entity.id for entity in card.entities]


@pytest.mark.parametrize("name", ["C0018099", "umls:C0018099", "DOID:1"])
def test_a_cui_has_the_card_of_the_entity_that_fits_its_concept_best(graph, settings, tmp_path, name):
    card = card_of(joined(graph, settings, tmp_path), name)
    assert (card.id, card.meaning.id) == ("DOID:1", "C0018099")
    assert [document.id for document in card.documents] == ["p1"]
