"""Metrics: what the service counts and times, for Prometheus."""

from ..metrics import CONTENT_TYPE, figures
from ..route import Route
from ..service import Service


def metrics(service: Service) -> bytes:
    """Show the figures."""
    service.require_whole()
    return figures()


ROUTES = (Route("GET", "/metrics", "Count and time requests, for Prometheus", metrics, str, media=CONTENT_TYPE),)
