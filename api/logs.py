"""Logs to stderr: one line of JSON for each request and each problem."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import TYPE_CHECKING, Any

from flask import Flask, g, has_request_context, request

from .notes import once_sent

if TYPE_CHECKING:
    from flask import Response

    from .options import Options

access_log = logging.getLogger("medgraph.access")
"""One record a request; without what was asked, unless the options say otherwise."""


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        line: dict[str, Any] = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))}
        if fields := getattr(record, "fields", None):
            return json.dumps(line | fields, ensure_ascii=False)
        line |= {"level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        if has_request_context():
            line["request"] = g.get("request_id")
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def to_stderr() -> None:
    """Send what medgraph and its server log to stderr, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in ("medgraph", "waitress"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
    access_log.setLevel(logging.INFO)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it would tell of each request that waits


def log_requests(app: Flask, options: Options) -> None:
    """Write a line for each request."""

    @app.after_request
    def _write(response: Response) -> Response:
        fields: dict[str, Any] = {
            "request": g.request_id,
            "method": request.method,
            "route": request.url_rule.rule if request.url_rule else None,
            "status": response.status_code,
        }
        started, noted = g.started, g.noted

        def write() -> None:
            fields["ms"] = round((time.perf_counter() - started) * 1000, 1)
            costs = {name: value for name, value in noted.items() if name != "question"}
            question = {"question": noted.get("question")} if options.log_questions else {}
            line = fields | costs | question
            access_log.info("%s", line, extra={"fields": line})

        once_sent(response, write)
        return response
