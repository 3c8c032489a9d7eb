"""What tests of look-ups share."""

import functools

import pytest

from tests.support.entities import write_entities


@pytest.fixture
def names(database):
    """Writes entities into an otherwise empty graph, and waits until they can be found."""
    return functools.partial(write_entities, database)
