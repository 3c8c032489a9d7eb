"""Fixtures of the command line."""

from tests.support.running import medgraph

__all__ = ["medgraph"]
