"""Fixtures of the command line."""

from tests.support.mirror import site
from tests.support.running import medgraph

__all__ = ["medgraph", "site"]
