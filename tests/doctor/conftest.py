"""A graph whose schema tests may break."""

import pytest

from tests.support.graphs import empty
from tests.support.schemas import mend


@pytest.fixture
def mended(graph):
    """The tests' database, empty, whose schema is made whole again afterwards."""
    empty(graph)
    yield graph
    mend(graph)
