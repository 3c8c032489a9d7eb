"""The service that `MEDGRAPH_SERVICE` names, which commands use in place of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..client.client import Medgraph
    from ..settings import Settings


def service_of(settings: Settings) -> Medgraph | None:
    """Give the client of the service that the settings name, if any."""
    if settings.service is None:
        return None
    from ..client.client import Medgraph

    return Medgraph(settings.service, key=settings.api_key and settings.api_key.split(",")[0].strip())


def as_fields(filters: dict[str, Any]) -> dict[str, Any]:
    """Name filters as requests do."""
    return {"mesh" if name == "headings" else name: value for name, value in filters.items()}
