"""The routes for programs: each checks a request, calls the service once and gives its answer as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, current_app, g, jsonify, request

from . import inputs, openapi

if TYPE_CHECKING:
    from flask import Response

    from .service import Service

routes = Blueprint("medgraph", __name__)


def service() -> Service:
    """Give what the application serves.

    Returns:
        The service.
    """
    served: Service = current_app.extensions["medgraph"]
    return served


def ask(body: Any) -> dict[str, Any]:
    """Answer a question, and note what it was and what came of it.

    Args:
        body: What a request holds.

    Returns:
        The answer as plain data.

    Raises:
        MedgraphError: There is no answer; `problems.status_of` tells why.
    """
    wanted = inputs.answer_request(body)
    g.question = wanted.question
    answer = service().answer(wanted)
    g.answer_status = answer["status"]
    return answer


def found(what: str, row: dict[str, Any] | None) -> dict[str, Any]:
    """Give what was looked up, or end the request.

    Args:
        what: What it is, for people.
        row: What the service found.

    Returns:
        The row.
    """
    if row is None:
        abort(404, f"there is no {what} with this id")
    return row


@routes.post("/v1/answers")
def answers() -> Response:
    """Answer a question."""
    try:
        body = request.get_json()
    except RecursionError:
        abort(400, "the body is nested too deeply")
    return jsonify(ask(body))


@routes.get("/v1/search")
def search() -> Response:
    """Search for sections."""
    wanted = inputs.search_request(request.args.to_dict(flat=False))
    g.question = wanted.question
    return jsonify(results=service().search(wanted))


@routes.get("/v1/sections/<id:name>")
def section(name: str) -> Response:
    """Give a whole section."""
    return jsonify(found("section", service().section(name)))


@routes.get("/v1/entities")
def entities() -> Response:
    """Find entities by id or name."""
    wanted = inputs.entities_request(request.args.to_dict(flat=False))
    g.question = wanted.text
    return jsonify(entities=service().entities(wanted))


@routes.get("/v1/entities/<id:name>")
def entity(name: str) -> Response:
    """Give an entity's card."""
    return jsonify(found("entity", service().entity(name)))


@routes.get("/v1/sources")
def sources() -> Response:
    """List what is loaded."""
    return jsonify(sources=service().sources())


@routes.get("/openapi.json")
def description() -> Response:
    """Describe the service."""
    return jsonify(openapi.document())


@routes.get("/healthz")
def healthz() -> Response:
    """Say that the process lives."""
    return jsonify(status="ok")


@routes.get("/readyz")
def readyz() -> Response:
    """Say whether questions can be answered now."""
    service().check()
    return jsonify(status="ready")
