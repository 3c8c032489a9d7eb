"""Interface of a language model: takes a request, and gives a reply whole or streamed."""

from __future__ import annotations

import hashlib
import math
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import msgspec

from ..errors import ContextExceededError, ModelBusyError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length"]
Structure = Literal["", "json_schema", "json_object", "text"]

# Bytes of UTF-8 that a token is taken to have where no tokenizer tells; low for English, so that a prompt fits.
TOKEN_BYTES: Final = 3.5
FRAME_TOKENS: Final = 8  # tokens that a chat template puts around a message; the known templates need no more
CONTEXT: Final = 8192  # tokens of a context that nothing tells


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Decoding:
    """What runtimes in this process can be told besides; the chat format of servers has no field for it."""

    min_tokens: int = 0
    beams: int = 1  # replies that are followed side by side, of which the likeliest is given
    repetition_penalty: float = 1.0  # what the odds of a token are divided by that was there before; 1 for none


PLAIN: Final = Decoding()


@dataclass(frozen=True)
class Request:
    """What a model is asked."""

    messages: tuple[Message, ...]
    # A type that msgspec knows, such as a `msgspec.Struct`; the reply is JSON of it. None means free text.
    schema: Any = None
    stop: tuple[str, ...] = ()  # the reply ends before any of these
    max_tokens: int = 512
    temperature: float = 0.0  # 0 takes the likeliest token each time
    seed: int | None = None
    decoding: Decoding = PLAIN  # how the reply is decoded, as far as the model's runtime can

    @cached_property
    def json_schema(self) -> dict[str, Any] | None:
        """The schema as JSON Schema; None for free text."""
        return None if self.schema is None else msgspec.json.schema(self.schema)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of all that the request says, in hex; the model that is asked has no part in it."""
        said: list[Any] = [self.messages, self.json_schema, self.stop, self.max_tokens, self.temperature, self.seed]
        said += [self.decoding] * (self.decoding != PLAIN)
        return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took."""

    prompt_tokens: int = 0
    reply_tokens: int = 0
    estimated: bool = False  # whether the tokens are estimated, because the server did not count them
    # By the user's table of prices, in the table's currency; None where it has no row for the model.
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    finish: Finish = "stop"  # `stop` where the model ended by itself, `length` where it reached the most tokens
    usage: Usage = Usage()
    model: str = ""
    structure: Structure = ""  # which kind of structured output worked; empty for free text
    value: Any = None  # structured output, decoded and checked: an instance of the request's schema; None for free text
    # What the user should know, such as that the server ignores a seed; each is a sentence.
    remarks: tuple[str, ...] = ()


class Model(Protocol):
    """A language model. Several threads may use one at once; as many calls as it allows run side by side."""

    @property
    def name(self) -> str:
        """What the user calls it, with its scheme (`openai:NAME`)."""

    @property
    def fingerprint(self) -> str:
        """What tells it from another model of the same name: a server's address, or the hash of a file."""

    @property
    def context(self) -> int:
        """Tokens that prompt and reply may have together."""

    @property
    def estimates(self) -> bool:
        """Whether `count_tokens` is an estimate."""

    @property
    def small(self) -> bool:
        """Whether it does better with a short prompt and few passages."""

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, special ones apart; an estimate where `estimates` says so."""

    def complete(self, request: Request) -> Reply:
        """Answer a request; ModelError where the model fails, refuses, is too busy, or its reply is of no use."""

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer piece by piece, the whole reply last, as `complete`; closing the iterator ends the call."""


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text where no tokenizer is at hand: at least one unless it is empty."""
    return math.ceil(len(text.encode()) / TOKEN_BYTES)


def prompt_tokens(model: Model, request: Request) -> int:
    """Count, or estimate as the model does, what it reads for a request, with what a template puts around messages."""
    return sum(model.count_tokens(message.content) + FRAME_TOKENS for message in request.messages)


def require_room(model: Model, request: Request) -> None:
    """Refuse a request that cannot fit into a model's context, with ContextExceededError."""
    read = prompt_tokens(model, request)
    if read + request.max_tokens > model.context:
        about = "about " if model.estimates else ""
        raise ContextExceededError(
            f"{model.name} takes {model.context:,} tokens, and the prompt has {about}{read:,}, with"
            f" {request.max_tokens:,} kept for the reply; give it less to read, or set MEDGRAPH_MODEL_CONTEXT where it"
            " takes more"
        )


class Bounds:
    """Lets some calls run at once."""

    def __init__(self, calls: int, patience: float) -> None:
        self._calls, self._patience = calls, patience
        self._free = BoundedSemaphore(calls)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a place, and keep it for a `with` block; ModelBusyError where none became free in time."""
        if not self._free.acquire(timeout=self._patience):
            calls = f"{self._calls} calls" if self._calls > 1 else "a call"
            raise ModelBusyError(
                f"{calls} to the model ran for {self._patience:g} seconds; try again, or set MEDGRAPH_MODEL_CALLS",
                self._patience,
            )
        try:
            yield
        finally:
            self._free.release()
