"""N-Quads: valid for others, in the terms of the field, and things again from lines."""

import re

import pytest
from hypothesis import given

from medgraph.errors import RecordError
from medgraph.exports import nquads as nquads_export
from medgraph.schema.exchange.flat import Flat, flats
from medgraph.schema.exchange.nquads import PROPERTIES, Block, blocks, iri, of_block, restates, to_lines
from medgraph.schema.records import Entity, Relation
from tests.support.exchange import STATEMENTS
from tests.support.statements import SLOW, statements


@pytest.fixture
def path(tmp_path):
    nquads_export.write(tmp_path / "all.nq", STATEMENTS)
    return tmp_path / "all.nq"


@SLOW
@given(said=statements())
def test_other_programs_read_what_we_write(tmp_path_factory, said):
    from pyoxigraph import RdfFormat, parse

    path = tmp_path_factory.mktemp("quads") / "all.nq"
    nquads_export.write(path, said)
    quads = list(parse(path=str(path), format=RdfFormat.N_QUADS))
    assert len(quads) == path.read_bytes().count(b"\n")
    assert {quad.graph_name.value for quad in quads} <= {"urn:medgraph:source:one", "urn:medgraph:source:two"}
    names = {record.name for _, record in said if isinstance(record, Entity)}
    assert names <= {quad.object.value for quad in quads if quad.predicate.value.endswith("rdf-schema#label")}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of rdflib, which calls itself
def test_terms_are_those_of_the_field(path):
    from rdflib import Dataset, Graph, URIRef
    from rdflib.namespace import RDF, RDFS

    data = Dataset()
    data.parse(data=path.read_text(), format="nquads")
    one: Graph = data.graph(URIRef("urn:medgraph:source:one"))
    two: Graph = data.graph(URIRef("urn:medgraph:source:two"))
    asthma = URIRef("http://purl.obolibrary.org/obo/DOID_1")
    assert str(one.value(asthma, RDFS.label)) == "asthma"
    assert (asthma, RDF.type, URIRef("https://w3id.org/biolink/vocab/Disease")) in one
    symptom = URIRef("https://w3id.org/biolink/vocab/has_phenotype")
    assert (asthma, symptom, URIRef("urn:medgraph:id:own:a%20b")) in two
    document = URIRef("urn:medgraph:document:d1")
    assert (document, URIRef("http://purl.org/dc/terms/subject"), asthma) in two
    section = URIRef("urn:medgraph:section:d1%231")
    assert (section, URIRef("http://purl.org/dc/terms/isPartOf"), document) in two


def test_what_no_uri_can_hold_is_kept_in_one_of_our_own():
    assert iri("DOID:1") == "http://purl.obolibrary.org/obo/DOID_1"
    for curie in ("DOID:a b", 'DOID:<">', "DOID:{}|^`\\", "MESH:é", "a#b#c"):
        assert re.fullmatch(r"urn:medgraph:id:[A-Za-z0-9:%._~-]+", iri(curie)), curie


def flat_and_back(record, source="one"):
    """Write the things of a record, and read the lines again."""
    things = list(flats(record))
    lines = [line.rstrip("\n") for flat in things for line in to_lines(flat, source)]
    return things, [block for block in blocks(enumerate(lines, 1)) if block.kind]


@SLOW
@given(said=statements())
def test_things_come_back_from_their_lines(said):
    for source, record in said:
        things, found = flat_and_back(record, source)
        assert [of_block(block) for block in found] == [(flat, source) for flat in things]


def test_a_relation_is_a_statement_with_a_plain_triple_after_it():
    (flat,) = flats(Relation("DOID:1", "EXACT_MATCH", "DOID:2", score=0.5))
    lines = list(to_lines(flat, "one"))
    one = "http://purl.obolibrary.org/obo/DOID_"
    match = "http://www.w3.org/2004/02/skos/core#exactMatch"
    assert lines[-1] == f"<{one}1> <{match}> <{one}2> <urn:medgraph:source:one> .\n"
    assert all(line.startswith("<urn:uuid:") for line in lines[:-1])
    assert all(line.endswith("<urn:medgraph:source:one> .\n") for line in lines)
    statement, plain = blocks(enumerate((line.rstrip("\n") for line in lines), 1))
    assert (statement.kind, statement.line, plain.kind, plain.line) == ("relation", 1, "", len(lines))
    assert restates(plain)
    assert not restates(statement)


def test_the_same_relation_of_another_source_is_another_statement():
    (flat,) = flats(Relation("DOID:1", "TREATS", "DOID:2"))
    (other,) = flats(Relation("DOID:1", "TREATS", "DOID:3"))
    first, again, elsewhere, another = (
        next(to_lines(thing, source)).split()[0]
        for thing, source in ((flat, "one"), (flat, "one"), (flat, "two"), (other, "one"))
    )
    assert first == again
    assert len({first, elsewhere, another}) == 3


def test_lines_of_one_subject_stand_together_and_broken_ones_have_their_numbers():
    graph = "<urn:medgraph:source:one>"
    lines = [
        f'<x:a> <x:p> "1" {graph} .',
        "# a remark",
        "",
        f'<x:a> <x:q> "2" {graph} .',
        "<x:a> nonsense",
        '<x:a> <x:p> "3" <urn:medgraph:source:two> .',
        f'<x:b> <x:p> "x" {graph} . <x:b> <x:p> "y" {graph} .',
        f"<x:b> <x:p> <x:c> {graph} .",
    ]
    found = list(blocks(enumerate(lines, 1)))
    reasons = {item[0]: item[1] for item in found if isinstance(item, tuple)}
    assert reasons.keys() == {5, 7}
    assert all(reason.startswith("is no line of N-Quads: ") for reason in reasons.values())
    read = [(block.subject, block.line, block.said) for block in found if not isinstance(block, tuple)]
    assert read == [("x:a", 1, [("x:p", "1"), ("x:q", "2")]), ("x:a", 6, [("x:p", "3")]), ("x:b", 8, [("x:p", None)])]


def test_literals_have_the_types_of_values():
    values = {"text": 'a\n"b"', "whole": -7, "share": 0.5, "yes": True, "no": False, "words": ("é", ""), "none": ()}
    lines = [line.rstrip("\n") for line in to_lines(Flat("document", {"id": "d1", "name": "D"}, values), "one")]
    (block,) = blocks(enumerate(lines, 1))
    flat, source = of_block(block)
    assert (flat.properties, source) == (values, "one")
    assert [type(value) for value in flat.properties.values()] == [str, int, float, bool, bool, tuple, tuple]


def test_a_thing_that_says_twice_what_can_be_said_once_or_is_in_another_graph():
    block = Block("x:a", "urn:medgraph:source:one", 1, [(f"{PROPERTIES}n", 1), (f"{PROPERTIES}n", 2)], "entity")
    with pytest.raises(RecordError, match="it has two values of 'n', which can have one"):
        of_block(block)
    with pytest.raises(RecordError, match=r"it is in the graph <urn:x>; graphs are called <urn:medgraph:source:…>"):
        of_block(Block("x:a", "urn:x", 1, [], "entity"))
