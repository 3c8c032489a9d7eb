"""The chat format of OpenAI; servers are tested in `test_openai_server`."""

from dataclasses import replace

import pytest

from medgraph.errors import ModelReplyError
from medgraph.models import wire
from tests.support.llms import ASKED, STRUCTURED


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
        wire.whole(wire.read(b'{"choices": []}'), ASKED, "some", "")
