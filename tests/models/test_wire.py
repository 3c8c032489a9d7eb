"""The chat format of OpenAI, structured output and prices; servers are tested in `test_openai_server`."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import ModelReplyError, SchemaMismatchError, SettingsError
from medgraph.models import wire
from medgraph.models.protocol import Message, Request, Usage
from medgraph.models.wire import cost, decoded, strict_schema, visible, with_schema, without_thinking
from tests.support.llms import ASKED, STRUCTURED, Verdict

JSON = '{"answers": "yes", "why": "it {says} so"}'
USAGE = Usage(2_000_000, 500_000)


@pytest.mark.parametrize(
    ("structure", "kind"), [("json_schema", "json_schema"), ("json_object", "json_object"), ("text", None)]
)
def test_how_structured_output_is_asked_for(structure, kind):
    body = wire.body(STRUCTURED, "some", structure)
    assert body.get("response_format", {}).get("type") == kind
    assert ("JSON Schema" in body["messages"][0]["content"]) == (structure != "json_schema")


def test_free_text_is_asked_for_plainly():
    assert wire.body(ASKED, "some", "").keys() == {"model", "messages", "max_tokens", "temperature"}
    assert wire.body(replace(ASKED, seed=1, stop=("a",)), "some", "")["stop"] == ["a"]


def test_pieces_are_joined():
    pieces = [
        wire.Completion([wire.Choice(delta=wire.Turn("Rest"))], model="some"),
        wire.Completion([wire.Choice(delta=wire.Turn("."), finish_reason="stop")]),
        wire.Completion([], wire.WireUsage(3, 2)),
    ]
    reply = wire.whole(wire.joined(pieces), ASKED, "some", "")
    assert (reply.text, reply.finish, reply.usage.reply_tokens, reply.model) == ("Rest.", "stop", 2, "some")
    with pytest.raises(ModelReplyError, match="ended before the reply did"):
        wire.joined(pieces[:1])


def test_no_choice_is_no_answer():
    with pytest.raises(ModelReplyError, match="answered nothing"):
        wire.whole(wire.parse(b'{"choices": []}'), ASKED, "some", "")


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


def test_a_cost(tmp_path):
    table = tmp_path / "prices.tsv"
    table.write_text("# model\tread\twritten\nbig\t1.5\t4\ngguf:own\t0\t0\n")
    assert cost(table, "openai:big", USAGE) == 5.0
    assert cost(table, "gguf:own", USAGE) == 0.0
    assert cost(table, "openai:other", USAGE) is None
    assert cost(None, "openai:big", USAGE) is None


@pytest.mark.parametrize("line", ["big 1 2", "big\t1", "big\tone\ttwo"])
def test_a_row_that_is_none(tmp_path, line):
    table = tmp_path / "prices.tsv"
    table.write_text(f"small\t1\t2\n{line}\n")
    with pytest.raises(SettingsError, match=r"prices\.tsv:2: .* is no row of prices"):
        cost(table, "big", USAGE)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(SettingsError, match=r"MEDGRAPH_MODEL_PRICES: .* cannot be read"):
        cost(tmp_path / "none.tsv", "big", USAGE)
