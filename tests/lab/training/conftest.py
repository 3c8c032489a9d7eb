"""What tests of training share: a small graph in MedQuAD's form."""

import pytest

from medgraph_lab.training.library import base_of
from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]


@pytest.fixture
def base(settings):
    return base_of(settings)
