"""What tests of training share: a small graph in MedQuAD's form, and whether torch is there."""

import pytest

from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


@pytest.fixture
def _torch():
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("transformers", reason="the extra `train` is not installed")
