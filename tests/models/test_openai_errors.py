"""What errors of the SDK mean, and what is remembered; `test_openai_server` has errors that a server sends."""

import openai
import pytest
from httpx2 import Request, Response

from medgraph.models.openai_server import Learned, may_pass, recall, refused_parameter, remember, retry_after

LEARNED = Learned("text", ("seed",))
REQUEST = Request("POST", "http://127.0.0.1/v1")


def failed(kind, status, message="no", headers=(), **body):
    response = Response(status, request=REQUEST, headers=dict(headers))
    return kind(message, response=response, body={"message": message, **body})


@pytest.mark.parametrize(
    ("message", "param", "part"),
    [
        ("Unsupported parameter", "seed", "seed"),
        ("'temperature' does not support 0.0 with this model", None, "temperature"),
        ("Use 'max_completion_tokens' instead of max_tokens", "max_tokens", "max_tokens"),
        ("response_format.json_schema is not there", "response_format", "response_format"),
        ("Failed to compile the grammar", None, "response_format"),
        ("This model's maximum context length is 512 tokens; max_tokens is 900", None, None),
        ("messages are odd", "messages", None),
    ],
)
def test_what_a_server_refuses(message, param, part):
    body = {"seed": 1, "temperature": 0, "max_tokens": 5, "response_format": {}}
    assert refused_parameter(failed(openai.BadRequestError, 400, message, param=param), body) == part
    assert refused_parameter(failed(openai.InternalServerError, 500, message, param=param), body) is None


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (failed(openai.RateLimitError, 429), True),
        (failed(openai.RateLimitError, 429, code="insufficient_quota"), False),
        (failed(openai.InternalServerError, 503), True),
        (failed(openai.BadRequestError, 400), False),
        (openai.APIConnectionError(request=REQUEST), True),
        (openai.APITimeoutError(REQUEST), False),
        (ValueError(), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_may_pass(error, passes):
    assert may_pass(error) == passes


@pytest.mark.parametrize(("header", "seconds"), [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("soon", None), ("", None)])
def test_how_long_to_wait(header, seconds):
    assert retry_after(failed(openai.RateLimitError, 429, headers={"Retry-After": header})) == seconds


def test_what_was_learned_is_known_again(tmp_path):
    assert recall(tmp_path, "a") == Learned()
    remember(tmp_path, "a", LEARNED)
    remember(tmp_path, "b", Learned("json_object"))
    assert (recall(tmp_path, "a"), recall(tmp_path, "b").structure) == (LEARNED, "json_object")


def test_a_damaged_file_is_learned_anew(tmp_path):
    (tmp_path / "models.json").write_text("{")
    assert recall(tmp_path, "a") == Learned()
    remember(tmp_path, "a", LEARNED)
    assert recall(tmp_path, "a") == LEARNED


def test_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    remember(tmp_path / "file" / "cache", "a", LEARNED)
    assert recall(tmp_path / "file" / "cache", "a") == Learned()
