"""The client: the same calls over a graph in this process and over a service elsewhere."""

from .client import AsyncMedgraph, Medgraph

__all__ = ["AsyncMedgraph", "Medgraph"]
