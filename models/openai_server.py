"""Any server that speaks OpenAI's chat API, by the official SDK: OpenAI, Azure, Ollama, vLLM, llama.cpp.

What a server refuses, and the structured output that works, is remembered by server and model. Errors of the SDK are
translated into messages for the user, none of which shows the key.
"""

from __future__ import annotations

import os
import random
import re
from contextlib import closing, suppress
from dataclasses import replace
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
import openai

from ..errors import (
    ContextExceededError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelReplyError,
    ModelUnavailableError,
    SchemaMismatchError,
    SettingsError,
)
from ..files import locked
from ..models import wire
from .protocol import CONTEXT, Bounds, Reply, Request, Structure, estimated_tokens, require_room
from .wire import cost, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from pathlib import Path

    from ..settings import Settings

TRIES: Final = 4
FIRST_WAIT: Final = 0.5  # seconds before the second try where the server names none; doubled each time
NO_KEY: Final = "none"  # sent where an address is set and no key: a server of one's own asks for none
SPARE: Final = 64  # pieces of a stream beyond the most tokens before it is cut: servers send some without text
_ADDRESS: Final = re.compile(r"https?://([^/@\s]*@)?(\w[\w.-]*|\[[\da-f:.]+\])(:\d+)?(/\S*)?", re.IGNORECASE)
# Parameters that have another name elsewhere, or that change no reply.
_SILENT: Final = ("max_tokens", "stream_options")
Got = TypeVar("Got")


class OpenAIServer:
    """A model at a server. The SDK reads the key and keeps it; nothing here shows it."""

    estimates: Final = True
    small: Final = False

    def __init__(self, name: str, settings: Settings) -> None:
        self._served, self._settings = name, settings
        self._client = _client(settings.model_timeout)
        address = urlsplit(str(self._client.base_url))
        self._host = f"{address.scheme}://{address.netloc.rpartition('@')[2]}"
        self.name = f"openai:{name}"
        self.fingerprint = f"{self.name}@{self._host}{address.path.rstrip('/')}"
        self.context = settings.model_context or CONTEXT
        self._bounds = Bounds(settings.model_calls, settings.model_timeout)
        self._learned = recall(settings.cache, self.fingerprint)

    def __repr__(self) -> str:
        return f"OpenAIServer({self.fingerprint!r})"

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens of a text, as no server tells them beforehand."""
        return estimated_tokens(text)

    def complete(self, request: Request) -> Reply:
        """Answer a request; see `Model`."""

        def attempt(structure: Structure) -> Reply:
            completion = wire.parse(self._ask(request, structure).content)
            return self._finished(wire.whole(completion, request, self._served, structure))

        require_room(self, request)
        with self._bounds.slot():
            return self._settled(request, attempt)

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer a request piece by piece; see `Model`."""
        require_room(self, request)
        with self._bounds.slot():
            opened, structure = self._settled(request, lambda one: (self._ask(request, one, streamed=True), one))
            pieces: list[wire.Completion] = []
            with closing(opened):
                yield from visible(self._texts(opened, pieces, request.max_tokens + SPARE))
            try:
                reply = wire.whole(wire.joined(pieces), request, self._served, structure)
            except SchemaMismatchError:
                self._learn(structure=wire.STRUCTURES[min(wire.STRUCTURES.index(structure) + 1, 2)])
                raise
            yield self._finished(reply)

    def _settled(self, request: Request, attempt: Callable[[Structure], Got]) -> Got:
        """Ask for structured output in one way after another, from the one that worked last."""
        ways: tuple[Structure, ...] = ("",)
        if request.schema is not None:
            ways = wire.STRUCTURES[wire.STRUCTURES.index(self._learned.structure or "json_schema") :]
        for structure in ways[:-1]:
            with suppress(SchemaMismatchError):
                return attempt(structure)
        return attempt(ways[-1])

    def _finished(self, reply: Reply) -> Reply:
        if reply.structure:
            self._learn(structure=reply.structure)
        refused = self._learned.refused
        remarks = tuple(f"The server takes no {name}: it was left out." for name in refused if name not in _SILENT)
        usage = replace(reply.usage, cost=cost(self._settings.prices, self.name, reply.usage))
        return replace(reply, usage=usage, remarks=reply.remarks + remarks)

    def _ask(self, request: Request, structure: Structure, *, streamed: bool = False) -> Any:
        """Send a request without what the server refuses; give its raw reply, or the open stream."""
        chat = self._client.chat.completions
        while True:
            body = self._adapted(wire.body(request, self._served, structure), streamed)
            try:
                return self._tried(lambda: (chat if streamed else chat.with_raw_response).create(**body))  # noqa: B023
            except Exception as error:  # noqa: BLE001 # the SDK lets errors of several libraries through
                refused = refused_parameter(error, body)
                if refused is None:
                    raise self._translated(error) from None
            if refused == "response_format":
                raise SchemaMismatchError(f"{self._host} takes no {structure}")
            self._learn(refused=refused)

    def _adapted(self, body: dict[str, Any], streamed: bool) -> dict[str, Any]:
        if streamed:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        refused = self._learned.refused
        if "max_tokens" in refused:
            body["max_completion_tokens"] = body["max_tokens"]
        return {name: value for name, value in body.items() if name not in refused}

    def _tried(self, call: Callable[[], Any]) -> Any:
        """Call again while that may help, as long as a call may take."""
        wait, end = FIRST_WAIT, monotonic() + self._settings.model_timeout
        for _ in range(TRIES - 1):
            try:
                return call()
            except Exception as error:
                pause = retry_after(error)
                pause = wait * random.uniform(0.75, 1.25) if pause is None else pause  # noqa: S311 # no secret
                if not may_pass(error) or monotonic() + pause > end:
                    raise
            sleep(pause)
            wait *= 2
        return call()

    def _texts(self, opened: Any, pieces: list[wire.Completion], most: int) -> Iterator[str]:
        """Take the pieces of a stream, and give the text of each."""
        try:
            for event in opened:
                piece = msgspec.convert(event.to_dict(), wire.Completion)
                pieces.append(piece)
                if len(pieces) > most:
                    raise ModelReplyError("the reply goes on beyond the most tokens that were asked for")
                if text := wire.text_of(piece):
                    yield text
        except ModelReplyError:
            raise
        except Exception as error:  # noqa: BLE001 # the SDK lets errors of several libraries through
            raise self._translated(error) from None

    def _translated(self, error: Exception) -> Exception:
        return translated(error, self._host, self._served, self._client.api_key, self._settings.model_timeout)

    def _learn(self, structure: str | None = None, refused: str | None = None) -> None:
        known = self._learned
        also = {*known.refused, refused} if refused else known.refused
        learned = Learned(structure or known.structure, tuple(sorted(also)))
        if learned != known:
            self._learned = learned
            remember(self._settings.cache, self.fingerprint, learned)


def _client(timeout: float) -> openai.OpenAI:
    address, key = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY")
    if address and not _ADDRESS.fullmatch(address):
        raise SettingsError(
            "OPENAI_BASE_URL is no address of a server; set it to one such as http://127.0.0.1:8000/v1, or unset it"
        )
    if not address and not key:
        raise SettingsError("set OPENAI_API_KEY to your key, or OPENAI_BASE_URL to the address of a server of your own")
    if key and not re.fullmatch(r"[!-~]+", key):
        raise SettingsError("OPENAI_API_KEY holds a character that no key has, such as a space or the end of a line")
    return openai.OpenAI(api_key=key or NO_KEY, timeout=timeout, max_retries=0)


FILE: Final = "models.json"


class Learned(msgspec.Struct, frozen=True):
    """The structured output that worked last (empty where none was asked for), and the parameters that are refused."""

    structure: str = ""
    refused: tuple[str, ...] = ()


def recall(cache: Path, model: str) -> Learned:
    """Read what was learned before; nothing where the file is missing or damaged."""
    return _load_learned(cache).get(model, Learned())


def remember(cache: Path, model: str, learned: Learned) -> None:
    """Write down what was learned, for other commands; what cannot be written is learned again."""
    try:
        with locked(cache / f"{FILE}.lock"):
            temporary = cache / f"{FILE}.new"
            temporary.write_bytes(msgspec.json.encode(_load_learned(cache) | {model: learned}))
            temporary.replace(cache / FILE)
    except OSError:
        return


def _load_learned(cache: Path) -> dict[str, Learned]:
    try:
        return msgspec.json.decode((cache / FILE).read_bytes(), type=dict[str, Learned])
    except (OSError, msgspec.MsgspecError):
        return {}


# Parameters that a call can do without, or that have another name elsewhere.
OPTIONAL: Final = ("seed", "temperature", "stop", "max_tokens", "stream_options")
_FORMAT: Final = re.compile(r"response_format|json_schema|json_object|grammar|structured output", re.IGNORECASE)
_CONTEXT: Final = re.compile(
    r"context.{0,20}(length|window|size)|maximum context|too (long|many tokens)", re.IGNORECASE
)
_KEYS: Final = re.compile(r"\b(?:sk|key|Bearer)[-_ ][\w*.\-]{6,}")
SHOWN: Final = 200
RETRY: Final = 5.0  # seconds after which to try again where the server names none


def refused_parameter(error: Exception, body: Mapping[str, Any]) -> str | None:
    """Tell which part of a request a server refuses; None where the error is about something else."""
    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError) or _is_context(error):
        return None
    said = str(error.message)
    if "response_format" in body and (_FORMAT.search(said) or str(error.param or "").startswith("response_format")):
        return "response_format"
    if error.param in OPTIONAL and error.param in body:
        return str(error.param)
    return next((name for name in OPTIONAL if name in body and re.search(rf"\b{name}\b", said)), None)


def may_pass(error: Exception) -> bool:
    """Tell whether trying again may help: not after silence until the time-out."""
    if isinstance(error, openai.RateLimitError):
        return error.code != "insufficient_quota"
    return isinstance(error, openai.InternalServerError) or (
        isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)
    )


def retry_after(error: Exception) -> float | None:
    """Read the seconds that a server asks to wait; None where it names none."""
    if not isinstance(error, openai.APIStatusError):
        return None
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def translated(error: Exception, host: str, model: str, key: str, timeout: float) -> ModelError:
    """Say in a line what went wrong and what mends it, without the key; a call may take so many seconds."""
    said = _error_line(error, key)
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, said, host, model)
    kind: type[ModelError] = ModelUnavailableError
    if isinstance(error, openai.APITimeoutError):
        what = f"was silent for {timeout:g} seconds; see whether it runs, or set MEDGRAPH_MODEL_TIMEOUT"
    elif isinstance(error, openai.APIConnectionError):
        what = "cannot be reached, or broke off; see whether it runs, and try again"
    elif isinstance(error, openai.APIError) and not isinstance(error, openai.APIResponseValidationError):
        what = f"fails: {said}"
    else:
        kind, what = ModelReplyError, f"answered something that is not of the chat format: {said}"
    return kind(f"{host} {what}")


def _of_status(error: openai.APIStatusError, said: str, host: str, model: str) -> ModelError:
    kind: type[ModelError] = ModelRefusedError
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            what = f"refuses the key ({error.status_code}); check OPENAI_API_KEY"
        case openai.NotFoundError():
            what = f"has no model {model!r}: {said}; check MEDGRAPH_MODEL and OPENAI_BASE_URL"
        case openai.RateLimitError() if error.code != "insufficient_quota":
            return ModelBusyError(f"{host} asks to wait: {said}", retry_after(error) or RETRY)
        case openai.InternalServerError():
            kind, what = ModelUnavailableError, f"fails ({error.status_code}): {said}"
        case _ if _is_context(error):
            kind, what = ContextExceededError, f"has a shorter context: {said}; set MEDGRAPH_MODEL_CONTEXT to it"
        case _:
            what = f"refuses the request ({error.status_code}): {said}"
    return kind(f"{host} {what}")


def _is_context(error: openai.APIStatusError) -> bool:
    return error.code == "context_length_exceeded" or bool(_CONTEXT.search(str(error.message)))


def _error_line(error: Exception, key: str) -> str:
    """Give a server's words in one line, without anything that looks like a key."""
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    line = " ".join(str(said or error).split()).replace(key, "…")
    line = _KEYS.sub("…", line)
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
