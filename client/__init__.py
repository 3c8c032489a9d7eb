"""The client: the same calls over a graph in this process and over a service elsewhere."""

from .asynchronous import AsyncMedgraph
from .client import Medgraph

__all__ = ["AsyncMedgraph", "Medgraph"]
