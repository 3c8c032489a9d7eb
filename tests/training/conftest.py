"""What tests of training share: a small graph in MedQuAD's form, and whether torch is there."""

import pytest

from medgraph.training.encoder import base_of
from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


@pytest.fixture
def base(settings):
    return base_of(settings)


@pytest.fixture
def _torch():
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("transformers", reason="the extra `train` is not installed")
