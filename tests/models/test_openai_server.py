"""The adapter to servers, against a scripted one that does what real ones do."""

from typing import Literal

import msgspec
import pytest

from medgraph.models.open import open_model
from medgraph.models.protocol import Message, Request
from medgraph.settings import Settings
from tests.support.scripted import NAME, Scripted, says

ASKED = Request((Message("system", "Be brief."), Message("user", "What helps against gout?")), max_tokens=50)


class Verdict(msgspec.Struct):
    answers: Literal["yes", "partly", "no"]
    why: str


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Opens the model at a server."""

    def opened(server, **variables):
        for name, value in {**server.environment(), "MEDGRAPH_CACHE": str(tmp_path), **variables}.items():
            monkeypatch.setenv(name, value)
        return open_model(Settings.from_environment())

    return opened


def test_whole(at):
    with Scripted(says("Rest and ice.")) as server:
        reply = at(server).complete(ASKED)
    assert (reply.text, reply.finish, reply.model, reply.remarks) == ("Rest and ice.", "stop", NAME, ())
    assert (reply.usage.prompt_tokens, reply.usage.reply_tokens, reply.usage.estimated) == (6, 3, False)
    assert server.requests[0] | {"messages": ()} == {
        "model": NAME, "messages": (), "max_tokens": 50, "temperature": 0.0,
    }  # fmt: skip


def test_streamed(at):
    with Scripted(says("Rest and ice.")) as server:
        *pieces, reply = at(server).stream(ASKED)
    assert pieces == ["Rest ", "and ", "ice."]
    assert (reply.text, reply.usage.reply_tokens) == ("Rest and ice.", 3)


def test_structured(at):
    with Scripted(says({"answers": "yes", "why": "it says so"})) as server:
        reply = at(server).complete(Request(ASKED.messages, schema=Verdict))
    assert reply.value == Verdict("yes", "it says so")
    assert reply.structure == "json_schema"
