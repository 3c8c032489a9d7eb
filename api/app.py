"""The Flask application: what happens around every request; routes are in `resources/` and `pages.py`."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Final

from flask import Flask, g
from werkzeug.routing import PathConverter

from . import access, asking, logs, pages, problems, routes
from .access import Options

if TYPE_CHECKING:
    from flask import Response

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
    for blueprint in (routes.routes, pages.pages, asking.asking):
        app.register_blueprint(blueprint)
    return app
