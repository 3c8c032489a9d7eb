"""Structured output: what is read of a reply, whatever stands around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SchemaMismatchError
from medgraph.models.protocol import Message, Request
from medgraph.models.wire import decoded, strict_schema, visible, with_schema, without_thinking
from tests.support.llms import STRUCTURED, Verdict

JSON = '{"answers": "yes", "why": "it {says} so"}'


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"  {JSON}\n",
        f"```json\n{JSON}\n```",
        f"Here it is:\n```\n{JSON}",
        f"<think>{{no}}</think>\n{JSON}",
        f"So: </think>{JSON}",
        f"The answer is {JSON}, as asked.",
    ],
)
def test_json_is_found(text):
    value, json, entire = decoded(text, STRUCTURED)
    assert (value, json) == (Verdict("yes", "it {says} so"), JSON)
    assert entire == (text.strip() == JSON)


@pytest.mark.parametrize("text", ["", "yes", '{"answers": "yes"}', JSON[:-5], f"<think>{JSON}", "[1]"])
def test_what_is_not_of_the_schema(text):
    with pytest.raises(SchemaMismatchError, match="the reply does not fit the schema"):
        decoded(text, STRUCTURED)


def test_the_schema_in_words():
    first = with_schema(STRUCTURED).messages[0]
    assert first.role == "system"
    assert first.content.startswith("Be brief.\n\nAnswer with one JSON value")
    plain = with_schema(Request((Message("user", "What?"),), schema=Verdict))
    assert [message.role for message in plain.messages] == ["system", "user"]


def test_a_strict_schema_has_an_object_at_its_root():
    schema = strict_schema(STRUCTURED)
    assert schema["type"] == "object"
    assert "$ref" not in schema
    nested = strict_schema(Request((), schema=list[Verdict]))
    assert nested["$defs"]["Verdict"]["additionalProperties"] is False


PIECES = st.lists(st.sampled_from(["<", "think", ">", "<think>", "</think>", "</", "a", " ", "b"]), max_size=8)


@given(PIECES)
def test_a_stream_shows_what_the_whole_says(pieces):
    text = "".join(pieces)
    if text.lstrip().startswith("<think>") and text.count("think>") <= 2:
        assert "".join(visible(pieces)).strip() == without_thinking(text)
    if "think" not in text:
        assert "".join(visible(pieces)) == text
