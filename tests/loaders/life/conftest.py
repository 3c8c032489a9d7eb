"""What tests of loads share."""

import pytest

from tests.support.loads import Loading


@pytest.fixture
def loading(tmp_path, database):
    return Loading(tmp_path, database)
