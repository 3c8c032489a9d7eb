"""What tests of quality figures share: a small graph in MedQuAD's form, and an ontology that knows a little more."""

import pytest

from tests.support.medquad import ONTOLOGY, medquad_graph

__all__ = ["medquad_graph"]


@pytest.fixture
def ontology(tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(ONTOLOGY)
    return path
