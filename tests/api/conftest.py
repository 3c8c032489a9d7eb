"""Fixtures of the service's tests."""

import pytest

from medgraph.api.service import Service


@pytest.fixture
def service(sample_graph, encoder):
    return Service(sample_graph, lambda: encoder)
