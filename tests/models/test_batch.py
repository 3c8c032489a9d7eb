"""Batch mode: requests are written down, and answered from files."""

import json
from dataclasses import replace

import pytest

from medgraph.errors import ContextExceededError, InputError, ModelReplyError, RequestsWaitError, SchemaMismatchError
from medgraph.models.batch import BatchModel
from medgraph.models.protocol import Message, Request
from medgraph.settings import Settings
from tests.support.llms import ASKED, STRUCTURED, Verdict
from tests.support.scripted import result, says, status

OTHER = Request((Message("user", "What is asthma?"),))


@pytest.fixture
def opened(tmp_path):
    return lambda **changes: BatchModel(
        tmp_path / "batch", replace(Settings(tmp_path, tmp_path, model="openai:big"), **changes)
    )


def waiting(tmp_path):
    path = tmp_path / "batch" / "requests.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def ask(model, *requests):
    """Ask as an evaluation does, which goes on where a reply is not there yet."""
    for request in requests:
        with pytest.raises(RequestsWaitError, match="a request to openai:big waits for its reply in"):
            model.complete(request)
    return model.write()


def put(tmp_path, name, *lines):
    (tmp_path / "batch" / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_rounds(opened, tmp_path):
    assert ask(opened(), ASKED, STRUCTURED, ASKED) == 2
    first, second = waiting(tmp_path)
    assert (first["method"], first["url"]) == ("POST", "/v1/chat/completions")
    assert (first["body"]["model"], first["body"]["max_tokens"]) == ("big", 50)
    assert second["body"]["response_format"]["type"] == "json_schema"
    put(tmp_path, "round-1.jsonl", result(first, says("Rest.", model="big")))
    model = opened()
    assert model.complete(ASKED).text == "Rest."
    assert next(model.stream(ASKED)) == "Rest."
    assert ask(model, STRUCTURED, OTHER) == 2
    fenced = says('```json\n{"answers": "no", "why": "?"}\n```', model="big")
    put(tmp_path, "round-2.jsonl", *(result(line, fenced) for line in waiting(tmp_path)))
    model = opened()
    reply = model.complete(STRUCTURED)
    assert (reply.value, reply.structure, reply.remarks) == (Verdict("no", "?"), "text", ())
    assert model.complete(OTHER).usage.reply_tokens
    assert model.write() == 0
    assert waiting(tmp_path) == []


def test_a_reply_is_of_one_model(opened, tmp_path):
    ask(opened(), ASKED)
    put(tmp_path, "results.jsonl", result(*waiting(tmp_path), says("Rest.")))
    assert opened().complete(ASKED).remarks == ("The server answered with the model scripted-1, not big.",)
    with pytest.raises(RequestsWaitError):
        opened(model="openai:other").complete(ASKED)


def test_the_least_that_a_reader_must_write(opened, tmp_path):
    ask(opened(), ASKED)
    body = {"choices": [{"message": {"content": "Rest."}}]}
    put(tmp_path, "mine.jsonl", {"custom_id": waiting(tmp_path)[0]["custom_id"], "response": {"body": body}})
    reply = opened().complete(ASKED)
    assert (reply.text, reply.finish, reply.model, reply.usage.estimated) == ("Rest.", "stop", "big", True)


def test_failures_of_a_service(opened, tmp_path):
    ask(opened(), ASKED, OTHER)
    first, second = waiting(tmp_path)
    failed = {"custom_id": second["custom_id"], "response": None, "error": {"code": "expired", "message": "too late"}}
    put(tmp_path, "results.jsonl", result(first, status(400, "odd")), failed)
    model = opened()
    with pytest.raises(ModelReplyError, match=r"the batch failed at the request \w{12}…: .*odd.*; delete its line"):
        model.complete(ASKED)
    with pytest.raises(ModelReplyError, match="too late"):
        model.complete(OTHER)
    put(tmp_path, "again.jsonl", result(second, says("A disease.")))
    assert opened().complete(OTHER).text == "A disease."


def test_what_is_of_no_use(opened, tmp_path):
    ask(opened(), STRUCTURED)
    put(tmp_path, "results.jsonl", result(*waiting(tmp_path), says("No JSON.")))
    with pytest.raises(SchemaMismatchError):
        opened().complete(STRUCTURED)
    with pytest.raises(ContextExceededError):
        opened(model_context=256).complete(replace(ASKED, max_tokens=300))


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}'])
def test_a_line_that_is_no_result(opened, tmp_path, line):
    opened()
    (tmp_path / "batch" / "results.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=r"results\.jsonl:2: this is no result of a batch"):
        opened()


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be used for batch files"):
        BatchModel(tmp_path / "file", Settings(tmp_path, tmp_path, model="openai:big"))
