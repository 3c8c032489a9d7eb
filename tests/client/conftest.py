"""Fixtures of the client's tests."""

import pytest

from tests.support.linking import names_of
from tests.support.service import service_over


@pytest.fixture
def service(sample_graph, encoder):
    return service_over(sample_graph, lambda: encoder, names_of(sample_graph))
