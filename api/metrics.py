"""Metrics of the service in the format of Prometheus."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, current_app, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, exposition

from .notes import once_sent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Response

CONTENT_TYPE: Final = exposition.CONTENT_TYPE_LATEST
"""Of the figures."""

_EXTENSION: Final = "medgraph-metrics"
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_METHODS: Final = frozenset({"GET", "POST", "HEAD", "OPTIONS"})


def measure(app: Flask) -> None:
    """Count and time the requests of an application; these have `g.started`."""
    app.extensions[_EXTENSION] = registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    names = ["method", "route", "status"]
    requests = Counter("medgraph_requests", "Requests answered", names, registry=registry)
    seconds = Histogram(
        "medgraph_request_seconds", "Seconds until an answer", ["route"], registry=registry, buckets=_BUCKETS
    )
    running = Gauge("medgraph_requests_in_progress", "Requests being answered", registry=registry)
    count_costs = _costs(registry)

    @app.before_request
    def _begin() -> None:
        running.inc()
        g.counted = True

    @app.after_request
    def _count(response: Response) -> Response:
        # Labels come from the routes, never from the request, or anybody could fill the memory with them.
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in _METHODS else "other"
        requests.labels(method, route, str(response.status_code)).inc()
        started, noted = g.started, g.noted

        def count() -> None:
            seconds.labels(route).observe(time.perf_counter() - started)
            count_costs(route, noted)

        once_sent(response, count)
        return response

    @app.teardown_request
    def _end(_: BaseException | None) -> None:
        if g.pop("counted", False):
            running.dec()


def _costs(registry: CollectorRegistry) -> Callable[[str, Mapping[str, Any]], None]:
    """Give what counts what came of questions, and what that cost, from what a request noted."""
    counters = {
        "answer": Counter("medgraph_answers", "Answers given, by status", ["status"], registry=registry),
        "tokens": Counter("medgraph_tokens", "Tokens that a language model read or wrote", ["kind"], registry=registry),
        "dropped": Counter("medgraph_dropped_sentences", "Sentences left out, by why", ["why"], registry=registry),
        "verdicts": Counter("medgraph_verdicts", "Sentences given, by verdict", ["verdict"], registry=registry),
    }
    stages = Histogram(
        "medgraph_stage_seconds", "Seconds of each step", ["route", "stage"], registry=registry, buckets=_BUCKETS
    )

    def count(route: str, noted: Mapping[str, Any]) -> None:
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
