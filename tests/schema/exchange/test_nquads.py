"""Records in other formats: N-Quads, flat things, Biolink's words, and cells of tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import RecordError
from medgraph.exports.export import write_nquads
from medgraph.schema.exchange import biolink, table_cells
from medgraph.schema.exchange.flat import Flat, flats, restore
from medgraph.schema.exchange.nquads import blocks, of_block, to_lines
from medgraph.schema.records import Entity, Question, Section
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from tests.support.exchange import STATEMENTS
from tests.support.statements import FORMULA, SLOW, TEXT, statements


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


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("entity", {"lable": "x"}, "the entity has the unknown 'lable'; did you mean 'label'? known are "),
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


def test_every_label_and_type_is_found_again():
    found = {kind: biolink.relation_of(biolink.predicate_of(kind)) for kind in RELATION_TYPES}
    assert {kind: other for kind, other in found.items() if other != kind} == {
        "HAS_COMPLICATION": None, "RELATED_MATCH": "RELATED_TO",  # of which Biolink says less
    }  # fmt: skip
    assert {biolink.relation_of(predicate) for predicate in RELATION_TYPES.values()} == set(RELATION_TYPES)
    for label, category in ENTITY_LABELS.items():
        found = biolink.label_of(biolink.categories_of(label))
        assert ENTITY_LABELS[found or "Topic"] == category, label


@given(st.lists(TEXT, max_size=4))
def test_cells_come_back(items):
    cell = table_cells.write_list(items)
    assert table_cells.parse_list(cell) == items
    assert [table_cells.parse_cell(table_cells.write(item)) for item in items] == items
    assert not cell.startswith(FORMULA)
    assert not {"\t", "\n", "\r"} & set(cell)
