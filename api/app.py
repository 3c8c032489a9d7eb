"""The Flask application: what happens around every request, and the server that runs it until it is told to end."""

from __future__ import annotations

import resource
import signal
import socket
import threading
import time
import uuid
from copy import copy
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, g
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from werkzeug.routing import PathConverter

from ..errors import InputError
from . import access, asking, curating, logs, pages, problems, routes
from .access import Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from wsgiref.types import WSGIApplication

    from mcp.server import MCPServer

    from .service import Service

# The longest question has room after the longest dialogue even where each character takes twelve bytes, as in escaped
# JSON.
MAX_BODY: Final = 384 * 1024
# Headers that guard whoever looks at what the service gives.
SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# With no-store the way back from a whole section to an answer would ask again, or end in an error: a long message came
# by POST.
CACHING: Final = {
    "text/html": "private, no-cache",
    **dict.fromkeys(("text/css", "text/javascript"), "private, max-age=3600"),
}


class _AnyId(PathConverter):
    """An id may be any text; a source chooses it."""

    regex = r"[\s\S]+"
    part_isolating = False


def create_app(service: Service, options: Options | None = None) -> Flask:
    """Make the application; without options anybody may ask, without limit."""
    options = options or Options()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY
    app.extensions["medgraph"] = service
    app.extensions["medgraph-options"] = options

    @app.before_request
    def _start() -> None:
        g.started = time.perf_counter()
        g.request_id = uuid.uuid4().hex
        g.noted = {}

    @app.after_request
    def _finish(response: Response) -> Response:
        response.headers.update(SECURITY | {"X-Request-ID": g.request_id})
        response.headers["Cache-Control"] = CACHING.get(str(response.mimetype), "no-store")
        return response

    app.url_map.merge_slashes = False  # ids may begin with a slash, or have two
    app.url_map.converters["id"] = _AnyId
    logs.watch(app, options)
    access.allow_origins(app, options.cors)
    access.guard(app, options, {*routes.watched(), "about_problem", "static"})
    problems.register(app)
    for blueprint in (routes.routes, pages.pages, asking.asking, curating.curating):
        app.register_blueprint(blueprint)
    return app


# More than questions are worked on at once, so that those that wait for their turn do not hold up health checks.
THREADS: Final = 48
CONNECTIONS: Final = 500
BACKLOG: Final = 500
SPARE: Final = 200  # files that the process may need for other things than connections
# Bytes of a body that are read, so that the application can refuse it in words; above, the connection is closed.
BODY_READ: Final = 1024 * 1024
# Bytes of a request's line and headers: the longest question and filters have room, written as an address has them.
HEADERS: Final = 1024 * 1024
IDLE: Final = 30  # seconds that a connection may be silent
GRACE: Final = 15.0  # seconds that requests may still take after the service was told to end
# Seconds for which threads may end what they do: one that is cut off within a library when the interpreter ends would
# abort the process.
LINGER: Final = 2.0
_TURN: Final = 0.5  # seconds after which the server looks whether it was told to end


def _channel(options: Options) -> type[HTTPChannel]:
    """Make a class of connections that reads a large body only where a curator's key comes with it."""

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            sent = {name: self.headers.get(name.upper().replace("-", "_"), "") for name in access.SENT_IN}
            if self.path.startswith("/curate/") and (key := access.key_of(options.all_keys, sent)) and key.curates:
                self.adj: Any = copy(self.adj)
                self.adj.max_request_body_size = curating.UPLOAD

    class Channel(HTTPChannel):  # type: ignore[misc]
        parser_class = Parser

    return Channel


class Server:
    """An application at a listening socket; `proxy` is the one whose word on a client's address is taken."""

    def __init__(
        self,
        app: WSGIApplication,
        listener: socket.socket,
        proxy: str | None = None,
        grace: float = GRACE,
        idle: int = IDLE,
        options: Options | None = None,
    ) -> None:
        self._grace, self._ending = grace, False
        self._map: dict[int, Any] = {}
        self.port: int = listener.getsockname()[1]
        trusted = {"trusted_proxy": proxy, "trusted_proxy_count": 1, "trusted_proxy_headers": "x-forwarded-for"}
        self._server = create_server(
            app,
            map=self._map,
            sockets=[listener],
            backlog=BACKLOG,
            threads=THREADS,
            ident=None,
            connection_limit=max(min(CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE), THREADS),
            channel_timeout=idle,
            cleanup_interval=1,
            channel_request_lookahead=1,  # a client that leaves is noticed while its request is worked on
            max_request_header_size=HEADERS,
            max_request_body_size=BODY_READ,
            **trusted if proxy else {},
        )
        self._server.channel_class = _channel(options or Options())

    def run(self) -> None:
        """Serve until told to end; then take no more, and return when what was begun is answered or takes too long."""
        while not self._ending:
            self._turn()
        wasyncore.dispatcher.close(self._server)  # closes the listening socket alone
        until = time.monotonic() + self._grace
        while self._works() and time.monotonic() < until:
            self._turn()
        self._server.task_dispatcher.shutdown(timeout=LINGER)
        wasyncore.close_all(self._map)

    def end(self, *_: object) -> None:
        """Tell `run` to end; may be called from anywhere, signal handlers too."""
        self._ending = True

    def _turn(self) -> None:
        wasyncore.loop(_TURN, use_poll=True, map=self._map, count=1)

    def _works(self) -> bool:
        """Tell whether a request is being received or answered, and close the connections on which none is."""
        works = False
        for channel in self._server.active_channels.values():
            if channel.requests or channel.request or channel.total_outbufs_len:
                works = True
            else:
                channel.will_close = True
        return works


def serve(
    service: Service,
    options: Options,
    host: str,
    port: int,
    report: Callable[[str], None],
    proxy: str | None = None,
    agents: Callable[[Service], MCPServer[Any]] | None = None,
) -> None:
    """Serve until the process is told to end; InputError where the address cannot be had.

    The port 0 takes any that is free, and `report` is told the address. The word of a `proxy` is taken on a client's
    address. `agents` makes what serves agents at `/mcp`.
    """
    app = create_app(service, options)
    if agents is not None:
        from .agents.server import add_to

        add_to(app, agents)
    server = Server(app, listen(host, port), proxy, options=options)
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
    service.end()
    warming.join(GRACE)


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes any that is free."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{host}:{port} cannot be served at: {reason}; choose another --host or --port") from error
