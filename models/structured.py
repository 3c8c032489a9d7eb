"""Structured output: the schema that a server is given, and what is read of a reply whatever stands around it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..errors import SchemaMismatchError
from .protocol import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .protocol import Request

_THINKING: Final = re.compile(r"\A.*</think>|<think>.*\Z", re.DOTALL)
_FENCED: Final = re.compile(r"```[a-zA-Z]*\s*\n(.*?)(?:```|\Z)", re.DOTALL)
_BRACKETED: Final = re.compile(r"[{\[].*[}\]]", re.DOTALL)
SHOWN: Final = 80  # characters of a reply of no use that an error shows


def strict_schema(request: Request) -> dict[str, Any]:
    """Give a request's JSON Schema as servers that enforce one take it.

    Returns:
        The schema with an object at its root, where every property is required and no other is allowed.
    """
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
    """Say a request's schema in words, for models that are not held to it.

    Returns:
        The request with the schema at the end of its first system message, or in one of its own.
    """
    schema = msgspec.json.encode(strict_schema(request)).decode()
    said = f"Answer with one JSON value and nothing else. It must be valid by this JSON Schema:\n{schema}"
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return replace(request, messages=(Message("system", f"{first[0].content}\n\n{said}"), *rest))
    return replace(request, messages=(Message("system", said), *request.messages))


def without_thinking(text: str) -> str:
    """Cut off what a model wrote to itself before it answered.

    Returns:
        What stands behind `</think>`; nothing where the thinking never ends.
    """
    return _THINKING.sub("", text).strip() if "think>" in text else text.strip()


def visible(pieces: Iterable[str]) -> Iterator[str]:
    """Hold back what a model writes to itself at the beginning of a stream.

    Args:
        pieces: The pieces of a reply as they come.
    """
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
    """Decode and check a structured reply.

    Returns:
        The value, the JSON that it was read from, and whether that was the whole reply.

    Raises:
        SchemaMismatchError: The reply holds no JSON of the schema.
    """
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
