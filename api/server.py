"""Run an application on a socket, and let what it is answering end before it ends."""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
import socket
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from . import logs
from .app import create_app
from .connection import Arrived, Connection, Limits, refusal
from .wsgi import LINGER, Address, Reply, Workers, call, environ_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from wsgiref.types import WSGIApplication

    from .options import Options
    from .service import Service

THREADS: Final = 48
"""More than questions are worked on at once, so that those that wait for their turn do not hold up health checks."""

CONNECTIONS: Final = 500
BACKLOG: Final = 500
SPARE: Final = 200
"""Files that the process may need for other things than connections."""

GRACE: Final = 15.0
"""Seconds that requests may still take after the service was told to end."""

_PAUSE: Final = 0.1
"""Seconds until a connection is looked for again where none could be taken."""

_log = logging.getLogger(__name__)


class Server:
    """An application at an address.

    Args:
        app: The application.
        listener: A listening socket.
        proxy: Address of a proxy whose word on a client's address is taken; none by default.
        limits: What clients may take.
        grace: Seconds that requests may still take after the server was told to end.
    """

    def __init__(
        self,
        app: WSGIApplication,
        listener: socket.socket,
        proxy: str | None = None,
        limits: Limits | None = None,
        grace: float = GRACE,
    ) -> None:
        self._app = app
        self._listener = listener
        self._proxy = proxy
        self._limits = limits or Limits()
        self._grace = grace
        self._address = Address(*listener.getsockname()[:2])
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = False
        self._told = asyncio.Event()
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._places = asyncio.Semaphore(
            max(min(CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE), THREADS)
        )

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._address.port

    def run(self) -> None:
        """Serve until told to end; then take no more, and return when what was begun is answered or takes too long."""
        workers = Workers(THREADS)
        try:
            asyncio.run(self._serve(workers))
        finally:
            workers.close()

    def end(self, *_: object) -> None:
        """Tell `run` to end; may be called from anywhere, signal handlers too."""
        self._ending = True
        if self._loop:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._told.set)

    async def _serve(self, workers: Workers) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener.setblocking(False)
        if self._ending:
            self._told.set()
        both = asyncio.ensure_future(self._told.wait()), asyncio.ensure_future(self._accept(workers))
        done, left = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        self._listener.close()
        for connection in self._open.values():
            connection.end()
        if self._open:
            await asyncio.wait(self._open, timeout=self._grace)
        for task in done:
            task.result()

    async def _accept(self, workers: Workers) -> None:
        """Take connections while there are places; others wait in the system."""
        loop = asyncio.get_running_loop()
        while True:
            await self._places.acquire()
            try:
                sock, peer = await loop.sock_accept(self._listener)
                reader, writer = await asyncio.open_connection(sock=sock)
            except OSError as error:
                _log.warning("a connection could not be taken: %s", error)
                self._places.release()
                await asyncio.sleep(_PAUSE)
                continue
            answer = partial(self._answer, workers, Address(*peer[:2]))
            connection = Connection(reader, writer, answer, self._limits)
            task = asyncio.ensure_future(connection.run())
            self._open[task] = connection
            task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._places.release()
        del self._open[task]
        if not task.cancelled() and (error := task.exception()):
            _log.error("unforeseen", exc_info=error)

    async def _answer(self, workers: Workers, client: Address, arrived: Arrived) -> Reply:
        environ = environ_of(arrived.request, arrived.body, arrived.length, client, self._address, self._proxy)
        try:
            return await asyncio.wrap_future(workers.do(partial(call, self._app, environ, workers)))
        except Exception as error:  # noqa: BLE001 # what the application does not foresee is answered too
            _log.error("unforeseen", exc_info=error)
            return refusal(500, "the service failed on this request; its log says why")


def serve(
    service: Service, options: Options, host: str, port: int, report: Callable[[str], None], proxy: str | None = None
) -> None:
    """Serve until the process is told to end.

    Args:
        service: What to serve.
        options: Who may ask, how often, and what is told.
        host: The address.
        port: The port; 0 takes any that is free.
        report: Told the address.
        proxy: Address of a proxy whose word on a client's address is taken.

    Raises:
        InputError: The address cannot be had.
    """
    server = Server(create_app(service, options), listen(host, port), proxy)
    logs.to_stderr()
    signals = (signal.SIGTERM, signal.SIGINT)

    def stop(*_: object) -> None:
        server.end()
        for number in signals:  # a second one ends it at once
            signal.signal(number, signal.SIG_DFL)

    for number in signals:
        signal.signal(number, stop)
    warming = threading.Thread(target=service.warm_up, daemon=True)
    warming.start()
    report(f"serving at http://{f'[{host}]' if ':' in host else host}:{server.port}")
    server.run()
    warming.join(LINGER)


def listen(host: str, port: int) -> socket.socket:
    """Take an address.

    Args:
        host: An address or a name.
        port: The port; 0 takes any that is free.

    Returns:
        The listening socket.

    Raises:
        InputError: It cannot be had.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{host}:{port} cannot be served at: {reason}; choose another --host or --port") from error
