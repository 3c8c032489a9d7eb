"""Health: whether the process lives, and whether questions can be answered now."""

from dataclasses import dataclass
from typing import Literal

from ..route import Route
from ..service import Service


@dataclass(frozen=True, slots=True)
class Health:
    """The process lives.

    Attributes:
        status: That it does.
    """

    status: Literal["ok"] = "ok"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Questions can be answered.

    Attributes:
        status: That they can.
    """

    status: Literal["ready"] = "ready"


def health(service: Service) -> Health:
    """Say that the process lives."""
    return Health()


def readiness(service: Service) -> Readiness:
    """Say that questions can be answered now."""
    service.check()
    return Readiness()


ROUTES = (
    Route("GET", "/healthz", "Does the process live?", health, Health, watched=True),
    Route("GET", "/readyz", "Can questions be answered now?", readiness, Readiness, watched=True),
)
