"""Health: whether the process lives, whether questions can be answered now, and metrics."""

from dataclasses import dataclass
from typing import Literal

from ..logs import CONTENT_TYPE, figures
from ..request import Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class Health:
    """The process lives."""

    status: Literal["ok"] = "ok"  # that it does


@dataclass(frozen=True, slots=True)
class Readiness:
    """Questions can be answered."""

    status: Literal["ready"] = "ready"  # that they can


def health(service: Service) -> Health:
    """Say that the process lives."""
    return Health()


def readiness(service: Service) -> Readiness:
    """Say that questions can be answered now."""
    service.check()
    return Readiness()


def metrics(service: Service) -> bytes:
    """Show the figures."""
    service.require_whole()
    return figures()


ROUTES = (
    Route("GET", "/healthz", "Does the process live?", health, Health, watched=True),
    Route("GET", "/readyz", "Can questions be answered now?", readiness, Readiness, watched=True),
    Route("GET", "/metrics", "Count and time requests, for Prometheus", metrics, str, media=CONTENT_TYPE),
)
