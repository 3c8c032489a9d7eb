"""Fixtures of the service's tests: on recorded answers, but where a test takes the graph, too."""

import pytest

from medgraph.api.app import create_app
from tests.support.recorded import service

__all__ = ["service"]


@pytest.fixture
def client(service):
    return create_app(service).test_client()
