"""Diseases named in a question: by any of their names, misspelt or not, and never a neighbour."""

import pytest

from medgraph.queries import entities
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.linking import names_of


def find_mentions(database, text):
    return entities.find_mentions(database, names_of(database)(), text)


def named(database, question):
    return [mention.entity.removeprefix("sample:") for mention in find_mentions(database, question)]


@pytest.mark.parametrize(("question", "entity"), examples("names_of_sample"))
def test_any_name_will_do(sample_graph, question, entity):
    assert named(sample_graph, question)[:1] == [entity]


@pytest.mark.parametrize(("question", "entity"), examples("slips_forgiven"))
def test_slips_are_forgiven(sample_graph, question, entity):
    mentions = find_mentions(sample_graph, question)
    assert mentions[0].entity == f"sample:{entity}"
    assert 0.8 < mentions[0].similarity <= 1
    assert mentions[0].surface in question


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("symptoms of type 1 diabetes", "type-1-diabetes"),
        ("symptoms of type 2 diabetes", "type-2-diabetes"),
        ("type 1 diabetes, not type 2", "type-1-diabetes"),
        ("diabetes type 2", "type-2-diabetes"),
        ("diabetes type 1", "type-1-diabetes"),
        ("type II diabetes", "type-2-diabetes"),
        ("type I diabetes", "type-1-diabetes"),
        ("hepatitis B", "hepatitis-b"),
    ],
)
def test_numbers_and_letters_tell_diseases_apart(sample_graph, question, entity):
    assert named(sample_graph, question) == [entity]


@pytest.mark.parametrize("question", examples("nothing_named"))
def test_nothing_is_named(sample_graph, question):
    assert [e for e in named(sample_graph, question) if e != "disease"] == []


def test_several_diseases_are_all_named_up_to_a_bound(sample_graph, monkeypatch):
    assert set(named(sample_graph, "Can asthma and gout come with psoriasis?")) == {"asthma", "gout", "psoriasis"}
    assert len(named(sample_graph, "asthma, gout, psoriasis, acne, stroke, hypertension and influenza")) == 7
    monkeypatch.setattr(entities, "MAX_MENTIONS", 2)
    assert named(sample_graph, "asthma, gout and psoriasis") == ["psoriasis", "asthma"]


def test_only_names_of_what_is_in_use_are_linked(database):
    run(
        database,
        "CREATE (:Entity:Disease {id: 'a', name: 'Zorblatt fever', broad_synonyms: ['Quixotic fever'], "
        "narrow_synonyms: ['Zorblatt flush'], related_synonyms: ['Grumbling'], xrefs: ['MESH:1']}) "
        "CREATE (:Entity:Disease {id: 'b', name: 'Blarney pox', obsolete: true}) "
        "CREATE (:Entity:Disease {id: 'c', name: 'Cobble pox', obsolete: true})<-[:ABOUT]-(:Document {id: 'd'})",
    )
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    assert [m.entity for m in find_mentions(database, "What causes Zorblatt fever?")] == ["a"]
    assert [m.entity for m in find_mentions(database, "What causes Cobble pox?")] == ["c"]
    for question in ("Quixotic fever", "What is grumbling?", "MESH:1", "Blarney pox", "zorblatt flush"):
        assert find_mentions(database, question) == [], question
