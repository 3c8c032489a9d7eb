"""A biomedical knowledge graph in Neo4j that answers questions with checked citations."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("medgraph")
except PackageNotFoundError:  # imported from a bare checkout
    __version__ = "0+unknown"

__all__ = ["__version__"]
