"""The chat format of OpenAI: what is sent, and what is read of it; batch files and servers alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..errors import ModelReplyError, SchemaMismatchError
from .protocol import Reply, Usage, estimated_tokens
from .structured import decoded, strict_schema, with_schema, without_thinking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .protocol import Finish, Request, Structure

# How structured output is asked for, in the order in which it is tried.
STRUCTURES: Final[tuple[Structure, ...]] = ("json_schema", "json_object", "text")
FINISHES: Final[dict[str, Finish]] = {"stop": "stop", "length": "length"}


class WireUsage(msgspec.Struct):
    """Tokens as a server counts them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class Turn(msgspec.Struct):
    """A message, or what a piece of a stream adds to it."""

    content: str | None = None
    tool_calls: list[Any] | None = None
    refusal: str | None = None


class Choice(msgspec.Struct):
    """One of the replies; only one is ever asked for."""

    message: Turn | None = None
    delta: Turn | None = None
    finish_reason: str | None = None


class Completion(msgspec.Struct):
    """A whole reply, or a piece of a stream."""

    choices: list[Choice]
    usage: WireUsage | None = None
    model: str | None = None


def body(request: Request, model: str, structure: Structure) -> dict[str, Any]:
    """Write a request as the chat format has it.

    Args:
        model: The model's name at the server.
        structure: How structured output is asked for; of no account for free text.

    Returns:
        The body, without what the request does not set.
    """
    if request.schema is not None and structure != "json_schema":
        request = with_schema(request)
    made: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    if request.stop:
        made["stop"] = list(request.stop)
    if request.seed is not None:
        made["seed"] = request.seed
    if request.schema is not None and structure == "json_schema":
        schema = {"name": "answer", "strict": True, "schema": strict_schema(request)}
        made["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.schema is not None and structure == "json_object":
        made["response_format"] = {"type": "json_object"}
    return made


def read(data: bytes | str) -> Completion:
    """Read a whole reply.

    Args:
        data: JSON as a server sends it.

    Returns:
        The reply, which may hold anything that the format allows.

    Raises:
        ModelReplyError: It is not of the format.
    """
    try:
        return msgspec.json.decode(data, type=Completion)
    except msgspec.MsgspecError as error:
        raise ModelReplyError(f"the server's reply is not of the chat format: {error}") from None


def text_of(piece: Completion) -> str:
    """Give the text of a piece of a stream.

    Returns:
        Its text; empty where it brings none.
    """
    delta = piece.choices[0].delta if piece.choices else None
    return (delta.content if delta else None) or ""


def joined(pieces: Sequence[Completion]) -> Completion:
    """Put the pieces of a stream together.

    Raises:
        ModelReplyError: The stream ended before the reply did.
    """
    deltas = [choice.delta or Turn() for piece in pieces for choice in piece.choices[:1]]
    finish = [choice.finish_reason for piece in pieces for choice in piece.choices[:1] if choice.finish_reason]
    if not finish:
        raise ModelReplyError("the stream ended before the reply did")
    called = [call for delta in deltas for call in delta.tool_calls or ()]
    refused = "".join(delta.refusal or "" for delta in deltas)
    turn = Turn("".join(map(text_of, pieces)), called, refused)
    usage = next((piece.usage for piece in reversed(pieces) if piece.usage), None)
    model = next((piece.model for piece in pieces if piece.model), None)
    return Completion([Choice(turn, finish_reason=finish[-1])], usage, model)


def whole(completion: Completion, request: Request, model: str, structure: Structure) -> Reply:
    """Make a reply of what a server sent.

    Args:
        model: The model that was asked for, by its name at the server.
        structure: How structured output was asked for.

    Raises:
        ModelReplyError: It is empty, filtered, calls tools, is cut off, or is not of the schema.
    """
    choice = completion.choices[0] if completion.choices else Choice()
    turn = choice.message or Turn()
    if choice.finish_reason == "content_filter" or turn.refusal:
        raise ModelReplyError("the model's provider filtered the reply")
    if turn.tool_calls:
        raise ModelReplyError("the model called tools, and none were offered")
    text, answered = turn.content or "", completion.model or model
    if not without_thinking(text):
        raise ModelReplyError("the model answered nothing")
    remarks = () if answered == model else (f"The server answered with the model {answered}, not {model}.",)
    usage = usage_of(completion.usage, request, text)
    finish = FINISHES.get(choice.finish_reason or "", "stop")
    if request.schema is None:
        return Reply(without_thinking(text), finish, usage, answered, remarks=remarks)
    if finish == "length":
        begun = without_thinking(text).lstrip("`json \n")[:1] in {"{", "["}
        kind = ModelReplyError if begun else SchemaMismatchError  # a server that ignores the schema may take its words
        raise kind(f"the reply was cut off after {request.max_tokens} tokens")
    value, json, entire = decoded(text, request)
    return Reply(json, finish, usage, answered, structure if entire else "text", value, remarks)


def usage_of(counted: WireUsage | None, request: Request, text: str) -> Usage:
    """Tell what a call took.

    Args:
        counted: What the server counted; None or zero where it did not.
    """
    if counted is not None and counted.prompt_tokens:
        return Usage(counted.prompt_tokens, counted.completion_tokens)
    read = sum(estimated_tokens(message.content) for message in request.messages)
    return Usage(read, estimated_tokens(text), estimated=True)
