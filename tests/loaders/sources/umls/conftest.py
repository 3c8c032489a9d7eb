"""A folder of the UMLS that a test may change."""

import shutil

import pytest

from tests.support.umls import META


@pytest.fixture
def meta(tmp_path):
    """A copy of the small folder, without the note of its release."""
    return shutil.copytree(META, tmp_path / "META")
