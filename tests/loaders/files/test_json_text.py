"""JSON as records take it: strictly, and with the reason where it is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import RecordError
from medgraph.loaders.files.json_text import DECODER, parse, parse_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_what_json_can_say_is_read(value):
    text = json.dumps(value, ensure_ascii=True)
    assert parse(text) == parse(text.encode()) == parse(b"\xef\xbb\xbf" + text.encode() + b" \r\n") == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"{", "is not valid JSON, column 2: Expecting property name enclosed in double quotes; write one object a li"),
        (b"{} {}", "is not valid JSON, column 4: Extra data; write one object a line"),
        (b"\xe9", "is not UTF-8: byte 0xE9 at place 1 of the line; save the file as UTF-8"),
        (b"[" * 100_000, "is not valid JSON: nested too deep"),
        (b"9" * 5000, "is not usable JSON: Exceeds the limit"),
        (b"[NaN]", "NaN is not JSON"),
        (b"-Infinity", "-Infinity is not JSON"),
        (b'{"a": {"b": 1, "c": 2, "b": 3}}', "the key 'b' stands twice in one object"),
    ],
)
def test_what_is_refused(text, reason):
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert str(caught.value).startswith(reason)


def test_an_object():
    assert parse_object(b'{"a": [1, null]}\n') == {"a": [1, None]}
    for text in (b"[]", b"1", b'"a"', b"null"):
        with pytest.raises(RecordError, match=r"is not a JSON object in \{\}; write one object a line"):
            parse_object(text)


def test_values_that_follow_each_other_are_read_strictly_too():
    assert DECODER.raw_decode('{"a": 1} rest') == ({"a": 1}, 8)
    with pytest.raises(RecordError, match="the key 'a' stands twice"):
        DECODER.raw_decode('{"a": 1, "a": 2} rest')
