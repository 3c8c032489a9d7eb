"""N-Quads: valid for others, in the terms of the field, and things again from lines."""

import pytest
from hypothesis import given

from medgraph.exports.export import write_nquads
from medgraph.schema.exchange.flat import flats
from medgraph.schema.exchange.nquads import blocks, of_block, to_lines
from medgraph.schema.records import Entity
from tests.support.exchange import STATEMENTS
from tests.support.statements import SLOW, statements


@pytest.fixture
def path(tmp_path):
    write_nquads(tmp_path / "all.nq", STATEMENTS)
    return tmp_path / "all.nq"


@SLOW
@given(said=statements())
def test_other_programs_read_what_we_write(tmp_path_factory, said):
    from pyoxigraph import RdfFormat, parse

    path = tmp_path_factory.mktemp("quads") / "all.nq"
    write_nquads(path, said)
    quads = list(parse(path=str(path), format=RdfFormat.N_QUADS))
    assert len(quads) == path.read_bytes().count(b"\n")
    assert {quad.graph_name.value for quad in quads} <= {"urn:medgraph:source:one", "urn:medgraph:source:two"}
    names = {record.name for _, record in said if isinstance(record, Entity)}
    assert names <= {quad.object.value for quad in quads if quad.predicate.value.endswith("rdf-schema#label")}


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
