"""Documents of JSON, read piece by piece."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import json_items

VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)


@given(
    items=st.lists(VALUE, max_size=4),
    others=st.dictionaries(st.text(), VALUE, max_size=3),
    indent=st.sampled_from([None, 1]),
)  # fmt: skip
def test_items_and_members_are_those_of_the_document(tmp_path_factory, items, others, indent):
    path = tmp_path_factory.mktemp("json") / "x.json"
    others.pop("items", None)
    path.write_text(json.dumps(others | {"items": items}, indent=indent, ensure_ascii=False), "utf-8", "surrogatepass")
    assert [value for _, value in json_items.of(path, "items")] == items
    assert json_items.members(path, {"items"}) == others


def test_an_item_that_is_not_strict_is_rejected_and_those_after_it_are_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"items": [1,\n{"a": 1, "a": 2},\nNaN,\n3]}')
    first, twice, nan, last = json_items.of(path, "items")
    assert (first, last) == ((1, 1), (4, 3))
    assert (twice.line, twice.reason.partition(" (")[0]) == (2, "the key 'a' stands twice in one object")
    assert isinstance(nan, Reject)
    assert nan.reason.startswith("NaN is not JSON")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"[1]", 1, "{ should stand here"),
        (b'{"a": 1,\n"items": [1, 2', 2, "] should stand here"),
        (b'{"items": [1 2]}', 1, "] should stand here"),
        (b'{"items": [1,\n}', 2, "Expecting value"),
        (b'{"a"\n1}', 2, ": should stand here"),
        (b'{"items": 1}', 1, "[ should stand here"),
        (b"{1: 2}", 1, "a name in quotation marks should stand here"),
        (b'{"items": ["\xff"]}', 1, "it is not UTF-8"),
        (b'{"items": ' + b"[" * 100_000, 1, "nested too deep"),
    ],
)
def test_what_is_no_whole_document(tmp_path, text, line, message):
    path = tmp_path / "x.json"
    path.write_bytes(text)
    with pytest.raises(SourceFileError) as raised:
        list(json_items.of(path, "items"))
    assert raised.value.line == line
    assert message in str(raised.value)
