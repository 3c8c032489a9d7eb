"""A graph that every check finds sound."""

import pytest

from tests.support.audits import SOUND
from tests.support.graphs import run


@pytest.fixture
def sound(database):
    run(database, SOUND)
    return database
