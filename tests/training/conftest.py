"""What tests of training share: a small graph in MedQuAD's form, and whether torch is there."""

import pytest

from medgraph.training.library import base_of
from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


@pytest.fixture
def base(settings):
    return base_of(settings)


@pytest.fixture
def _torch():
    for name in ("torch", "datasets", "sentence_transformers"):
        pytest.importorskip(name, reason="the extra `train` is not installed")
