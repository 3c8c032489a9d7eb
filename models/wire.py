"""The chat format of OpenAI, with structured output and prices: what is sent, and what is read of it.

Batch files, servers and models in this process have it alike.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..errors import ModelReplyError, SchemaMismatchError, SettingsError
from ..files import table_lines
from .protocol import Finish, Message, Reply, Request, Structure, Usage, estimated_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

# How structured output is asked for, in the order in which it is tried.
STRUCTURES: Final[tuple[Structure, ...]] = ("json_schema", "json_object", "text")


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
    """Write a request as the chat format has it, without what the request does not set."""
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


def parse(data: bytes | str) -> Completion:
    """Read a whole reply, which may hold anything that the format allows; ModelReplyError for another format."""
    try:
        return msgspec.json.decode(data, type=Completion)
    except msgspec.MsgspecError as error:
        raise ModelReplyError(f"the server's reply is not of the chat format: {error}") from None


def text_of(piece: Completion) -> str:
    """Give the text of a piece of a stream; empty where it brings none."""
    delta = piece.choices[0].delta if piece.choices else None
    return (delta.content if delta else None) or ""


def joined(pieces: Sequence[Completion]) -> Completion:
    """Put the pieces of a stream together; ModelReplyError where it ended before the reply did."""
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
    """Make a reply of what a server sent; ModelReplyError where it is empty, filtered, cut off or of another schema."""
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
    finish: Finish = "length" if choice.finish_reason == "length" else "stop"
    if request.schema is None:
        return Reply(without_thinking(text), finish, usage, answered, remarks=remarks)
    if finish == "length":
        begun = without_thinking(text).lstrip("`json \n")[:1] in {"{", "["}
        kind = ModelReplyError if begun else SchemaMismatchError  # a server that ignores the schema may take its words
        raise kind(f"the reply was cut off after {request.max_tokens} tokens")
    value, json, entire = decoded(text, request)
    return Reply(json, finish, usage, answered, structure if entire else "text", value, remarks)


def usage_of(counted: WireUsage | None, request: Request, text: str) -> Usage:
    """Tell what a call took: as the server counted, or an estimate where it did not."""
    if counted is not None and counted.prompt_tokens:
        return Usage(counted.prompt_tokens, counted.completion_tokens)
    read = sum(estimated_tokens(message.content) for message in request.messages)
    return Usage(read, estimated_tokens(text), estimated=True)


def cost(path: Path | None, model: str, usage: Usage) -> float | None:
    """Tell what a call cost by the user's table, in its currency; None without a row. SettingsError for a bad line."""
    if path is None:
        return None
    prices = parse_prices(path)
    found = prices.get(model) or prices.get(model.partition(":")[2])
    return None if found is None else (usage.prompt_tokens * found[0] + usage.reply_tokens * found[1]) / 1e6


def parse_prices(path: Path) -> dict[str, tuple[float, float]]:
    """Read a model's name, the price of a million tokens read, and of a million written a line, or a SettingsError."""
    prices: dict[str, tuple[float, float]] = {}
    try:
        for number, line in table_lines(path):
            cells = line.split("\t")
            try:
                name, read_price, written_price = cells
                prices[name.strip()] = float(read_price), float(written_price)
            except ValueError:
                raise SettingsError(
                    f"{path}:{number}: {line!r} is no row of prices; write a model's name, the price of a million"
                    " tokens read, and of a million written, with tabs between them"
                ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"MEDGRAPH_MODEL_PRICES: {path} cannot be read: {error}") from error
    return prices


_THINKING: Final = re.compile(r"\A.*</think>|<think>.*\Z", re.DOTALL)
_FENCED: Final = re.compile(r"```[a-zA-Z]*\s*\n(.*?)(?:```|\Z)", re.DOTALL)
_BRACKETED: Final = re.compile(r"[{\[].*[}\]]", re.DOTALL)
SHOWN: Final = 80  # characters of a reply of no use that an error shows


def strict_schema(request: Request) -> dict[str, Any]:
    """Give a request's JSON Schema as strict servers take it: an object at its root, all properties required."""
    schema = request.json_schema or {}
    defined = {name: _strict(part) for name, part in schema.get("$defs", {}).items()}
    root = schema
    if reference := schema.get("$ref"):
        root = schema["$defs"][reference.rsplit("/", 1)[-1]]
    whole: dict[str, Any] = _strict({key: value for key, value in root.items() if key != "$defs"})
    return whole | ({"$defs": defined} if defined else {})


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _strict(value) for key, value in schema.items() if key != "default"}
    if made.get("type") == "object" and "properties" in schema:
        made |= {"required": list(schema["properties"]), "additionalProperties": False}
    return made


def with_schema(request: Request) -> Request:
    """Say a request's schema in words, at the end of its first system message or in one of its own."""
    schema = msgspec.json.encode(strict_schema(request)).decode()
    said = f"Answer with one JSON value and nothing else. It must be valid by this JSON Schema:\n{schema}"
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return replace(request, messages=(Message("system", f"{first[0].content}\n\n{said}"), *rest))
    return replace(request, messages=(Message("system", said), *request.messages))


def without_thinking(text: str) -> str:
    """Give what stands behind `</think>`, which a model wrote to itself; nothing where the thinking never ends."""
    return _THINKING.sub("", text).strip() if "think>" in text else text.strip()


def visible(pieces: Iterable[str]) -> Iterator[str]:
    """Hold back what a model writes to itself at the beginning of a stream."""
    held, begun = "", False
    for piece in pieces:
        held = piece if begun else held + piece
        if not begun and "<think>".startswith(held.lstrip()[:7]):
            if "</think>" not in held:
                continue
            held = held.partition("</think>")[2].lstrip()
            begun = True
        begun = begun or bool(held)
        if held:
            yield held
    if not begun and "<think>" not in held:
        yield held


def decoded(text: str, request: Request) -> tuple[Any, str, bool]:
    """Decode a structured reply: value, JSON, and whether that was all; SchemaMismatchError where none fits."""
    whole = without_thinking(text)
    candidates = [text.strip(), whole, *(found.strip() for found in _FENCED.findall(whole))]
    if found := _BRACKETED.search(whole):
        candidates.append(found[0])
    error: msgspec.MsgspecError | None = None
    for candidate in dict.fromkeys(candidates):
        try:
            return msgspec.json.decode(candidate, type=request.schema), candidate, candidate == text.strip()
        except msgspec.MsgspecError as failed:
            error = error if isinstance(error, msgspec.ValidationError) else failed
    raise SchemaMismatchError(f"the reply does not fit the schema ({error}): {shown(text)}")


def shown(text: str) -> str:
    """Show the beginning of a reply in an error."""
    line = " ".join(text.split())
    return repr(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")
