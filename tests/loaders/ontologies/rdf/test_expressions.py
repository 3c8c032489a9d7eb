"""Superclasses without a name: what they state, and what they do not."""

import pytest

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.ontologies.rdf import source
from medgraph.schema.records import Relation

HEAD = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix o: <http://purl.obolibrary.org/obo/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    'o:BFO_0000051 a owl:ObjectProperty ; rdfs:label "has part" . o:UBERON_2 a owl:Class ; rdfs:label "toe" .\n'
)
PART = "owl:onProperty o:BFO_0000051"
NONE = "relations that say that there is none are left out (cardinality 0, a complement): 1"
PERHAPS = "relations that do not say that there is one are left out (at most, all, only, or): 1"


@pytest.fixture
def read(tmp_path):
    """Reads what a class is said to be below, and gives the relations and the remarks."""

    def read(expression, more=""):
        path = tmp_path / "a.ttl"
        path.write_text(f'{HEAD}o:UBERON_1 a owl:Class ; rdfs:label "foot" ; rdfs:subClassOf {expression} .\n{more}')
        items = list(source.records(path))
        assert not [item for item in items if isinstance(item, Reject)]
        found = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Relation)]
        return found, [item for item in items if isinstance(item, Remark)]

    return read


@pytest.mark.parametrize(
    ("expression", "properties"),
    [
        ("owl:someValuesFrom o:UBERON_2", ()),
        ('owl:qualifiedCardinality "5" ; owl:onClass o:UBERON_2', (("cardinality", ("5",)),)),
        ('owl:minQualifiedCardinality "1" ; owl:onClass o:UBERON_2', (("mincardinality", ("1",)),)),
    ],
)
def test_what_says_that_there_is_one_is_a_relation(read, expression, properties):
    expected = Relation("UBERON:1", "HAS_PART", "UBERON:2", properties=properties)
    assert read(f"[ a owl:Restriction ; {PART} ; {expression} ]") == ([expected], [])


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (f'[ {PART} ; owl:qualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', NONE),
        (f'[ {PART} ; owl:maxQualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', NONE),
        (f"[ owl:complementOf [ {PART} ; owl:someValuesFrom o:UBERON_2 ] ]", NONE),
        ("[ owl:complementOf o:UBERON_2 ]", NONE),
        (f'[ {PART} ; owl:minQualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', PERHAPS),
        (f'[ {PART} ; owl:maxQualifiedCardinality "2" ; owl:onClass o:UBERON_2 ]', PERHAPS),
        (f"[ {PART} ; owl:allValuesFrom o:UBERON_2 ]", PERHAPS),
        ("[ owl:unionOf ( o:UBERON_2 o:UBERON_3 ) ]", PERHAPS),
        ("[ owl:onProperty [ owl:inverseOf o:BFO_0000050 ] ; owl:someValuesFrom o:UBERON_2 ]", PERHAPS),
        (f"[ {PART} ; owl:someValuesFrom [ owl:unionOf ( o:UBERON_2 o:UBERON_3 ) ] ]", PERHAPS),
    ],
)
def test_what_does_not_is_left_out_with_a_remark(read, expression, said):
    found, (remark,) = read(expression)
    assert (found, remark.line) == ([], 0)
    assert remark.file.endswith("a.ttl: http://purl.obolibrary.org/obo/UBERON_1")
    assert remark.text == f"{said}, the first is http://purl.obolibrary.org/obo/UBERON_1"


def test_of_an_intersection_each_part_holds(read):
    found, (remark,) = read(
        f"[ owl:intersectionOf ( o:UBERON_2 [ {PART} ; owl:someValuesFrom o:UBERON_2 ] [ owl:complementOf o:UBERON_4 ]"
        f" [ owl:intersectionOf ( o:UBERON_3 ) ] ) ]"
    )
    assert found == [
        Relation("UBERON:1", "HAS_PART", "UBERON:2"),
        Relation("UBERON:1", "IS_A", "UBERON:2"),
        Relation("UBERON:1", "IS_A", "UBERON:3"),
    ]
    assert remark.text.startswith(NONE)
