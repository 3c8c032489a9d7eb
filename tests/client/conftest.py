"""Fixtures of the client's tests: on recorded answers, but where a test takes the graph, too."""

from tests.support.recorded import service

__all__ = ["service"]
