"""The adapter to servers, against a scripted one that does what real ones do."""

import logging
import threading
import traceback
from contextlib import closing
from dataclasses import replace

import pytest

from medgraph.errors import (
    ContextExceededError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelReplyError,
    ModelUnavailableError,
    SchemaMismatchError,
    SettingsError,
)
from medgraph.models.open import open_model
from medgraph.models.protocol import Message
from medgraph.settings import Settings
from tests.support.llms import ASKED, STRUCTURED, Verdict
from tests.support.scripted import (
    NAME,
    Scripted,
    cut,
    filtered,
    garbage,
    nothing,
    says,
    silence,
    status,
    tool_calls,
)

YES = {"answers": "yes", "why": "it says so"}
FENCED = '<think>{"answers": no}</think>Here it is:\n```json\n{"answers": "yes", "why": "it says so"}\n```'


def call(model, request, streamed):
    """Give the reply, whole or at the end of a stream."""
    return list(model.stream(request))[-1] if streamed else model.complete(request)


both = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


def test_whole(at):
    with Scripted(says("Rest and ice.")) as server:
        reply = at(server).complete(ASKED)
    assert (reply.text, reply.finish, reply.model, reply.remarks) == ("Rest and ice.", "stop", NAME, ())
    assert (reply.usage.prompt_tokens, reply.usage.reply_tokens, reply.usage.estimated) == (6, 3, False)
    assert server.requests == [
        {
            "model": NAME,
            "messages": [{"role": message.role, "content": message.content} for message in ASKED.messages],
            "max_tokens": 50,
            "temperature": 0.0,
        }
    ]  # fmt: skip


def test_streamed(at):
    with Scripted(says("Rest and ice.")) as server:
        *pieces, reply = at(server).stream(ASKED)
    assert pieces == ["Rest ", "and ", "ice."]
    assert (reply.text, reply.usage.reply_tokens, reply.usage.estimated) == ("Rest and ice.", 3, False)


def test_what_is_set_is_sent_and_nothing_else(at):
    with Scripted(says("Rest.")) as server:
        at(server).complete(replace(ASKED, stop=("\n",), seed=7, temperature=0.5))
    assert {name: server.requests[0].get(name) for name in ("stop", "seed", "temperature")} == {
        "stop": ["\n"],
        "seed": 7,
        "temperature": 0.5,
    }


@both
def test_tokens_that_a_server_does_not_count_are_estimated(at, streamed):
    with Scripted(says("Rest and ice.", usage=False)) as server:
        usage = call(at(server), ASKED, streamed).usage
    assert usage.estimated
    assert 5 <= usage.prompt_tokens <= 15
    assert 3 <= usage.reply_tokens <= 6


def test_cost_by_the_users_table(at, tmp_path):
    table = tmp_path / "prices.tsv"
    table.write_text(f"# model\tread\twritten\n{NAME}\t2\t10\n")
    with Scripted(says("Rest and ice.")) as server:
        assert at(server, MEDGRAPH_MODEL_PRICES=str(table)).complete(ASKED).usage.cost == pytest.approx(42e-6)


@both
def test_thinking_is_cut_off(at, streamed):
    with Scripted(says("<think>Is it gout? I think so.</think>\n\nRest.")) as server:
        model = at(server)
        assert call(model, ASKED, streamed).text == "Rest."
        assert [piece for piece in model.stream(ASKED) if isinstance(piece, str)] == ["Rest."]


@both
@pytest.mark.parametrize("step", [status(429), status(429, retry_after=0), status(500), status(503, retry_after=0)])
def test_a_server_that_recovers(at, step, streamed):
    with Scripted(step, says("Rest.")) as server:
        assert call(at(server), ASKED, streamed).text == "Rest."
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("step", "least", "most"),
    [(status(429, retry_after=7), 7, 7), (status(429), 0.375, 0.625), (status(500), 0.375, 0.625)],
)
def test_waits_as_long_as_the_server_asks(at, step, least, most, monkeypatch):
    slept = []
    monkeypatch.setattr("medgraph.models.openai_server.sleep", slept.append)
    with Scripted(step, step, says("Rest.")) as server:
        at(server).complete(ASKED)
    first, second = slept
    assert least <= first <= most
    assert second == 7 if least == 7 else 2 * least <= second <= 2 * most


def test_a_wait_that_is_too_long_is_handed_on(at):
    with Scripted(status(429, "slow down", retry_after=90)) as server, pytest.raises(ModelBusyError) as raised:
        at(server).complete(ASKED)
    assert raised.value.retry_after == 90
    assert len(server.requests) == 1


@both
@pytest.mark.parametrize(
    ("step", "error", "said", "calls"),
    [
        (status(500, "out of memory"), ModelUnavailableError, r"fails \(500\): out of memory", 4),
        (status(401), ModelRefusedError, r"refuses the key \(401\); check OPENAI_API_KEY", 1),
        (status(403), ModelRefusedError, r"refuses the key \(403\)", 1),
        (status(404, "no such model"), ModelRefusedError, f"has no model '{NAME}': no such model; check", 1),
        (status(400, "messages: too odd"), ModelRefusedError, r"refuses the request \(400\): messages: too odd", 1),
        (status(400, "long", code="context_length_exceeded"), ContextExceededError, "set MEDGRAPH_MODEL_CONTEXT", 1),
        (status(429, "pay", code="insufficient_quota"), ModelRefusedError, r"\(429\): pay", 1),
        (garbage(), ModelReplyError, "not of the chat format", 1),
        (garbage(b'{"choices": {"a": 1}}'), ModelReplyError, "not of the chat format", 1),
        (nothing(40), ModelReplyError, "answered nothing", 1),
        (nothing(1000), ModelReplyError, "answered nothing|goes on beyond the most tokens", 1),
        (says("<think>" + "well " * 30), ModelReplyError, "answered nothing", 1),
        (tool_calls(), ModelReplyError, "called tools, and none were offered", 1),
        (filtered("Rest"), ModelReplyError, "filtered", 1),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_failures(at, step, error, said, calls, streamed, monkeypatch):
    monkeypatch.setattr("medgraph.models.openai_server.sleep", lambda seconds: None)
    with Scripted(step) as server, pytest.raises(error, match=said):
        call(at(server), ASKED, streamed)
    assert len(server.requests) == calls


def test_a_stream_that_breaks_off(at):
    pieces = []
    with Scripted(cut("Rest and ice.")) as server, pytest.raises(ModelUnavailableError, match="broke off"):
        pieces.extend(at(server).stream(ASKED))
    assert pieces == ["Rest ", "and "]


def test_a_stream_that_ends_too_early(at):
    with Scripted(says("Rest.", finish=None)) as server, pytest.raises(ModelReplyError, match="ended before"):
        list(at(server).stream(ASKED))


def test_a_whole_reply_that_breaks_off_is_asked_for_again(at):
    with Scripted(cut("Rest and ice."), says("Rest.")) as server:
        assert at(server).complete(ASKED).text == "Rest."


@both
def test_silence(at, streamed):
    with Scripted(silence(3)) as server, pytest.raises(ModelUnavailableError, match="was silent for 1 seconds"):
        call(at(server, MEDGRAPH_MODEL_TIMEOUT="1"), ASKED, streamed)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there(at):
    with Scripted(says("")) as server:
        model = at(server, MEDGRAPH_MODEL_TIMEOUT="1")
    with pytest.raises(ModelUnavailableError, match=r"http://127\.0\.0\.1:\d+ cannot be reached"):
        model.complete(ASKED)


@both
def test_another_model_answers(at, streamed):
    with Scripted(says("Rest.", model="other-2")) as server:
        reply = call(at(server), ASKED, streamed)
    assert reply.model == "other-2"
    assert reply.remarks == (f"The server answered with the model other-2, not {NAME}.",)


@both
def test_a_reply_that_is_cut_off_says_so(at, streamed):
    with Scripted(says("Rest and", finish="length")) as server:
        model = at(server)
        assert call(model, ASKED, streamed).finish == "length"
        with pytest.raises(SchemaMismatchError, match="cut off after 50 tokens"):
            call(model, STRUCTURED, streamed)
    assert len(server.requests) == (2 if streamed else 4)


@both
def test_json_that_is_cut_off_is_not_asked_for_again(at, streamed):
    with Scripted(says('{"answers": "yes", "why": "it', finish="length")) as server:
        with pytest.raises(ModelReplyError, match="cut off after 50 tokens"):
            call(at(server), STRUCTURED, streamed)
        assert len(server.requests) == 1


def refuses(*names):
    """Answer as servers do that do not take some parameters or kinds of structured output."""

    def step(body):
        for name in names:
            if name in body:
                return status(400, f"Unsupported parameter: '{name}' is not supported with this model.", param=name)
            if body.get("response_format", {}).get("type") == name:
                return status(400, f"response_format {name} is not supported")
        return says(YES if "response_format" in body else FENCED)

    return step


def test_parameters_that_a_server_refuses_are_left_out(at):
    with Scripted(refuses("max_tokens", "temperature", "seed")) as server:
        reply = at(server).complete(replace(ASKED, seed=7))
        assert at(server).complete(ASKED).text
    last = server.requests[-1]
    assert last["max_completion_tokens"] == 50
    assert not {"max_tokens", "temperature", "seed"} & last.keys()
    assert reply.remarks == (
        "The server takes no seed: it was left out.",
        "The server takes no temperature: it was left out.",
    )
    assert len(server.requests) == 5  # what was learned is known to the next command


@both
@pytest.mark.parametrize(
    ("step", "structure", "calls"),
    [
        (says(YES), "json_schema", 1),
        (refuses("json_schema"), "json_object", 2),
        (refuses("json_schema", "json_object"), "text", 3),
        (says(FENCED), "text", 1),
    ],
)
def test_structured_output_by_what_the_server_can(at, step, structure, calls, streamed):
    with Scripted(step) as server:
        reply = call(at(server), STRUCTURED, streamed)
        assert (reply.value, reply.structure) == (Verdict("yes", "it says so"), structure)
        assert len(server.requests) == calls
        call(at(server), STRUCTURED, streamed)
        assert len(server.requests) == calls + 1
    said = server.requests[-1]["messages"][0]["content"]
    assert ("JSON Schema" in said) == (structure != "json_schema")
    sent = server.requests[-1].get("response_format")
    assert sent is None if structure == "text" else sent["type"] == structure


def test_a_server_that_ignores_the_schema_is_told_it_in_words(at):
    with Scripted(lambda body: says(YES if "JSON Schema" in body["messages"][0]["content"] else "Yes!")) as server:
        model = at(server)
        with pytest.raises(SchemaMismatchError):
            list(model.stream(STRUCTURED))
        assert list(model.stream(STRUCTURED))[-1].structure == "json_object"
        assert model.complete(STRUCTURED).value.answers == "yes"


def test_nonsense_in_every_kind(at):
    said = r"does not fit the schema \(Invalid enum value 'maybe'"
    with Scripted(says({"answers": "maybe", "why": "?"})) as server, pytest.raises(SchemaMismatchError, match=said):
        at(server).complete(STRUCTURED)
    assert len(server.requests) == 3


def test_the_schema_is_strict(at):
    with Scripted(says(YES)) as server:
        at(server).complete(STRUCTURED)
    schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["type"] == "object"
    assert (schema["required"], schema["additionalProperties"]) == (["answers", "why"], False)


def test_a_prompt_that_does_not_fit_is_not_sent(at):
    with Scripted(says("Rest.")) as server:
        model = at(server, MEDGRAPH_MODEL_CONTEXT="256")
        with pytest.raises(ContextExceededError, match="takes 256 tokens, and the prompt has about"):
            model.complete(replace(ASKED, messages=(Message("user", "gout " * 200),)))
    assert server.requests == []


def test_calls_at_once_are_bounded(at):
    with Scripted(says("Rest.", between=0, silent=0.2)) as server:
        model = at(server, MEDGRAPH_MODEL_CALLS="3")
        threads = [threading.Thread(target=model.complete, args=(ASKED,)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (len(server.requests), server.most) == (20, 3)


def test_who_waits_too_long_is_told_when_to_come_back(at):
    with Scripted(says("Rest. " * 20, between=0.3)) as server:
        model = at(server, MEDGRAPH_MODEL_CALLS="1", MEDGRAPH_MODEL_TIMEOUT="1")
        with closing(model.stream(ASKED)) as held:
            next(held)
            with pytest.raises(ModelBusyError) as raised:
                model.complete(ASKED)
    assert raised.value.retry_after == 1


def test_leaving_a_stream_ends_the_call(at):
    with Scripted(says("Rest. " * 500, between=0.02)) as server:
        with closing(at(server).stream(ASKED)) as pieces:
            assert next(pieces) == "Rest. "
        assert server.left.wait(5)


KEY = "verysecret+0123456789"
MASKED = "sk-verysecret*******6789"


def leaky(body):
    return status(401, f"Incorrect API key provided: {MASKED}. Find yours at …", code="invalid_api_key")


@pytest.mark.parametrize(
    "step", [leaky, status(400, f"odd: {KEY}"), status(400, f"odd: {MASKED}"), status(500, KEY), garbage(KEY.encode())]
)
def test_the_key_is_never_shown(at, step, caplog, capfd, tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.models.openai_server.sleep", lambda seconds: None)
    caplog.set_level(logging.DEBUG)
    with Scripted(step) as server:
        model = at(server, OPENAI_API_KEY=KEY)
        seen = [repr(model), str(vars(model)), model.fingerprint, repr(Settings.from_environment())]
        with pytest.raises(ModelError) as raised:
            model.complete(STRUCTURED)
        seen += [repr(raised.value), "".join(traceback.format_exception(raised.value))]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    seen += [caplog.text, *capfd.readouterr(), *(path.read_text() for path in tmp_path.iterdir())]
    assert not any("verysecret" in text for text in seen)


@pytest.mark.parametrize("address", ["127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "http://", "nowhere", "http://[::1/v1"])
def test_an_address_that_is_none(monkeypatch, tmp_path, address):
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL is no address of a server; set it to one such as http://"):
        open_model(Settings(tmp_path, tmp_path, model="openai:some"))


@pytest.mark.parametrize("key", [KEY + "\n", f"{KEY} ", f"{KEY}…"])
def test_a_key_that_cannot_be_sent(at, key):
    with Scripted(says("Rest.")) as server, pytest.raises(SettingsError, match="OPENAI_API_KEY holds a char") as raised:
        at(server, OPENAI_API_KEY=key)
    assert "verysecret" not in str(raised.value)


def test_no_key(monkeypatch, tmp_path, at):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="set OPENAI_API_KEY to your key, or OPENAI_BASE_URL"):
        open_model(Settings(tmp_path, tmp_path, model="openai:some"))
    with Scripted(says("Rest.")) as server:
        assert at(server, OPENAI_API_KEY="").complete(ASKED).text == "Rest."


def test_the_fingerprint_leaves_out_who_asks(at):
    with Scripted(says("Rest.")) as server:
        address = server.url.replace("http://", "http://me:secret@")
        model = at(server, OPENAI_BASE_URL=address)
    assert model.fingerprint == f"openai:{NAME}@{server.url}"
