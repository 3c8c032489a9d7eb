"""Records taken apart into flat things, and put together again."""

import pytest
from hypothesis import given

from medgraph.errors import RecordError
from medgraph.schema.exchange.flat import Flat, flats, restore
from medgraph.schema.records import Question, Section
from tests.support.statements import statements


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
