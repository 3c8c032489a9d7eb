"""Run the application on a production server, and let what it is answering end before it ends."""

from __future__ import annotations

import json
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
from .options import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

    from .options import Options
    from .service import Service

THREADS: Final = 24
"""More than questions are worked on at once, so that those that wait for their turn do not hold up health checks."""

CONNECTIONS: Final = 1000
IDLE: Final = 30
HEADERS: Final = 256 * 1024
BODY_READ: Final = 16 * MAX_BODY
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
            "connection_limit": CONNECTIONS,
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
        self._ending = threading.Event()
        self._ended = False

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.effective_port)

    def run(self) -> None:
        """Serve until told to end; then take no more, and return when what was begun is answered or takes too long."""
        while not self._ending.is_set():
            self._poll(1.0)
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
        self._ending.set()
        if not self._ended:
            self._server.pull_trigger()

    def _poll(self, timeout: float) -> None:
        self._server.asyncore.loop(timeout, use_poll=True, map=self._channels, count=1)

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
        host: The address; one that other machines can reach needs a key.
        port: The port; 0 takes any that is free.
        report: Told the address.
        proxy: Address of a proxy whose word on a client's address is taken.

    Raises:
        InputError: The address can be reached by others and there is no key, or it cannot be had.
    """
    server = Server(service, options, listen(host, port, bool(options.keys)), proxy)
    logs.to_stderr()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.end)
    threading.Thread(target=service.warm_up, daemon=True).start()
    report(f"serving at http://{f'[{host}]' if ':' in host else host}:{server.port}")
    server.run()


def listen(host: str, port: int, guarded: bool) -> socket.socket:
    """Take an address.

    Args:
        host: An address or a name.
        port: The port; 0 takes any that is free.
        guarded: Whether a key is asked for.

    Returns:
        The listening socket.

    Raises:
        InputError: The address can be reached by others and is not guarded, or it cannot be had.
    """
    if not guarded and not is_loopback(host):
        raise InputError(
            f"{host!r} can be reached from other machines: set MEDGRAPH_API_KEY to a key that they must send, "
            "such as the output of: openssl rand -hex 24"
        )
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=CONNECTIONS)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{host}:{port} cannot be served at: {reason}; choose another --host or --port") from error
