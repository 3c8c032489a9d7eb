"""Records as rows for statements, and back: written out as they were stored in graphs that are there already."""

import pytest
from hypothesis import given

from medgraph.schema import rows
from medgraph.schema.records import (
    Document,
    Entity,
    Question,
    Relation,
    Section,
    SourceInfo,
    Withdrawal,
    content_hash,
)
from tests.support.statements import ENTITY as ANY_ENTITY
from tests.support.statements import RELATION as ANY_RELATION
from tests.support.statements import SLOW, documents

ENTITY = Entity(
    "MONDO:0005148",
    "Disease",
    "type 2 diabetes mellitus",
    synonyms=("T2D", "NIDDM"),
    definition="A diabetes that comes late.",
    concepts=("C0011860", "C0011849"),
    semantic_types=("T047",),
    narrow_synonyms=("MODY",),
    broad_synonyms=("diabetes",),
    related_synonyms=("insulin resistance",),
    xrefs=("DOID:9352",),
    alternative_ids=("MONDO:0000001",),
    obsolete=True,
    replaced_by=("MONDO:0005015",),
    properties=(("icd_code", "E11"), ("names", ("a", "b")), ("rare", False), ("ratio", 0.5), ("weight", 0)),
)
RELATION = Relation(
    "a:1", "TREATED_BY", "a:2", "RO:0002606", "", ("PMID:1", "PMID:2"), score=0.0, properties=(("phase", 3),)
)
DOCUMENT = Document(
    "d:1",
    "Gout",
    url="https://example.org/gout",
    collection="NIH",
    published="2026-03",
    sections=(
        Section("d:1#1", "It hurts.", "symptoms", "Symptoms", "What are the symptoms?"),
        Section("d:1#2", "Rest."),
    ),
    questions=(Question("d:1#q", "Who gets it?", "causes"),),
    about=("a:1", "a:2"),
    aliases=("podagra",),
    authors=("Ann Author",),
    journal="The Journal",
    doi="10.1/x",
    revision="2026-03-01",
    properties=(("pages", "1-2"),),
)
BARE_ENTITY = Entity("a:1", "Drug", "A")
BARE_RELATION = Relation("a:1", "IS_A", "a:2")
BARE_DOCUMENT = Document("d:2", "T", url="u")
RETRACTED = Document("d:3", "Taken back", retracted=True)

FINGERPRINTS = [
    (ENTITY, 7819054392302693221),
    (BARE_ENTITY, 8450271752263289466),
    (RELATION, 2573106459730823859),
    (BARE_RELATION, 0),
    (DOCUMENT, -3451620983335948896),
    (BARE_DOCUMENT, 9157905165414177346),
    (RETRACTED, -7226671363573284479),
    (Withdrawal("d:1"), 9064650504982319469),
    (SourceInfo("own", "Own", "1", "CC0-1.0", "https://example.org", "Ann, 2026", 7, 2), 911148339524170251),
]


@pytest.mark.parametrize(("record", "fingerprint"), FINGERPRINTS)
def test_fingerprints_are_those_of_graphs_stored_before(record, fingerprint):
    assert content_hash(record) == fingerprint


KEPT = [
    (
        BARE_ENTITY,
        '{"id": "a:1", "label": "Drug", "name": "A", "synonyms": [], "definition": "", "concepts": [], '
        '"semantic_types": [], "narrow_synonyms": [], "broad_synonyms": [], "related_synonyms": [], "xrefs": [], '
        '"alternative_ids": [], "obsolete": false, "replaced_by": [], "properties": []}',
    ),
    (
        RELATION,
        '{"subject": "a:1", "type": "TREATED_BY", "object": "a:2", "predicate": "RO:0002606", "method": "", '
        '"evidence": ["PMID:1", "PMID:2"], "score": 0.0, "properties": [["phase", 3]]}',
    ),
    (
        DOCUMENT,
        '{"id": "d:1", "title": "Gout", "url": "https://example.org/gout", "collection": "NIH", '
        '"published": "2026-03", "sections": [{"id": "d:1#1", "text": "It hurts.", "type": "symptoms", '
        '"heading": "Symptoms", "question": "What are the symptoms?"}, {"id": "d:1#2", "text": "Rest.", "type": "", '
        '"heading": "", "question": ""}], "questions": [{"id": "d:1#q", "text": "Who gets it?", "type": "causes"}], '
        '"about": ["a:1", "a:2"], "aliases": ["podagra"], "authors": ["Ann Author"], "journal": "The Journal", '
        '"doi": "10.1/x", "retracted": false, "revision": "2026-03-01", "properties": [["pages", "1-2"]]}',
    ),
]


@pytest.mark.parametrize(("record", "text"), KEPT)
def test_what_was_kept_for_undoing_is_read_as_before(record, text):
    assert rows.from_json(type(record), text) == record
    assert rows.from_json(type(record), rows.to_json(record)) == record


@SLOW
@given(ANY_ENTITY)
def test_an_entity_comes_back_as_it_was_stated(entity):
    stored = rows.entity_row(entity, "own") | {"concepts": rows.concept_row(entity, "own")["concepts"]}
    assert rows.entity_from(stored) == entity
    assert rows.from_json(Entity, rows.to_json(entity)) == entity


@SLOW
@given(ANY_RELATION)
def test_a_relation_comes_back_as_it_was_stated(relation):
    assert rows.relation_from(rows.relation_row(relation, "own")) == relation
    assert rows.from_json(Relation, rows.to_json(relation)) == relation


@SLOW
@given(documents())
def test_a_document_comes_back_as_it_was_stated(document):
    properties = dict(rows.document_row(document, "own")["properties"])
    stored = {
        "id": properties.pop("id"),
        "statement": properties | {"source": None},
        "sections": [row["properties"] for row in rows.section_rows(document, "own")],
        "questions": [row["properties"] for row in rows.open_question_rows(document, "own")],
    }
    assert rows.document_from(stored) == document
    assert rows.from_json(Document, rows.to_json(document)) == document
