"""Fixtures of language models."""

import pytest

from medgraph.models.open import open_model
from medgraph.settings import Settings


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Opens the model at a server, with the variables that find it."""

    def opened(server, **variables):
        for name, value in {**server.environment(), "MEDGRAPH_CACHE": str(tmp_path), **variables}.items():
            monkeypatch.setenv(name, value)
        return open_model(Settings.from_environment())

    return opened
