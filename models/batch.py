"""Batch mode: a model that answers from files, and writes down what it has no reply for.

A folder holds `requests.jsonl`, in the format of OpenAI's Batch service, and replies in any other file `*.jsonl`, in
that service's format of results. A request's `custom_id` is the hash of its body, so that a reply serves for good.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..errors import InputError, ModelReplyError, RequestsWaitError
from ..files import json_lines, write_whole
from . import wire
from .open import named
from .protocol import CONTEXT, Reply, Request, estimated_tokens, require_room
from .wire import cost

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from ..settings import Settings

REQUESTS: Final = "requests.jsonl"
URL: Final = "/v1/chat/completions"


class Response(msgspec.Struct):
    """What a service got of the server."""

    body: msgspec.Raw = msgspec.Raw()
    status_code: int = 200


class Failure(msgspec.Struct):
    """Why a service has no reply."""

    message: str = ""


class Result(msgspec.Struct):
    """A line of a file of results."""

    custom_id: str
    response: Response | None = None
    error: Failure | None = None


class BatchModel:
    """Answers from the files of a folder."""

    estimates: Final = True
    small: Final = False

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder, self._prices = folder, settings.prices
        _, self._served = named(settings)
        self.name = str(settings.model)
        self.fingerprint = f"{self.name}, by batch files"
        self.context = settings.model_context or CONTEXT
        self._results = _results(folder)
        self._waiting: dict[str, dict[str, Any]] = {}

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens of a text, as no server tells them beforehand."""
        return estimated_tokens(text)

    def complete(self, request: Request) -> Reply:
        """Answer a request; see `Model`."""
        require_room(self, request)
        body = wire.body(request, self._served, "json_schema")
        name = hashlib.sha256(msgspec.json.encode(body, order="sorted")).hexdigest()
        result = self._results.get(name)
        if result is None:
            self._waiting[name] = body
            raise RequestsWaitError(f"a request to {self.name} waits for its reply in {self._folder}")
        if result.error or result.response is None or result.response.status_code != 200:
            said = result.error.message if result.error else bytes(result.response.body if result.response else b"")
            raise ModelReplyError(
                f"the batch failed at the request {name[:12]}…: {said!r}; delete its line to ask again"
            )
        reply = wire.whole(wire.parse(result.response.body), request, self._served, "json_schema")
        return replace(reply, usage=replace(reply.usage, cost=cost(self._prices, self.name, reply.usage)))

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer a request piece by piece; see `Model`."""
        reply = self.complete(request)
        yield reply.text
        yield reply

    def write(self) -> int:
        """Write the requests that wait, in place of those of the last time."""
        path = self._folder / REQUESTS
        lines = [
            msgspec.json.encode({"custom_id": name, "method": "POST", "url": URL, "body": body})
            for name, body in self._waiting.items()
        ]
        if lines:
            write_whole(path, b"\n".join([*lines, b""]))
        else:
            path.unlink(missing_ok=True)
        return len(lines)


def _results(folder: Path) -> dict[str, Result]:
    """Read all replies of a folder; one that came is taken before a failure."""
    results: dict[str, Result] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(folder.glob("*.jsonl")):
            if path.name != REQUESTS:
                for _, result in json_lines(path, Result, "result of a batch"):
                    if result.error is None or result.custom_id not in results:
                        results[result.custom_id] = result
    except OSError as error:
        raise InputError(f"{folder} cannot be used for batch files: {error.strerror}") from error
    return results
