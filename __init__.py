"""A biomedical knowledge graph in Neo4j that answers questions with checked citations."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import AsyncMedgraph, Medgraph

try:
    __version__ = version("medgraph")
except PackageNotFoundError:  # imported from a bare checkout
    __version__ = "0+unknown"

__all__ = ["AsyncMedgraph", "Medgraph", "__version__"]


def __getattr__(name: str) -> Any:
    """Import the client when it is asked for."""
    if name in {"AsyncMedgraph", "Medgraph"}:
        from . import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
