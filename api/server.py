"""Run the application on a production server, and let what it is answering end before it ends."""

from __future__ import annotations

import json
import resource
import signal
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask
from waitress.wasyncore import close_all

from ..errors import InputError
from . import logs
from .app import MAX_BODY, SECURITY, create_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from .options import Options
    from .service import Service

THREADS: Final = 48
"""More than questions are worked on at once, so that those that wait for their turn do not hold up health checks."""

CONNECTIONS: Final = 500
SPARE: Final = 200
"""Files that the process may need for other things than connections."""

IDLE: Final = 30
ARRIVAL: Final = 30.0
"""Seconds that a request may take to arrive."""

HEADERS: Final = 256 * 1024
BODY_READ: Final = 8 * MAX_BODY
"""Bodies up to here are read, so that what is too large gets its answer; above, the connection is closed."""

GRACE: Final = 15.0
"""Seconds that requests may still take after the service was told to end."""


class _ProblemTask(ErrorTask):
    """Answers what cannot become a request of the application, such as a broken request line."""

    def execute(self) -> None:
        error: Any = self.request.error  # type: ignore[attr-defined] # the stubs take the request for its error
        problem = {"type": "about:blank", "title": error.reason, "status": error.code, "detail": error.body}
        body = json.dumps(problem).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers = [("Content-Type", "application/problem+json"), *SECURITY.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):
    error_task_class = _ProblemTask
    begun: float | None = None
    """When the request began that has not arrived as a whole."""

    def received(self, data: bytes) -> bool:
        done = super().received(data)
        self.begun = None if self.request is None else self.begun or time.monotonic()
        return done

    def is_busy(self) -> bool:
        """Tell whether something is being received, worked on or sent."""
        return bool(self.requests or self.total_outbufs_len or self.request is not None)


class Server:
    """The application at an address.

    Args:
        service: What to serve.
        options: Who may ask, how often, and what is told.
        listener: A listening socket.
        proxy: Address of a proxy whose word on a client's address is taken; none by default.
    """

    def __init__(self, service: Service, options: Options, listener: socket.socket, proxy: str | None = None) -> None:
        self._channels: dict[int, Any] = {}
        settings: dict[str, Any] = {
            "sockets": [listener],
            "threads": THREADS,
            "connection_limit": max(min(CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE), THREADS),
            "channel_timeout": IDLE,
            "max_request_header_size": HEADERS,
            "max_request_body_size": BODY_READ,
            "clear_untrusted_proxy_headers": True,
            "ident": None,
        }
        if proxy:
            settings |= {"trusted_proxy": proxy, "trusted_proxy_headers": {"x-forwarded-for"}}
        server: Any = create_server(create_app(service, options), self._channels, **settings)
        server.channel_class = _Channel
        self._server = server
        self._ending = False  # no event: its lock would be taken twice by a signal in a signal
        self._ended = False

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.effective_port)

    def run(self) -> None:
        """Serve until told to end; then take no more, and return when what was begun is answered or takes too long."""
        while not self._ending:
            self._poll(1.0)
            self._drop_slow()
        self._server.accepting = False
        self._server.socket.close()
        self._server.del_channel(self._channels)
        deadline = time.monotonic() + GRACE
        while self._busy() and time.monotonic() < deadline:
            self._poll(0.05)
        self._server.task_dispatcher.shutdown(timeout=1)
        self._ended = True
        close_all(self._channels)

    def end(self, *_: object) -> None:
        """Tell `run` to end; may be called from anywhere, signal handlers too."""
        self._ending = True
        if not self._ended:
            self._server.pull_trigger()

    def _poll(self, timeout: float) -> None:
        self._server.asyncore.loop(timeout, use_poll=True, map=self._channels, count=1)

    def _drop_slow(self) -> None:
        """Close connections on which a request does not come to its end, or they would be held for ever."""
        latest = time.monotonic() - ARRIVAL
        for channel in list(self._server.active_channels.values()):
            if channel.begun and channel.begun < latest and not channel.requests:
                channel.handle_close()

    def _busy(self) -> bool:
        """Close what is idle, so that nobody begins anew on an old connection, and look whether anything is left."""
        channels = list(self._server.active_channels.values())
        for channel in channels:
            if not channel.is_busy():
                channel.handle_close()
        return any(channel.is_busy() for channel in channels)


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
    server = Server(service, options, listen(host, port), proxy)
    logs.to_stderr()
    signals = (signal.SIGTERM, signal.SIGINT)

    def stop(*_: object) -> None:
        server.end()
        for number in signals:  # a second one ends it at once
            signal.signal(number, signal.SIG_DFL)

    for number in signals:
        signal.signal(number, stop)
    threading.Thread(target=service.warm_up, daemon=True).start()
    report(f"serving at http://{f'[{host}]' if ':' in host else host}:{server.port}")
    server.run()


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
        return socket.create_server(address[:2], family=family, backlog=CONNECTIONS)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{host}:{port} cannot be served at: {reason}; choose another --host or --port") from error
