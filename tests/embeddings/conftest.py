"""Documents to cut and embed."""

import json

import pytest

from medgraph.loaders.commands import load_named
from tests.support.encoders import DOCUMENTS, Counting


@pytest.fixture
def counting(encoder):
    return Counting(encoder)


@pytest.fixture
def loaded(database, settings, tmp_path):
    """Loads documents; called again, it loads what became of them."""

    def load(documents):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        return load_named(database, settings, "documents", path)

    load(DOCUMENTS)
    return load
