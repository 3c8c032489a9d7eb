"""The kinds of records that loads know: each record has one, and each tells its records apart."""

from typing import get_args

import pytest

from medgraph.loaders.base import Row
from medgraph.loaders.life import kinds
from medgraph.schema.records import Document, Entity, Question, Record, Relation, Section, SourceInfo, Withdrawal

ENTITY = Row(Entity("X:1", "Disease", "Asthma", definition="It wheezes."), "file", 1, "own")
RELATION = Row(Relation("X:1", "IS_A", "X:2", "RO:1"), "file", 2, "own")
DOCUMENT = Row(
    Document("d1", "Asthma", sections=(Section("d1#1", "Text."),), questions=(Question("d1#q", "Why?"),)),
    "file",
    3,
    "own",
)
WITHDRAWAL = Row(Withdrawal("d1"), "file", 4, "own")
PART = Row(SourceInfo("own-a", "A", "1", "CC0-1.0", ""), "file", 5, "own-a")


def test_every_record_has_a_kind():
    assert kinds.KINDS.keys() == set(get_args(Record))
    assert {kind.name for kind in kinds.KINDS.values()} == {"Entity", "Relation", "Document", "SourceInfo"}
    assert list(kinds.STORED) == ["Entity", "Relation", "Document"]
    assert [kind.name for kind in kinds.LAST_FIRST] == ["Document", "Relation", "Entity"]


@pytest.mark.parametrize("row", [ENTITY, RELATION, DOCUMENT])
def test_a_key_is_what_statements_take_for_it(row):
    kind = kinds.of(row.record)
    assert kind.stored_as is kind is kinds.STORED[type(row.record).__name__]
    assert kind.key(row) == tuple(kind.key_row(row)[name] for name in kind.key_names)


def test_what_is_taken_back_is_a_document():
    kind = kinds.of(WITHDRAWAL.record)
    assert kind.stored_as is kinds.DOCUMENTS
    assert kind.key(WITHDRAWAL) == kinds.DOCUMENTS.key(DOCUMENT)
    assert kind.key_row(WITHDRAWAL) == kinds.DOCUMENTS.key_row(DOCUMENT)
    assert kinds.of(PART.record).stored_as is None


def test_sources_that_state_the_same_entity_write_to_the_same():
    other = Row(ENTITY.record, "file", 1, "other")
    assert list(kinds.ENTITIES.names(ENTITY)) == list(kinds.ENTITIES.names(other))
    assert kinds.ENTITIES.key(ENTITY) != kinds.ENTITIES.key(other)
    assert list(kinds.RELATIONS.names(RELATION)) != list(
        kinds.RELATIONS.names(Row(RELATION.record, "file", 1, "other"))
    )


def test_a_document_writes_to_itself_and_its_parts():
    assert list(kinds.DOCUMENTS.names(DOCUMENT)) == [("d1",), ("part", "d1#1"), ("part", "d1#q")]
    assert kinds.DOCUMENTS.parts(DOCUMENT.record) == ("d1#1", "d1#q")
    assert [kinds.of(row.record).parts(row.record) for row in (ENTITY, RELATION, WITHDRAWAL, PART)] == [()] * 4


def test_long_texts_weigh():
    weights = [kinds.of(row.record).weight(row.record) for row in (ENTITY, RELATION, DOCUMENT, WITHDRAWAL, PART)]
    assert weights == [len("It wheezes.") + len("Asthma"), 0, len("Text."), 0, 0]


def test_only_entities_are_pointed_to():
    rows = (ENTITY, RELATION, DOCUMENT, WITHDRAWAL, PART)
    assert [kinds.of(row.record).entities(row.record) for row in rows] == [("X:1",), (), (), (), ()]
