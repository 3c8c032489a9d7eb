"""Logs and metrics of requests, with what each notes: question, stages, tokens, verdicts."""

from __future__ import annotations

import collections
import json
import logging
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, current_app, g, has_request_context, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, exposition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..answers.answer import Answer
    from .access import Options

# One record a request; without what was asked, unless the options say otherwise.
access_log = logging.getLogger("medgraph.access")


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


def note_question(question: str) -> None:
    """Note what was asked; it is written down only where the options say so."""
    g.noted["question"] = question


def note_stages(timing_ms: Mapping[str, float]) -> None:
    """Note how long each step took."""
    g.noted["stages_ms"] = timing_ms


def note_answer(answer: Answer, noted: dict[str, Any]) -> None:
    """Note beside what a request `noted` what came of a question and what it cost."""
    paid = [one for one in (answer.generation, *answer.readings) if one]
    noted.update(
        answer=answer.status,
        tokens={
            "prompt": sum(one.prompt_tokens for one in paid),
            "reply": sum(one.reply_tokens for one in paid),
        },
        dropped=dict(collections.Counter(one.why for one in answer.generation.dropped) if answer.generation else {}),
        verdicts=dict(collections.Counter(one.verdict for one in answer.sentences)),
        stages_ms=answer.timing_ms,
    )


CONTENT_TYPE: Final = exposition.CONTENT_TYPE_LATEST  # of the figures
_EXTENSION: Final = "medgraph-metrics"
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_METHODS: Final = frozenset({"GET", "POST", "HEAD", "OPTIONS"})


def watch(app: Flask, options: Options) -> None:
    """Count, time and write down the requests of an application; these have `g.started`, `g.request_id`, `g.noted`."""
    app.extensions[_EXTENSION] = registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    names = ["method", "route", "status"]
    requests = Counter("medgraph_requests", "Requests answered", names, registry=registry)
    running = Gauge("medgraph_requests_in_progress", "Requests being answered", registry=registry)
    count_costs = _costs(registry)

    @app.before_request
    def _begin() -> None:
        running.inc()
        g.counted = True

    @app.after_request
    def _count(response: Response) -> Response:
        # Labels come from the routes, never from the request, or anybody could fill the memory with them.
        route = request.url_rule.rule if request.url_rule else None
        method = request.method if request.method in _METHODS else "other"
        requests.labels(method, route or "none", str(response.status_code)).inc()
        line = {"request": g.request_id, "method": request.method, "route": route, "status": response.status_code}
        started, noted = g.started, g.noted

        def sent() -> None:
            taken = time.perf_counter() - started
            count_costs(route or "none", taken, noted)
            line.update({"ms": round(taken * 1000, 1)} | {k: v for k, v in noted.items() if k != "question"})
            if options.log_questions:
                line["question"] = noted.get("question")
            access_log.info("%s", line, extra={"fields": line})

        if response.is_streamed:  # event by event: after the last one
            response.call_on_close(sent)
        else:
            sent()
        return response

    @app.teardown_request
    def _end(_: BaseException | None) -> None:
        if g.pop("counted", False):
            running.dec()


def _costs(registry: CollectorRegistry) -> Callable[[str, float, Mapping[str, Any]], None]:
    """Give what counts the seconds of a request, and what came of a question and what it cost, from what it noted."""
    seconds = Histogram(
        "medgraph_request_seconds", "Seconds until an answer", ["route"], registry=registry, buckets=_BUCKETS
    )
    counters = {
        "answer": Counter("medgraph_answers", "Answers given, by status", ["status"], registry=registry),
        "tokens": Counter("medgraph_tokens", "Tokens that a language model read or wrote", ["kind"], registry=registry),
        "dropped": Counter("medgraph_dropped_sentences", "Sentences left out, by why", ["why"], registry=registry),
        "verdicts": Counter("medgraph_verdicts", "Sentences given, by verdict", ["verdict"], registry=registry),
    }
    stages = Histogram(
        "medgraph_stage_seconds", "Seconds of each step", ["route", "stage"], registry=registry, buckets=_BUCKETS
    )

    def count(route: str, taken: float, noted: Mapping[str, Any]) -> None:
        seconds.labels(route).observe(taken)
        for name, counter in counters.items():
            values = noted.get(name, {})
            for label, number in ({values: 1} if isinstance(values, str) else values).items():
                counter.labels(label).inc(number)
        for stage, milliseconds in noted.get("stages_ms", {}).items():
            stages.labels(route, stage).observe(milliseconds / 1000)

    return count


def figures() -> bytes:
    """Write what was counted and timed in the application that is asked."""
    return exposition.generate_latest(current_app.extensions[_EXTENSION])
