"""Mappings as rows of SSSOM: types and predicates, slots of the standard and what is none, and back."""

import re

import pytest
from hypothesis import given

from medgraph.schema.exchange import sssom
from medgraph.schema.records import RESERVED, Relation
from medgraph.schema.vocabulary import RELATION_TYPES
from tests.support.statements import ID, TEXT, VALUE

MATCH = Relation("DOID:1", "EXACT_MATCH", "DOID:2", method="semapv:LexicalMatching")


@pytest.mark.parametrize(
    ("predicate", "kind", "kept"),
    [
        ("skos:exactMatch", "EXACT_MATCH", ""),
        ("skos:broadMatch", "BROAD_MATCH", ""),
        ("owl:equivalentClass", "EXACT_MATCH", "owl:equivalentClass"),
        ("rdfs:subClassOf", "BROAD_MATCH", "rdfs:subClassOf"),
        ("semapv:crossSpeciesExactMatch", "RELATED_TO", "semapv:crossSpeciesExactMatch"),
        ("biolink:related_to", "RELATED_TO", ""),
    ],
)
def test_a_predicate_is_kept_where_the_type_says_less(predicate, kind, kept):
    assert sssom.relation_type(predicate) == (kind, kept)
    assert kind in RELATION_TYPES


def test_what_is_a_mapping():
    assert sssom.is_mapping(MATCH)
    assert sssom.is_mapping(Relation("a:1", "RELATED_TO", "b:1", method="semapv:X"))
    assert not sssom.is_mapping(Relation("a:1", "RELATED_TO", "b:1", predicate="skos:exactMatch"))


def test_a_mapping_as_a_row():
    said = {
        "comment": "=1",
        "author_id": ("orcid:1", "orcid:2"),
        "similarity_score": 0.5,
        "counted": 3,
        "mapping_date": 7,
    }
    relation = Relation(
        "DOID:1", "CLOSE_MATCH", "=x:1", predicate="near", method="by hand", evidence=("PMID:1",), score=1,
        properties=tuple(sorted(said.items())),
    )  # fmt: skip
    row, others = sssom.to_row(relation)
    assert row == {
        "subject_id": "DOID:1", "predicate_id": "skos:closeMatch", "object_id": "x_3d78:1", "confidence": "1.0",
        "mapping_justification": "semapv:UnspecifiedMatching", "comment": "'=1", "author_id": "orcid:1|orcid:2",
        "similarity_score": "0.5",
    }  # fmt: skip
    assert others == {
        "ext_counted": 3, "ext_evidence": ("PMID:1",), "ext_mapping_date": 7, "ext_predicate": "near",
        "ext_method": "by hand",
    }  # fmt: skip
    assert row.keys() <= set(sssom.SLOTS)
    exact, nothing = sssom.to_row(MATCH)
    assert (exact["predicate_id"], exact["mapping_justification"]) == ("skos:exactMatch", "semapv:LexicalMatching")
    assert "confidence" not in exact
    assert nothing == {}


def test_what_stands_in_columns_of_its_own_cannot_replace_them():
    relation = Relation("a:1", "EXACT_MATCH", "b:1", properties=(("comment", ""), ("confidence", 0.1)))
    row, others = sssom.to_row(relation)
    assert "confidence" not in row
    assert others == {"ext_comment": "", "ext_confidence": 0.1}


@given(VALUE)
def test_a_value_comes_back_from_a_column_that_is_none_of_the_standard(value):
    kind = sssom.hint(value)
    cell = sssom.extension(value, kind)
    read = sssom.of_cell("ext_x", cell.removeprefix("'") if isinstance(value, str | tuple) else cell, kind)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("value", "kind"),
    [("a", "xsd:string"), ("", "rdf:JSON"), (True, "xsd:boolean"), (7, "xsd:integer"), (0.5, "xsd:double"),
     (("a",), "rdf:JSON"), (["a"], "rdf:JSON")],
)  # fmt: skip
def test_types_of_columns(value, kind):
    assert sssom.hint(value) == kind


@pytest.mark.parametrize(
    ("name", "cell", "kind", "value"),
    [
        ("author_id", "a | b\\|c||", "", ("a", "b|c")),
        ("similarity_score", "0.5", "", 0.5),
        ("similarity_score", "high", "", "high"),
        ("x", "many", "xsd:integer", "many"),
        ("x", "7", "", "7"),
        ("x", "false", "xsd:boolean", False),
        ("x", '["a", 1]', "rdf:JSON", '["a", 1]'),
        ("x", '{"a": 1}', "rdf:JSON", '{"a": 1}'),
        ("x", "[" * 100_000, "rdf:JSON", "[" * 100_000),
    ],
)
def test_a_cell_that_is_not_of_its_type_stays_a_text(name, cell, kind, value):
    assert sssom.of_cell(name, cell, kind) == value


@given(TEXT)
def test_any_column_gives_a_name_that_a_property_can_have(column):
    name = sssom.property_name(column, {})
    assert name not in RESERVED
    assert Relation("a:1", "EXACT_MATCH", "b:1", properties=((name, 1),))


def test_a_column_that_was_a_property_is_called_so_again():
    assert sssom.property_name("ext_counted", {"ext_counted": "medgraph.property:counted"}) == "counted"
    assert sssom.property_name("ext_counted", {"ext_counted": "x:counted"}) == "ext_counted"
    assert sssom.property_name("Our Own!", {}) == "our_own"
    assert sssom.property_name("2nd", {}) == "sssom_2nd"
    reserved = min(RESERVED)
    assert sssom.property_name(reserved, {}) == f"sssom_{reserved}"


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("mapping_date", "2026-11-21", True),
        ("mapping_date", "2026", False),
        ("author_id", ("orcid:0000-0001",), True),
        ("author_id", ("A. Author",), False),
        ("see_also", ("https://example.org/a b",), False),
        ("mapping_provider", "https://example.org", True),
        ("similarity_score", 1.5, False),
        ("subject_type", "owl class", True),
        ("object_type", "rdfs literal", False),
        ("mapping_cardinality", "1:n", True),
        ("mapping_cardinality", "one", False),
        ("predicate_modifier", "Not", False),
        ("review_date", "2026-11-21", False),
    ],
)
def test_what_the_standard_does_not_let_stand_in_a_column_gets_one_of_its_own(name, value, fits):
    row, others = sssom.to_row(Relation("a:1", "EXACT_MATCH", "b:1", properties=((name, value),)))
    assert (name in row, f"ext_{name}" in others) == (fits, not fits)


def test_a_review_has_a_reviewer():
    properties = (("review_date", "2026-11-21"), ("reviewer_label", ("R.",)))
    row, _ = sssom.to_row(Relation("a:1", "EXACT_MATCH", "b:1", properties=properties))
    assert row["review_date"] == "2026-11-21"


@pytest.mark.parametrize(("score", "cell"), [(0.5, "0.5"), (1, "1.0"), (7.5, None)])
def test_a_score_is_a_confidence_where_it_can_be_one(score, cell):
    row, others = sssom.to_row(Relation("a:1", "EXACT_MATCH", "b:1", score=score))
    assert (row.get("confidence"), others) == (cell, {} if cell else {"ext_score": score})


@given(ID)
def test_ids_come_back(text):
    entity_id = f"own:{text}" if ":" not in text else text
    curie = sssom.encoded(entity_id)
    prefix = curie.partition(":")[0]
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*:[!-~]*", curie)
    assert sssom.decoded(curie, {prefix: sssom.base_of(entity_id)}) == entity_id


def test_prefixes_of_all_columns_of_ids_are_listed():
    properties = (("author_id", ("orcid:1", "wikidata:Q1")), ("comment", "no:prefix"), ("subject_source", "obo:mondo"))
    row, _ = sssom.to_row(Relation("DOID:1", "EXACT_MATCH", "HP:1", properties=properties))
    assert sssom.prefixes_in(row) == {"DOID", "skos", "HP", "semapv", "orcid", "wikidata", "obo"}
