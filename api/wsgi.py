"""An application called as WSGI has it (PEP 3333), with a request that has arrived as a whole, in a thread."""

from __future__ import annotations

import asyncio
import io
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable
    from wsgiref.types import WSGIApplication

    import h11

EVENTS: Final = "text/event-stream"
"""The content type of a reply that comes in pieces."""

LINGER: Final = 2.0
"""Seconds for which threads may end what they do: one that is cut off within a library when the interpreter ends would
abort the process."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a connection ends.

    Attributes:
        host: The address.
        port: The port.
    """

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What the application gives.

    Attributes:
        status: The HTTP status.
        reason: The status in words.
        headers: Names and values.
        body: All of it, unless it comes in pieces.
        pieces: What it is made of, one after another; empty ones are pauses. It must be closed.
    """

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    pieces: AsyncGenerator[bytes, None] | None = None


def environ_of(
    request: h11.Request, body: bytes, length: int, client: Address, server: Address, proxy: str | None = None
) -> dict[str, Any]:
    """Describe a request as WSGI has it.

    Args:
        request: Its line and headers.
        body: Its body; left out where that is longer than the application takes.
        length: Bytes that the body had.
        client: Who asks.
        server: Who is asked.
        proxy: Address of a proxy whose word on a client's address is taken.

    Returns:
        The environment.
    """
    path, _, query = request.target.partition(b"?")
    if not path.startswith(b"/") and b"://" in path:  # a proxy may send the whole address
        path = b"/" + path.partition(b"://")[2].partition(b"/")[2]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method.decode("ascii"),
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": server.host,
        "SERVER_PORT": str(server.port),
        "SERVER_PROTOCOL": f"HTTP/{request.http_version.decode('ascii')}",
        "REMOTE_ADDR": client.host,
        "REMOTE_PORT": str(client.port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    headers = _joined(request.headers)
    forwarded = headers.pop("x-forwarded-for", "")
    if proxy and client.host == proxy and forwarded:
        environ["REMOTE_ADDR"] = forwarded.rpartition(",")[2].strip()
    if headers.pop("transfer-encoding", "") or "content-length" in headers:
        headers["content-length"] = str(length)
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if name in {"content-type", "content-length"} else f"HTTP_{key}"] = value
    return environ


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Join headers of one name; a name with an underscore would pass for one with a hyphen, and is left out."""
    joined: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("ascii"), raw_value.decode("latin-1")
        if "_" not in name:
            joined[name] = f"{joined[name]}{'; ' if name == 'cookie' else ', '}{value}" if name in joined else value
    return joined


def call(app: WSGIApplication, environ: dict[str, Any], workers: Workers) -> Reply:
    """Call an application, and wait for all that it gives; events are given as they come.

    Args:
        app: The application.
        environ: The request.
        workers: Threads that wait for events.

    Returns:
        Its reply.
    """
    written: list[bytes] = []
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], _: Any = None, /) -> Callable[[bytes], object]:
        started[:] = [(status, headers)]
        return written.append

    given = app(environ, start)
    streams = bool(started) and ("Content-Type", EVENTS) in started[0][1]
    try:
        if not streams:
            written.extend(given)
    finally:
        if not streams and hasattr(given, "close"):
            given.close()
    ((status, headers),) = started
    number, _, reason = status.partition(" ")
    pieces = _pieces(given, workers) if streams else None
    return Reply(int(number), reason, tuple(headers), b"".join(written), pieces)


async def _pieces(given: Iterable[bytes], workers: Workers) -> AsyncGenerator[bytes, None]:
    """Wait for one piece after another in a thread, and close what gives them when nobody wants more."""
    each = iter(given)
    try:
        while (piece := await asyncio.wrap_future(workers.do(partial(next, each, None)))) is not None:
            yield piece
    finally:
        if hasattr(given, "close"):
            # A piece that is waited for when the server ends is not interrupted.
            with suppress(ValueError):
                await asyncio.wrap_future(workers.do(given.close))


class Workers:
    """Threads that do what is given to them, and do not keep the process from ending.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def do(self, job: Callable[[], Any]) -> Future[Any]:
        """Do something as soon as a thread is free.

        Args:
            job: What to do.

        Returns:
            What becomes of it.
        """
        future: Future[Any] = Future()
        self._jobs.put((future, job))
        return future

    def close(self) -> None:
        """Let the threads end when they have done what they were given, and wait a little for that."""
        for _ in self._threads:
            self._jobs.put(None)
        until = time.monotonic() + LINGER
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        while given := self._jobs.get():
            future, job = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except BaseException as error:  # noqa: BLE001 # whoever waits for it gets it
                    future.set_exception(error)
