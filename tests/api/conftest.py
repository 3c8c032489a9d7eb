"""Fixtures of the service's tests."""

import pytest

from medgraph.api.app import create_app
from medgraph.api.service import Service
from tests.support.linking import names_of


@pytest.fixture
def service(sample_graph, encoder):
    return Service(sample_graph, lambda: encoder, names_of(sample_graph))


@pytest.fixture
def client(service):
    return create_app(service).test_client()
