"""The Flask application: routes that check a request, call the service once and give its answer as JSON or a page."""

from __future__ import annotations

import json
import logging
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Flask, abort, current_app, g, jsonify, render_template, request

from ..answers.answer import NOTICE
from ..errors import MedgraphError
from . import inputs, openapi, problems

if TYPE_CHECKING:
    from flask import Response

    from .service import Service

MAX_BODY: Final = 64 * 1024
SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

access_log = logging.getLogger("medgraph.access")
"""One line of JSON a request, without what was asked."""

routes = Blueprint("medgraph", __name__)


def create_app(service: Service) -> Flask:
    """Make the application.

    Args:
        service: What it serves.

    Returns:
        A WSGI application.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY
    app.extensions["medgraph"] = service
    app.register_blueprint(routes)
    app.add_template_test(_is_web, "web")
    problems.register(app)

    @app.before_request
    def _start() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def _finish(response: Response) -> Response:
        response.headers.update(SECURITY)
        spent = round((time.perf_counter() - g.started) * 1000, 1)
        route = request.url_rule.rule if request.url_rule else None
        line = {"method": request.method, "route": route, "status": response.status_code, "ms": spent}
        access_log.info(json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **line}))
        return response

    return app


def _is_web(url: str) -> bool:
    """Tell addresses of pages from scripts and the like: a document's url is whatever its source says."""
    return url.lower().startswith(("http://", "https://"))


def _service() -> Service:
    service: Service = current_app.extensions["medgraph"]
    return service


@routes.post("/v1/answers")
def answers() -> Response:
    """Answer a question."""
    return jsonify(_service().answer(inputs.answer_request(request.get_json())))


@routes.get("/v1/search")
def search() -> Response:
    """Search for sections."""
    return jsonify(results=_service().search(inputs.search_request(request.args.to_dict(flat=False))))


@routes.get("/v1/sections/<path:name>")
def section(name: str) -> Response:
    """Give a whole section."""
    return jsonify(_section(name))


@routes.get("/v1/sources")
def sources() -> Response:
    """List what is loaded."""
    return jsonify(sources=_service().sources())


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
    _service().check()
    return jsonify(status="ready")


@routes.get("/")
def page() -> str:
    """Show the page to ask on."""
    return render_template("ask.html", question="", answer=None, problem=None, notice=NOTICE)


@routes.post("/")
def page_answer() -> tuple[str, int, dict[str, str]]:
    """Show the page with an answer."""
    question = request.form.get("question", "")
    answer, problem, status = None, None, 200
    try:
        answer = _numbered(_service().answer(inputs.answer_request({"question": question})))
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    page = render_template("ask.html", question=question, answer=answer, problem=problem, notice=NOTICE)
    retry = {"Retry-After": str(problems.RETRY_AFTER)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return page, status, retry


@routes.get("/sections/<path:name>")
def page_section(name: str) -> str:
    """Show a section, with the quoted span marked."""
    row = _section(name)
    bounds = [request.args.get(key, 0, type=int) for key in ("start", "end")]
    start, end = (min(max(bound, 0), len(row["text"])) for bound in bounds)
    if end < start:
        start = end = 0
    text = row["text"]
    return render_template("section.html", section=row, before=text[:start], quote=text[start:end], after=text[end:])


def _section(name: str) -> dict[str, Any]:
    row = _service().section(name)
    if row is None:
        abort(404, "there is no section with this id")
    return row


def _numbered(answer: dict[str, Any]) -> dict[str, Any]:
    """Number the documents that an answer cites, in the order of its sentences."""
    numbers: dict[str, int] = {}
    for sentence in answer["sentences"]:
        for citation in sentence["citations"]:
            citation["number"] = numbers.setdefault(citation["section"], len(numbers) + 1)
    cited = [citation for sentence in answer["sentences"] for citation in sentence["citations"]]
    first = {citation["number"]: citation for citation in reversed(cited)}
    return answer | {"references": [first[number] for number in sorted(first)]}
