"""The attributes of records, listed once."""

from dataclasses import MISSING, fields

import pytest

from medgraph.loaders.mapping import keys
from medgraph.schema.attributes import attributes, curies, identity, names, stated, title
from medgraph.schema.records import (
    RESERVED,
    Document,
    Entity,
    Question,
    Relation,
    Section,
    SourceInfo,
    Withdrawal,
)

GROUPED = {"properties", "sections", "questions"}


@pytest.mark.parametrize("record", [Entity, Relation, Document, Section, Question, SourceInfo])
def test_attributes_are_those_of_the_record(record):
    listed = attributes(record)
    assert list(names(listed)) == [field.name for field in fields(record) if field.name not in GROUPED]
    assert [attribute.default for attribute in listed if attribute.default is not MISSING] == [
        field.default for field in fields(record) if field.name not in GROUPED and field.default is not MISSING
    ]


def test_types_are_those_that_files_know():
    types = {attribute.name: attribute.type for attribute in (*attributes(Entity), *attributes(Relation))}
    assert (types["id"], types["synonyms"], types["obsolete"], types["score"]) == ("str", "list", "bool", "float")
    assert {attribute.name: attribute.type for attribute in attributes(SourceInfo)}["rank"] == "int"


def test_what_is_stored_under_its_own_name():
    assert names(stated(Relation)) == ("method", "evidence", "score")
    assert set(names(attributes(Entity))) - set(names(stated(Entity))) == {"id", "label", "concepts"}
    assert set(names(attributes(Document))) - set(names(stated(Document))) == {"id"}


def test_the_names_that_the_graph_uses_are_those_of_graphs_stored_before():
    assert sorted(RESERVED) == (
        "about aliases alternative_ids authors broad_synonyms chunked collection collections concepts cui definition "
        "doi embedding embedding_model end evidence generated hash heading id journal kge label licence load method "
        "name narrow_synonyms object obsolete position predicate published question questions related_synonyms "
        "replaced_by retracted revision score section sections seen semantic_types sentence_model "
        "sentence_vectors source sources start subject synonyms text title translations type types url version xrefs"
    ).split(" ")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (Entity("X:1", "Disease", "Asthma"), "X:1"),
        (Relation("X:1", "IS_A", "X:2"), "X:1 IS_A X:2"),
        (Relation("X:1", "IS_A", "X:2", "RO:1"), "X:1 IS_A X:2 RO:1"),
        (Document("d", "T", url="u"), "d"),
        (Withdrawal("d"), "d"),
        (SourceInfo("own", "Own", "1", "", ""), "own"),
    ],
)
def test_a_record_is_named_by_what_tells_it_from_others(record, said):
    assert title(record) == said
    assert " ".join(filter(None, identity(record))) == said


def test_the_ids_whose_prefixes_tell_who_coined_them():
    entity = Entity("X:1", "Disease", "A", concepts=("C0000001",), xrefs=("Y:1", "Y:2"), replaced_by=("X:2",))
    assert list(curies(entity)) == ["X:1", "Y:1", "Y:2", "X:2"]
    assert list(curies(Relation("X:1", "IS_A", "X:2", "RO:1", evidence=("PMID:1",)))) == ["X:1", "X:2"]
    assert list(curies(Document("d:1", "T", url="u", about=("X:1",)))) == ["X:1"]
    assert list(curies(Withdrawal("d:1"))) == []


@pytest.mark.parametrize(("record", "known"), [(Entity, keys.ENTITY), (Relation, keys.RELATION)])
def test_a_mapping_can_say_all_that_a_record_can(record, known):
    assert set(names(attributes(record))) <= known.keys()


def test_a_mapping_can_say_all_that_a_document_can():
    assert set(names(attributes(Document))) - keys.DOCUMENT.keys() <= {"revision"}
    assert set(names(attributes(Section))) <= keys.SECTION.keys()
    assert set(names(attributes(Question))) <= keys.QUESTION.keys()
