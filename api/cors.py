"""CORS: lets pages of the origins that the operator names call the service from a browser; none by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Flask, Response, request

from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

ANY: Final = "*"
PATHS: Final = ("/v1/", "/openapi.json", "/mcp")
_ALLOWED: Final = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, X-API-Key, Mcp-Method, Mcp-Name, MCP-Protocol-Version"
    ),
    "Access-Control-Max-Age": "600",
}
_EXPOSED: Final = "Retry-After, X-Request-ID"


def check(origins: Sequence[str], *, keys: bool) -> tuple[str, ...]:
    """Check origins as an operator gives them.

    Raises:
        InputError: One is no origin, or any origin is let in where keys are asked for.
    """
    for origin in origins:
        if origin == ANY and keys:
            raise InputError("--cors '*' lets any page send its visitors' keys; name the origins")
        scheme, _, host = origin.partition("://")
        if origin != ANY and (scheme not in {"http", "https"} or not host or set(host) & set("/?#*@ ")):
            raise InputError(f"{origin!r} is no origin; it looks like https://app.example")
    return tuple(origins)


def allow(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of these origins call the routes for programs; register it before what asks for keys."""
    if not origins:
        return

    def origin() -> str:
        sent = request.headers.get("Origin", "")
        told = request.path.startswith(PATHS) and sent and (ANY in origins or sent in origins)
        return (ANY if ANY in origins else sent) if told else ""

    @app.before_request
    def _preflight() -> Response | None:
        asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        return Response(status=204, headers=_ALLOWED) if asks and origin() else None

    @app.after_request
    def _tell(response: Response) -> Response:
        if request.path.startswith(PATHS):
            response.vary.add("Origin")
        if found := origin():
            response.headers["Access-Control-Allow-Origin"] = found
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response
