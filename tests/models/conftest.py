"""Fixtures of language models."""

from dataclasses import replace

import pytest

from medgraph.models.open import SMOLLM2, fetch, open_model
from medgraph.settings import Settings


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Opens the model at a server, with the variables that find it."""

    def opened(server, **variables):
        for name, value in {**server.environment(), "MEDGRAPH_CACHE": str(tmp_path), **variables}.items():
            monkeypatch.setenv(name, value)
        return open_model(Settings.from_environment())

    return opened


@pytest.fixture(scope="session")
def smollm():
    """The small model, in this process; it is fetched into the usual cache once."""
    usual = Settings.from_environment()
    fetch(SMOLLM2, usual, lambda line: None)
    return open_model(replace(usual, model="smollm2-135m"))
