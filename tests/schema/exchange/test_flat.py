"""Records taken apart into flat things, and put together again."""

import pytest
from hypothesis import given

from medgraph.errors import RecordError
from medgraph.schema.exchange.flat import FORMS, Flat, columns, flats, restore, sorted_properties
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from tests.support.statements import statements

GOUT = Entity("DOID:1", "Disease", "gout", concepts=("C0018099",), xrefs=("MESH:D1",), properties=(("seen_in", 7),))
PAGE = Document(
    "d1", "Gout", sections=(Section("d1#1", "It hurts.", "symptoms"),), questions=(Question("d1#2", "Who cures it?"),)
)


def again(record):
    """Take a record apart, and put together what came of it."""
    first, *parts = flats(record)
    made = [restore(part) for part in parts]
    sections = [part for part in made if isinstance(part, Section)]
    return restore(first, sections, [part for part in made if isinstance(part, Question)])


@given(said=statements())
def test_every_record_comes_back(said):
    for _, record in said:
        assert again(record) == record


def test_values_have_the_names_that_others_give_them_and_defaults_are_left_out():
    (flat,) = flats(GOUT)
    values = {
        "id": "DOID:1",
        "label": "Disease",
        "name": "gout",
        "equivalent_identifiers": ["C0018099"],
        "xref": ["MESH:D1"],
    }
    assert flat == Flat("entity", values, {"seen_in": 7})
    (relation,) = flats(Relation("a:1", "TREATS", "b:1", predicate="x:treats", evidence=("PMID:1",), score=0.5))
    assert relation.values == {
        "subject": "a:1", "type": "TREATS", "object": "b:1", "original_predicate": "x:treats",
        "publications": ["PMID:1"], "has_confidence_score": 0.5,
    }  # fmt: skip


def test_a_document_is_followed_by_its_parts_which_name_it():
    assert [(flat.kind, flat.values) for flat in flats(PAGE)] == [
        ("document", {"id": "d1", "name": "Gout"}),
        ("section", {"document": "d1", "id": "d1#1", "text": "It hurts.", "type": "symptoms"}),
        ("question", {"document": "d1", "id": "d1#2", "text": "Who cures it?"}),
    ]


def test_columns_have_the_types_of_attributes():
    types = {column.name: (column.attribute, column.type) for column in columns("entity")}
    assert types["synonym"] == ("synonyms", "list")
    assert types["deprecated"] == ("obsolete", "bool")
    assert types["description"] == ("definition", "str")
    assert {column.name: column.type for column in columns("relation")}["has_confidence_score"] == "float"
    assert {column.name: column.type for column in columns("source")}["rank"] == "int"
    assert all(len({column.name for column in columns(kind)}) == len(columns(kind)) for kind in FORMS)


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("entity", {"lable": "x"}, "the entity has the unknown 'lable'; known are alternative_ids, "),
        ("entity", {"synonyms": ["x"]}, "the entity has the unknown 'synonyms'"),
        ("entity", {"document": "d1"}, "the entity has the unknown 'document'"),
        ("entity", {"label": None}, "the label '' is not one of"),
        ("entity", {"name": 7}, "'name' is '7', not a text"),
        ("entity", {"synonym": "x"}, "'synonym' is 'x', not a list of texts"),
        ("entity", {"synonym": ["x", 1]}, "not a list of texts"),
        ("entity", {"deprecated": "true"}, "'deprecated' is 'true', not true or false"),
        ("relation", {"has_confidence_score": True}, "'has_confidence_score' is 'True', not a number"),
        ("source", {"rank": 1.5}, "'rank' is '1.5', not a whole number"),
        ("source", {"rank": True}, "'rank' is 'True', not a whole number"),
        ("document", {"name": None}, "the document has no 'name'"),
    ],
)
def test_what_is_no_record(kind, change, message):
    whole = {
        "entity": {"id": "DOID:1", "label": "Disease", "name": "gout"},
        "relation": {"subject": "a:1", "type": "TREATS", "object": "b:1"},
        "source": {"source": "one", "name": "One", "version": "1", "license": "CC0-1.0", "url": ""},
        "document": {"id": "d1", "name": "D"},
    }[kind]
    sections = [Section("d1#1", "text")]
    assert restore(Flat(kind, whole, {}), sections)
    values = {name: value for name, value in (whole | change).items() if value is not None}
    with pytest.raises(RecordError) as raised:
        restore(Flat(kind, values, {}), sections)
    assert message in str(raised.value)


def test_a_whole_number_is_a_score_too_and_properties_are_sorted():
    values = {"subject": "a:1", "type": "TREATS", "object": "b:1", "has_confidence_score": 1}
    relation = restore(Flat("relation", values, {"b": 1, "a": ("x",)}))
    assert (relation.score, relation.properties) == (1, (("a", ("x",)), ("b", 1)))
    assert sorted_properties({}) == ()
