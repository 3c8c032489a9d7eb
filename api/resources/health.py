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
    """Say that the process lives.

    Args:
        service: What is served; it is not asked.

    Returns:
        That it does.
    """
    return Health()


def readiness(service: Service) -> Readiness:
    """Say that questions can be answered now.

    Args:
        service: What is served.

    Returns:
        That they can.

    Raises:
        MedgraphError: They cannot; `problems.status_of` tells why.
    """
    service.check()
    return Readiness()


ROUTES = (
    Route("GET", "/healthz", "Does the process live?", health, Health, watched=True),
    Route("GET", "/readyz", "Can questions be answered now?", readiness, Readiness, watched=True),
)
