"""The Model Context Protocol over HTTP, within the Flask application: one request, one JSON reply, and no session.

The application's guards (names, keys, limits), logs and metrics hold for it as for every other route.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from anyio.from_thread import start_blocking_portal
from flask import Blueprint, Response, request
from mcp.server.transport_security import TransportSecuritySettings

from ..routes import service

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.from_thread import BlockingPortal
    from flask import Flask
    from mcp.server import MCPServer

    from ..service import Service

PATH: Final = "/mcp"


class Bridge:
    """Runs the protocol's ASGI application on an event loop of its own, from the first request on."""

    def __init__(self, server: MCPServer[Any]) -> None:
        self._app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guards check it
        )
        self._starting = Lock()
        self._begun: tuple[BlockingPortal, Any] | None = None

    def answer(self, headers: list[tuple[bytes, bytes]], body: bytes) -> Response:
        """Answer one request."""
        status, given, text = self._portal().call(self._exchange, headers, body)
        kept = [(k, v) for k, v in given if k.lower() not in {b"content-length", b"connection", b"cache-control"}]
        return Response(text, status, [(k.decode("latin-1"), v.decode("latin-1")) for k, v in kept])

    def _portal(self) -> BlockingPortal:
        """Give the loop with the application begun once, by whichever thread comes first; both end with the process."""
        with self._starting:
            if self._begun is None:
                begun = start_blocking_portal(name="mcp")
                portal = begun.__enter__()
                lifespan = portal.wrap_async_context_manager(self._app.router.lifespan_context(self._app))
                lifespan.__enter__()
                self._begun = portal, (begun, lifespan)  # what nobody holds would end
            return self._begun[0]

    async def _exchange(
        self, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": PATH,
            "raw_path": PATH.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": None,
            "server": None,
        }
        sent = [{"type": "http.request", "body": body, "more_body": False}]
        status, given, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()

        async def receive() -> dict[str, Any]:
            return sent.pop() if sent else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, given
            if message["type"] == "http.response.start":
                status, given = message["status"], list(message["headers"])
            else:
                parts.append(message.get("body", b""))

        await self._app(scope, receive, send)
        return status, given, b"".join(parts)


def add_to(app: Flask, make: Callable[[Service], MCPServer[Any]]) -> None:
    """Serve the protocol at `/mcp`, by a server for each part of the graph that a key is limited to."""
    bridge, agents = cache(lambda served: Bridge(make(served))), Blueprint("agents", __name__)

    @agents.post(PATH)
    def answer() -> Response:
        headers = [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in request.headers.items()]
        return bridge(service()).answer(headers, request.get_data())

    app.register_blueprint(agents)
