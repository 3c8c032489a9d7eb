"""Entities found by id, by any name and as questions name them."""

import json
from dataclasses import asdict

import pytest

from medgraph.errors import InputError
from medgraph.queries.find import MAX_FOUND, MAX_TEXT, Resolved, find_entities, resolve
from tests.support.entities import HEART
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.linking import names_of

FOUND = [
    "id", "label", "name", "synonyms", "matched", "matched_by", "documents", "concepts", "obsolete", "score", "concept",
    "sources",
]  # fmt: skip

HOSTILE = [
    "'", '"', "\\", "?!", "a:b", "name:*", "*", "~", "AND", "gout AND NOT gout", "/gout/", "[a TO b]", "(((", "gout^99",
    "喘息", "\u202egout", "💊", "\x00", "a" * MAX_TEXT, "gout " * 1999, "<b>gout</b>", "x' OR 1=1 //", "\ud800",
]  # fmt: skip


def first(database, text):
    return find_entities(database, names_of(database), text)[0]


@pytest.mark.parametrize(
    "text", ["sample:gout", " sample:gout ", "Gout", "gOUT", "gouty\t arthritis", "GOUTY ARTHRITIS"]
)
def test_ids_names_and_synonyms_are_exact_in_any_case(sample_graph, text):
    row = first(sample_graph, text)
    assert list(asdict(row)) == FOUND
    assert (row.id, row.label, row.name, row.score) == ("sample:gout", "Disease", "Gout", 1)
    assert row.matched.lower() == " ".join(text.lower().split())
    assert (row.documents, row.concepts) == (1, ["C0018099"])
    assert resolve(sample_graph, names_of(sample_graph), text) == Resolved("sample:gout")


@pytest.mark.parametrize(("text", "entity"), [("astma", "asthma"), ("What are the signs of gout?", "gout")])
def test_what_a_question_names_is_found_with_a_note(sample_graph, text, entity):
    row = first(sample_graph, text)
    assert list(asdict(row)) == FOUND
    assert row.id == f"sample:{entity}"
    assert row.score < 1
    chosen = resolve(sample_graph, names_of(sample_graph), text)
    assert chosen.entity == row.id
    assert chosen.notes == (f"{text!r} is understood as {row.name}",)


@pytest.mark.parametrize(("text", "by", "note"), examples("names_found"))
def test_whatever_sources_call_it_finds_it_and_says_how(names, text, by, note):
    graph = names(HEART, {"id": "DOID:1140", "name": "other disease", "xrefs": ["MESH:D0063311"]})
    row = first(graph, text)
    assert list(asdict(row)) == FOUND
    assert (row.id, row.matched_by) == ("DOID:114", by)
    assert (row.score == 1) is (by in {"id", "alternative_id", "synonym"})
    assert resolve(graph, names_of(graph), text).entity == "DOID:114"
    assert resolve(graph, names_of(graph), text).notes == ((note,) if note else ())


def test_words_of_other_names_find_and_are_not_chosen(names):
    graph = names(HEART, {"id": "DOID:5", "name": "thoracic aneurysm"})
    found = find_entities(graph, names_of(graph), "thoracic")
    assert [(row.id, row.matched, row.matched_by) for row in found] == [
        ("DOID:5", "thoracic aneurysm", "name"),
        ("DOID:114", "thoracic trouble", "broad_synonym"),
    ]
    assert all(row.score < 1 for row in found)
    with pytest.raises(InputError, match="no entity has the id or name 'thoracic'; did you mean"):
        resolve(graph, names_of(graph), "thoracic")


def test_a_whole_name_is_no_beginning_of_another(names):
    graph = names(
        {"id": "DOID:5", "name": "gout"},
        {"id": "DOID:6", "name": "Aicardi-Goutieres syndrome"},
        {"id": "DOID:7", "name": "gout flare"},
    )
    assert [row.id for row in find_entities(graph, names_of(graph), "gout")] == ["DOID:5", "DOID:7"]
    assert {row.id for row in find_entities(graph, names_of(graph), "gou")} == {"DOID:5", "DOID:6", "DOID:7"}


def test_a_name_goes_before_what_is_only_related(names):
    graph = names(HEART, {"id": "DOID:5", "name": "Thoracic trouble"}, {"id": "DOID:6", "name": "MESH:D006331"})
    assert [row.id for row in find_entities(graph, names_of(graph), "thoracic trouble")] == ["DOID:5", "DOID:114"]
    assert resolve(graph, names_of(graph), "thoracic trouble").notes == ()
    assert [row.id for row in find_entities(graph, names_of(graph), "MESH:D006331")] == ["DOID:6", "DOID:114"]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:10]))
def test_any_text_is_safe(sample_graph, text):
    rows = find_entities(sample_graph, names_of(sample_graph), text)
    json.dumps([asdict(row) for row in rows])
    assert all(list(asdict(row)) == FOUND and None not in asdict(row).values() for row in rows)


@pytest.mark.parametrize(
    ("text", "limit", "message"),
    [("", 10, "nothing to look up"), (" \n", 10, "nothing to look up"), ("x" * (MAX_TEXT + 1), 10, "10,001 characters")]
    + [("gout", limit, f"the limit is {limit}; set it from 1 to {MAX_FOUND}") for limit in (0, -1, MAX_FOUND + 1)],
)
def test_what_cannot_be_looked_up_is_said(sample_graph, text, limit, message):
    with pytest.raises(InputError, match=message):
        find_entities(sample_graph, names_of(sample_graph), text, limit)


def test_what_means_the_same_is_one_with_all_its_sources(names):
    graph = names(
        {"id": "DOID:1", "name": "gout", "sources": ["doid"]},
        {"id": "pages:gout", "name": "Gout", "sources": ["pages"]},
        {"id": "DOID:2", "name": "gout flare", "sources": ["doid"]},
    )
    run(
        graph,
        "MATCH (e:Entity) WHERE e.id IN ['DOID:1', 'pages:gout'] MERGE (c:Concept {cui: 'C1'}) MERGE (e)-[:MEANS]->(c)",
    )
    found = find_entities(graph, names_of(graph), "gout")
    assert [(row.id, row.concept, list(row.sources)) for row in found] == [
        ("DOID:1", "C1", ["doid", "pages"]),
        ("DOID:2", "DOID:2", ["doid"]),
    ]


@pytest.mark.parametrize("text", ["all", "cold", "can"])
def test_an_everyday_word_is_no_short_form(names, text):
    graph = names(
        {"id": "DOID:1", "name": "acute leukemia", "synonyms": [text.upper()]}, {"id": "DOID:2", "name": "flu"}
    )
    with pytest.raises(InputError, match=rf"no entity has the id or name '{text}'; did you mean acute leukemia"):
        resolve(graph, names_of(graph), text)
    assert resolve(graph, names_of(graph), text.upper()).entity == "DOID:1"
    assert (
        resolve(names({"id": "DOID:3", "name": "x", "synonyms": ["AIDS"]}), names_of(graph), "aids").entity == "DOID:3"
    )
