"""The routes of all resources: each request is checked, answered by one call, and the answer written as JSON."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, current_app, g, request

from .openapi import document
from .request import from_address, from_body
from .route import EVENTS, JSON
from .streaming import ENCODER, closing, events_of, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..answers.answer import Answer
    from ..answers.composers.composer import Tell
    from .route import Route
    from .service import Service

routes = Blueprint("medgraph", __name__)


def service() -> Service:
    """Give what the application serves to whoever asks."""
    served: Service = current_app.extensions["medgraph"]
    return served.within(g.scope)


def watched() -> frozenset[str]:
    """Name the endpoints for what watches over the service."""
    return frozenset(f"{routes.name}.{_endpoint(route)}" for route in ROUTES if route.watched)


@routes.get("/openapi.json")
def description() -> Response:
    """Describe the service."""
    return _written(document(ROUTES))


def _answer(route: Route, name: str = "") -> Response:
    """Answer one request; `name` is the `{id}` of its path."""
    if route.takes is None:
        return _response(route, route.answer(service()))
    if route.streams and request.accept_mimetypes.best_match((JSON, EVENTS)) == EVENTS:
        return streamed(route.streams(service(), from_body(_body(), route.takes)))
    if route.method == "POST":
        return _response(route, route.answer(service(), from_body(_body(), route.takes)))
    path = {"id": name} if "{id}" in route.path else {}
    query = request.args.to_dict(flat=False)
    return _response(route, route.answer(service(), from_address(path, query, route.takes)))


def streamed(ask: Callable[[Tell], Answer]) -> Response:
    """Send an answer event by event."""
    events = events_of(ask)
    sent = map(written, chain([next(events)], events))
    return closing(Response(sent, content_type=EVENTS, headers={"X-Accel-Buffering": "no"}), events)


def _body() -> Any:
    try:
        return request.get_json()
    except RecursionError:
        abort(400, "the body is nested too deeply")


def _response(route: Route, answer: Any) -> Response:
    return _written(answer) if route.media == JSON else Response(answer, content_type=route.media)


def _written(answer: Any) -> Response:
    return Response(ENCODER.encode(answer) + b"\n", content_type=JSON)


def _endpoint(route: Route) -> str:
    return f"{route.method} {route.path}".replace(".", "-")  # Flask takes no dot


def _found() -> tuple[Route, ...]:
    folder = Path(__file__).parent / "resources"
    modules = [import_module(f".resources.{module.name}", __package__) for module in iter_modules([str(folder)])]
    found: list[Route] = [route for module in modules for route in module.ROUTES]
    return tuple(sorted(found, key=lambda route: (not route.path.startswith("/v1/"), route.path, route.method)))


# The routes, those of the interface first, each by path.
ROUTES: Final[tuple[Route, ...]] = _found()


for _route in ROUTES:
    _rule = _route.path.replace("{id}", "<id:name>")
    routes.add_url_rule(_rule, _endpoint(_route), partial(_answer, _route), methods=[_route.method])
