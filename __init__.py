"""A biomedical knowledge graph in Neo4j that answers questions with checked citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import AsyncMedgraph, Medgraph

__version__: str

__all__ = ["AsyncMedgraph", "Medgraph", "__version__"]


def __getattr__(name: str) -> Any:
    """Import the client, or read the version, when it is asked for."""
    if name in {"AsyncMedgraph", "Medgraph"}:
        from . import client

        return getattr(client, name)
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("medgraph")
        except PackageNotFoundError:  # imported from a bare checkout
            return "0+unknown"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
