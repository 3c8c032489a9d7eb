"""The default encoder's files."""

import shutil

import pytest

from medgraph.embeddings.encoders.model_files import WEIGHTS
from medgraph.embeddings.encoders.named import find_model


@pytest.fixture(scope="session")
def folder(settings):
    return find_model(settings, lambda line: None)


@pytest.fixture
def copy(folder, tmp_path):
    """A copy of the model whose JSON files a test may edit; the weights are linked."""
    target = tmp_path / "mine"
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(WEIGHTS))
    (target / WEIGHTS).symlink_to(folder / WEIGHTS)
    return target
